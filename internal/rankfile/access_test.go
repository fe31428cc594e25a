package rankfile

import (
	"testing"

	"github.com/go-op2/op2/internal/hdf5"
)

// Rows of a rank are cut into pieces that follow each other, also where their numbers have more than 32 bits.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		first, count uint64
		each, most   int
		pieces       int
	}{
		{0, 0, 8, 100, 0}, {5, 12, 8, 100, 1}, {5, 13, 8, 100, 2}, {1 << 33, 3 << 24, 64, mostTogether, 3}, {1 << 40, 2, 1 << 20, 1, 2},
	} {
		s := Section{Each: c.each, Rows: []hdf5.Rows{{}, {First: c.first, Count: c.count}}}
		pieces := s.pieces(1, c.most)
		next, at := c.first, 0
		for _, p := range pieces {
			if p.rows.First != next || p.from != at || p.to-p.from != int(p.rows.Count)*c.each || p.rows.Count > 1 && p.to-p.from > c.most {
				t.Errorf("%+v: a piece %+v after row %d, byte %d", c, p, next, at)
			}
			next, at = next+p.rows.Count, p.to
		}
		if len(pieces) != c.pieces || next != c.first+c.count {
			t.Errorf("%+v: %d pieces to row %d", c, len(pieces), next)
		}
	}
}
