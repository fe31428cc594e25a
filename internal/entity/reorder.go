package entity

import (
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/store"
)

// Apply renumbers the elements of all sets.
func (m *Declared) Apply(bySet map[*Set][]int32) {
	for _, f := range m.Maps {
		f.reorder(bySet[f.from], order.Inverse(bySet[f.to]))
	}
	for d := range Reachable(&m.Dats) {
		d.reorder(bySet[d.set])
	}
	for _, s := range m.Subsets {
		s.reorder(order.Inverse(bySet[s.of]))
	}
	for s, o := range bySet {
		s.reorder(o)
	}
}

// reorder records the declared numbers of a set's elements.
func (s *Set) reorder(o []int32) {
	if o == nil {
		return
	}
	s.trees = nil
	if s.order == nil {
		s.order = o
	} else {
		ReorderRows(store.Bytes(s.order), 4, o)
	}
	s.places = order.Inverse(s.order)
}

// reorder reorders the map's elements, and renumbers their targets; nil leaves either unchanged.
func (m *Map) reorder(o, numbers []int32) {
	reorderMap(m.values, m.arity, o, numbers)
	m.lengths = nil
}

// reorder renumbers the subset's elements; nil leaves them unchanged.
func (s *Subset) reorder(numbers []int32) {
	if numbers == nil {
		return
	}
	for i, e := range s.elements {
		s.elements[i] = numbers[e]
	}
	sorting.Int32s(s.elements)
}

// reorder reorders the host's values, since no loop has run yet. If there are none, they are zero. The
// program may go on writing to those that it got in declared order.
func (d *Data) reorder(o []int32) { d.storage.Reorder(o, d.rowSize(), d.set.order == nil) }
