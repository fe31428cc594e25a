package entity

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// The library's own sets, maps, subsets and dats may be made at any time, from what this rank has:
// elements have their local numbers, and values include those of the halo. On one rank, they are as
// those that programs declare.

// NewSetHere returns a set of n elements of this rank alone. Loops over it neither update halos nor
// combine their reductions with those of other ranks.
func (rt *Runtime) NewSetHere(n int, name string) (*Set, error) {
	if !rt.Several() {
		return rt.NewSet(All(n), name)
	}
	if n > math.MaxInt32 {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("a size up to %d is needed, %d was given", math.MaxInt32, n)}
	}
	s := &Set{rt: rt, name: name, extents: All(n)}
	s.site.Capture()
	return s, nil
}

// Values returns the set that has an element for each value of dats on s with that dim.
func (s *Set) Values(dim int) *Set {
	if dim == 1 {
		return s
	}
	v := s.unroll(dim)
	if s.distributed() && v.distribution == nil {
		v.distribution = &distribution{size: s.distribution.size * int64(dim), numbers: make([]int64, 0, s.Total()*dim)}
		for _, e := range s.distribution.numbers {
			for i := range dim {
				v.distribution.numbers = append(v.distribution.numbers, e*int64(dim)+int64(i))
			}
		}
	}
	return v
}

// NewMapHere returns a map between the elements here.
func NewMapHere[I Integer](from, to *Set, arity int, values []I, name string) (*Map, error) {
	m := newMap(from, to, arity, name, false)
	m.values = store.Aligned[int32](len(values))
	for i, v := range values {
		m.values[i] = int32(v)
	}
	if !from.rt.Several() {
		from.rt.mesh.addMap(m)
	}
	return m, nil
}

// NewSubsetHere returns the subset of the elements here in an ascending list.
func NewSubsetHere[I Integer](of *Set, elements []I, name string) (*Subset, error) {
	here := make([]int32, len(elements))
	for i, e := range elements {
		here[i] = int32(e)
	}
	if of.distributed() {
		return &Subset{of: of, name: name, elements: here, size: int64(len(here))}, nil
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

// Here returns the elements of the range that are here, including those of a halo.
func (r Range) Here() []int32 {
	if r.Subset != nil {
		return r.Subset.elements
	}
	elements := make([]int32, r.Set.Total())
	for i := range elements {
		elements[i] = int32(i)
	}
	return elements
}

// NumberHere returns the number by which the program knows an element here: the declared one.
func (s *Set) NumberHere(element int) int64 {
	switch {
	case s.distributed():
		return s.distribution.numbers[element]
	case s.order != nil:
		return int64(s.order[element])
	}
	return int64(element)
}

// NumbersHere returns a copy of these numbers of all elements here.
func (s *Set) NumbersHere() []int64 {
	numbers := make([]int64, s.Total())
	for i := range numbers {
		numbers[i] = s.NumberHere(i)
	}
	return numbers
}

// PlaceOf returns the local number of the element with one of these numbers; -1 if it is not here.
func (s *Set) PlaceOf(number int) int {
	if !s.distributed() {
		return s.place(number)
	}
	return slices.Index(s.distribution.numbers, int64(number))
}

// place returns where the element with a declared number is, as long as the set is not distributed.
func (s *Set) place(number int) int {
	if s.places == nil {
		return number
	}
	return int(s.places[number])
}

// HaloOwners returns for each element of the halo the rank that owns it.
func (s *Set) HaloOwners() []int {
	owners := make([]int, s.Total()-s.Size())
	if !s.distributed() {
		return owners
	}
	for _, p := range s.distribution.parts {
		for _, r := range p.Receives {
			for i := range r.Count {
				owners[int(r.Element(i))-s.Size()] = r.Rank
			}
		}
	}
	return owners
}
