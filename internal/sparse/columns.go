package sparse

import (
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// columnSet collects the columns of one row after another. The few distinct columns of a row occur
// many times, once for each adjacent element: a small table of recently seen columns filters out
// most repeats, and the rest is sorted.
type columnSet struct {
	row     uint64
	seen    [256]uint64 // row and column, indexed by the column's low bits
	columns []int32
	n       int
	limit   int // number of columns at which duplicates are removed
	sort    [small]int32
}

// small is the largest number of columns for which comparing all pairs is the fastest way to sort.
const small = 24

// begin starts row r.
func (s *columnSet) begin(r int) {
	s.row = uint64(r+1) << 32
	s.n = 0
	s.limit = 1 << 10
}

// add adds columns; negative ones are ignored. It has no unpredictable branches.
func (s *columnSet) add(columns []int32) {
	if s.n+len(columns) > s.limit || len(s.columns) < s.limit {
		s.makeRoom(len(columns))
	}
	room := s.columns[s.n:]
	room = room[:len(columns)]
	n := 0
	for _, c := range columns {
		if c < 0 {
			continue
		}
		key, at := s.row|uint64(c), &s.seen[uint8(c)]
		room[n] = c
		if *at != key {
			n++
		}
		*at = key
	}
	s.n += n
}

// makeRoom removes the duplicates of a long row, and makes room for as many columns again.
func (s *columnSet) makeRoom(more int) {
	sorting.Int32s(s.columns[:s.n])
	s.n = len(slices.Compact(s.columns[:s.n]))
	s.limit = max(s.limit, 2*s.n+more)
	if len(s.columns) < s.limit {
		s.columns = append(s.columns, make([]int32, s.limit-len(s.columns))...)
	}
}

// sorted returns the distinct columns in ascending order, valid until the next row begins.
func (s *columnSet) sorted() []int32 {
	columns := s.columns[:s.n]
	if len(columns) <= small {
		columns = s.sortSmall(columns)
	} else {
		sorting.Int32s(columns)
	}
	return slices.Compact(columns)
}

// sortSmall moves each column to the index that equals the number of smaller ones.
func (s *columnSet) sortSmall(columns []int32) []int32 {
	var places [small]uint8
	n := min(len(columns), small)
	columns = columns[:n]
	for i, c := range columns {
		place := uint8(i)
		for j, earlier := range columns[:i] {
			less := uint8(uint32(c-earlier) >> 31) // 1 if the earlier one is greater
			places[j] += less
			place -= less
		}
		places[i] = place
	}
	for i, c := range columns {
		s.sort[places[i]] = c
	}
	return s.sort[:n]
}
