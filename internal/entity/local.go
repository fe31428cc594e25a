package entity

import (
	"github.com/go-op2/op2/internal/store"
)

// The library's own sets, maps, subsets and dats may be made at any time, from what this rank has:
// elements have their local numbers, and values include those of the halo. On one rank, they are as
// those that programs declare.

// Values returns the set that has an element for each value of dats on s with that dim.
func (s *Set) Values(dim int) *Set {
	if dim == 1 {
		return s
	}
	return s.unroll(dim)
}

// NewMapHere returns a map between the elements here.
func NewMapHere[I Integer](from, to *Set, arity int, values []I, name string) (*Map, error) {
	m := newMap(from, to, arity, name, false)
	m.values = store.Aligned[int32](len(values))
	for i, v := range values {
		m.values[i] = int32(v)
	}
	addWeakly(&from.rt.listed.maps, m)
	return m, nil
}

// NewSubsetHere returns the subset of the elements here in an ascending list.
func NewSubsetHere[I Integer](of *Set, elements []I, name string) (*Subset, error) {
	here := make([]int32, len(elements))
	for i, e := range elements {
		here[i] = int32(e)
	}
	return newSubset(of, here, name), nil
}

// NewDatHere returns a dat with a copy of the values of the elements here.
func NewDatHere[T any](set *Set, dim int, values []T, name string) (*Data, error) {
	d, err := NewDat[T](set, dim, nil, name)
	if err == nil {
		copy(Overwriting[T](d), values)
		d.storage.Filled()
	}
	return d, err
}
