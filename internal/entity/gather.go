package entity

import (
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/store"
)

// Gather returns the bytes of the values of all elements of the whole mesh in declared order: on the
// rank root, or with -1 on all ranks; nil on the others. It is collective.
func (d *Data) Gather(root int) ([]byte, error) {
	values, err := Reading[byte](d)
	if err != nil {
		return nil, err
	}
	return d.set.gatherRows(d.rowSize(), values, root)
}

// gatherRows is Gather for some bytes of each element here.
func (s *Set) gatherRows(size int, values []byte, root int) ([]byte, error) {
	c := s.rt.Comm()
	if !s.distributed() && !s.shared() {
		if root >= 0 && root != s.rt.Rank() {
			return nil, nil
		}
		return s.inDeclaredOrder(size, values), nil
	}
	if err := s.rt.Alike("values on "+s.name+" are gathered", nil); err != nil {
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

// Numbers returns the declared numbers of the elements that this rank has values of.
func (s *Set) Numbers() []int64 {
	if s.distributed() {
		return s.distribution.numbers
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
