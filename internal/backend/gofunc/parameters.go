package gofunc

import "github.com/go-op2/op2/internal/loop"

// fixed is a parameter, at a slot among the words, that points at the same values for each element.
type fixed struct {
	slot int
	at   P
}

// localParam is a parameter that points into memory of a worker or a block.
type localParam struct {
	slot   int
	offset uintptr // of the first element's values
	size   uintptr // of each element's values; 0 if all elements share them
}

// constant is a word that is the same for each element: the length of a slice.
type constant struct {
	slot int
	word uintptr
}

// varyingLength is a word, and the one after it, that differ from element to element: the length of a slice, and its capacity.
type varyingLength struct{ slot, count int }

// headers are the slices of a parameter that is a slice of slices: for each element of a strip, the
// rows of its copy. They are always the same, unless the lengths of rows vary.
type headers struct {
	values, at    localParam // the copies, and the slices
	rows, cols    int
	count         int     // of the lengths of rows; 0 if they do not vary
	size, ofSlice uintptr // of a row, and of a slice in memory
}

// fillAll writes the slices for n elements into scratch memory, as numbers, which the runner's own
// pointers keep valid.
func (h *headers) fillAll(scratch P, n int) {
	for e := range uintptr(n) {
		h.fillOne(scratch, e, h.cols)
	}
}

// fillOne writes the slices for element e, of rows with that many values.
func (h *headers) fillOne(scratch P, e uintptr, cols int) {
	for r := range uintptr(h.rows) {
		row := add(scratch, h.values.offset+e*h.values.size+r*h.size)
		*(*[sliceWords]uintptr)(add(scratch, h.at.offset+e*h.at.size+r*h.ofSlice)) = [...]uintptr{uintptr(row), uintptr(cols), uintptr(cols)}
	}
}

// index is the numbers of a strip's elements.
type index struct {
	offset uintptr // into scratch memory
	table  P       // of the columns' numbers; nil: their places
	of     loop.Scalar
}

// numberOf returns the number of an element, or of a column.
func (x *index) numberOf(e int) int {
	switch {
	case x.table == nil:
		return e
	case x.of == loop.Int32:
		return int(*(*int32)(add(x.table, 4*uintptr(e))))
	}
	return int(*(*int64)(add(x.table, 8*uintptr(e))))
}
