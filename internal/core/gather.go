package core

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
)

// Gather returns the values of all elements of the whole mesh, dim for each, in declared order: on
// the rank root, or with -1 on all ranks; nil on the others. It is collective.
func Gather[T any](d *Data, root int) ([]T, error) {
	values, err := Reading[T](d)
	if err != nil {
		return nil, err
	}
	return GatherRows(d.set, d.Dim(), values, root)
}

// GatherRows is Gather for dim values of each element here, of any plain type.
func GatherRows[T any](s *Set, dim int, values []T, root int) ([]T, error) {
	c := s.rt.Comm()
	if c == nil || !s.distributed() && !s.shared() {
		if root >= 0 && root != s.rt.Rank() {
			return nil, nil
		}
		return InDeclaredOrder(s, dim, values), nil
	}
	if err := s.rt.alike("values on "+s.name+" are gathered", nil); err != nil {
		return nil, err
	}
	to := max(root, 0)
	n := s.Size()
	came, err := comm.Gather(c, to, slices.Concat(Bytes(s.numbersHere()[:n]), Bytes(values[:n*dim])))
	if err != nil {
		return nil, s.rt.broken(err)
	}
	var all []T
	if c.Rank() == to {
		all = make([]T, int(s.Whole())*dim)
	}
	for _, data := range came {
		each := 8 + dim*int(unsafe.Sizeof(*new(T)))
		count := len(data) / each
		numbers, rows := make([]int64, count), make([]T, count*dim)
		copy(Bytes(numbers), data)
		copy(Bytes(rows), data[8*count:])
		scatterRows(all, dim, numbers, rows)
	}
	if root >= 0 {
		return all, nil
	}
	if all == nil {
		all = make([]T, int(s.Whole())*dim)
	}
	if err := c.Broadcast(to, Bytes(all)); err != nil {
		return nil, s.rt.broken(err)
	}
	return all, nil
}

// scatterRows puts rows of dim values at their places.
func scatterRows[T any](all []T, dim int, numbers []int64, rows []T) {
	for i, e := range numbers {
		copy(all[int(e)*dim:(int(e)+1)*dim], rows[i*dim:])
	}
}

// numbersHere returns the declared numbers of the elements that this rank has values of.
func (s *Set) numbersHere() []int64 {
	if s.distributed() {
		return s.spread.numbers
	}
	numbers := make([]int64, s.Total())
	for i := range numbers {
		numbers[i] = int64(i)
		switch {
		case s.shared():
			numbers[i] += s.first()
		case s.order != nil:
			numbers[i] = int64(s.order[i])
		}
	}
	return numbers
}

// Bytes returns the memory of values of a plain type.
func Bytes[T any](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}
