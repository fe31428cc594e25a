package entity

import (
	"slices"

	"github.com/go-op2/op2/internal/store"
)

// StoredNumbers returns the declared numbers of the elements by their places in memory. It may be called
// at any time.
func (s *Set) StoredNumbers() []int32 {
	numbers := make([]int32, s.Size())
	s.rt.numbers.RLock()
	defer s.rt.numbers.RUnlock()
	for i, e := range s.Numbers()[:len(numbers)] {
		numbers[i] = int32(e)
	}
	return numbers
}

// DeclaredNumbers returns the declared numbers of the rows of data that the program sees: of all elements
// in declared order, unless the mesh is distributed. It may be called at any time.
func (s *Set) DeclaredNumbers() []int32 {
	numbers := s.StoredNumbers()
	if !s.distributed() {
		slices.Sort(numbers)
	}
	return numbers
}

// inDeclaredOrder returns a copy of values, of some bytes for each element, in declared order.
func (s *Set) inDeclaredOrder(size int, values []byte) []byte {
	if s.order == nil {
		return append(store.Room(len(values))[:0], values...)
	}
	return gathered(values, size, s.places)
}

// FromDeclaredOrder returns the values, some bytes for each element in declared order, as they are in memory. Of sets that were declared in shares, each rank gives its own; that is collective.
func FromDeclaredOrder(s *Set, size int, values []byte) ([]byte, error) {
	switch {
	case values == nil || s.order == nil && !s.distributed():
		return values, nil
	case s.distributed():
		return s.local(size, values)
	}
	return gathered(values, size, s.order), nil
}
