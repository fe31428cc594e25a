package algebra

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/sparse"
)

// Whole is a matrix of blocks as one matrix of values: the rows of this rank.
type Whole struct {
	*sparse.Merged
	from []*Matrix
	size int // of a value in bytes
}

// Layout says where the rows and columns of blocks are in the whole matrix.
type Layout struct {
	Rows     int       // of the whole
	First    []int     // of each part: its first row
	Cols     [][]int32 // of each part: the first column of each element here, with the halo; negative: left out
	Diagonal []int32   // the column of each row that the pattern includes in any case; nil: none
}

// Whole returns the matrix as one.
func (m *BlockMatrix) Whole(l Layout) (*Whole, error) {
	w := &Whole{size: m.size()}
	var tiles []sparse.Tile
	for i, row := range m.Blocks {
		for j, b := range row {
			if b != nil {
				s := b.data.Sparsity()
				tiles = append(tiles, sparse.Tile{Pattern: s.Owned(), Shape: s.Block(), Row: l.First[i], Cols: l.Cols[j]})
				w.from = append(w.from, b)
			}
		}
	}
	var err error
	w.Merged, err = sparse.Merge(l.Rows, tiles, l.Diagonal)
	return w, err
}

// Fill copies the bytes of the current values: those in columns from first up to last to inside, the
// others to outside.
func (w *Whole) Fill(inside, outside []byte, first, last int32) error {
	values := make([][]byte, len(w.from))
	for i, b := range w.from {
		if err := b.data.Bring(false); err != nil {
			return err
		}
		values[i] = entity.Host[byte](b.data)
	}
	w.Merged.Fill(w.size, inside, outside, first, last, values)
	return nil
}

// LayoutHere returns the layout in which the rows are those of this rank, part by part, and the columns
// those here with the halo, or without it if halo is false.
func (m *BlockMatrix) LayoutHere(halo bool) Layout {
	var l Layout
	for _, p := range m.Rows {
		l.First = append(l.First, l.Rows)
		l.Rows += p.Here()
	}
	before := 0
	for _, p := range m.Cols {
		cols := make([]int32, p.Set.Total())
		for c := range cols {
			if cols[c] = int32(before + c*p.Dim); !halo && c >= p.Set.Size() {
				cols[c] = -1
			}
		}
		l.Cols = append(l.Cols, cols)
		if halo {
			before += p.Total()
		} else {
			before += p.Here()
		}
	}
	return l
}
