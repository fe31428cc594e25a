package entity

import (
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/store"
)

// StoredNumbers returns the declared numbers of the elements by their places in memory. It may be called
// at any time.
func (s *Set) StoredNumbers() []int32 { return s.numbersAt(func(i int) int { return i }) }

// DeclaredNumbers returns the declared numbers of the rows of data that the program sees: of all elements
// in declared order, unless the mesh is distributed. It may be called at any time.
func (s *Set) DeclaredNumbers() []int32 { return s.numbersAt(s.place) }

// numbersAt returns the declared numbers of the elements that belong here, given the place in memory of each.
func (s *Set) numbersAt(place func(i int) int) []int32 {
	s.rt.numbers.RLock()
	defer s.rt.numbers.RUnlock()
	numbers := make([]int32, s.Size())
	for i := range numbers {
		numbers[i] = int32(s.NumberHere(place(i)))
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
	if s.order != nil {
		return gathered(values, size, s.order), nil
	}
	return s.rows(size, values)
}

// gatherRows is Gather for some bytes of each element here.
func (s *Set) gatherRows(size int, values []byte, root int) ([]byte, error) {
	c := s.rt.Comm()
	if !s.Among() {
		if root >= 0 && root != s.rt.Rank() {
			return nil, nil
		}
		return s.inDeclaredOrder(size, values), nil
	}
	if err := s.alike("values on " + s.name + " are gathered"); err != nil {
		return nil, err
	}
	to := max(root, 0)
	n := s.Size()
	came, err := comm.Gather(c, to, slices.Concat(store.Bytes(s.Numbers()[:n]), values[:n*size]))
	if err != nil {
		return nil, s.rt.Broken(err)
	}
	var all []byte
	if c.Rank() == to {
		all = store.Room(int(s.Whole()) * size)
	}
	for _, data := range came {
		numbers := make([]int64, len(data)/(8+size))
		rows := data[copy(store.Bytes(numbers), data):]
		for i, e := range numbers {
			copy(all[int(e)*size:(int(e)+1)*size], rows[i*size:])
		}
	}
	if root >= 0 {
		return all, nil
	}
	if all == nil {
		all = store.Room(int(s.Whole()) * size)
	}
	if err := c.Broadcast(to, all); err != nil {
		return nil, s.rt.Broken(err)
	}
	return all, nil
}
