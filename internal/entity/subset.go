package entity

import (
	"maps"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/sorting"
)

// Subset is some elements of a set.
type Subset struct {
	of       *Set
	name     string
	elements []int32 // of the set, ascending, without duplicates
	size     int64   // elements of the whole mesh
	id       ID
}

// Of returns the set that the elements belong to.
func (s *Subset) Of() *Set { return s.of }

// Size returns the number of elements that belong here: on several ranks, to this one.
func (s *Subset) Size() int { return s.prefix(halo.Owned) }

// prefix returns the number of elements in a prefix of the set.
func (s *Subset) prefix(x int) int {
	n, _ := slices.BinarySearch(s.elements, int32(s.of.Prefix(x)))
	return n
}

// Whole returns the number of elements of the whole mesh.
func (s *Subset) Whole() int { return int(s.size) }

// Name returns the name the subset was declared with.
func (s *Subset) Name() string { return s.name }

// List returns the elements' places in memory, ascending, which must not be changed.
func (s *Subset) List() []int32 { return s.elements }

// Elements returns a copy of the elements' declared numbers in the set, ascending; once it is
// distributed, of their numbers here. It may be called at any time.
func (s *Subset) Elements() []int32 {
	s.of.rt.numbers.RLock()
	defer s.of.rt.numbers.RUnlock()
	elements := slices.Clone(s.elements[:s.Size()])
	if s.of.order != nil {
		for i, e := range elements {
			elements[i] = s.of.order[e]
		}
		sorting.Int32s(elements)
	}
	return elements
}

// Contains reports whether the element of the set is in the subset. It may be called at any time.
func (s *Subset) Contains(element int) bool {
	if element < 0 || element >= s.of.Total() {
		return false
	}
	s.of.rt.numbers.RLock()
	defer s.of.rt.numbers.RUnlock()
	_, found := slices.BinarySearch(s.elements, int32(s.of.place(element)))
	return found
}

// Mask returns for each element of the set whether it is in the subset.
func (s *Subset) Mask() []bool {
	in := make([]bool, s.of.Total())
	for _, e := range s.elements {
		in[e] = true
	}
	return in
}

// ID returns the subset's ID; nil if none was needed so far.
func (s *Subset) ID() ID { return s.id }

// Tracked returns the ID of a subset; nil for nil.
func (s *Subset) Tracked() ID {
	if s == nil {
		return nil
	}
	return identify(s, 0, &s.id, s.of.rt.unreachable)
}

// Tree returns the tree along which values of the elements, or of those of a subset, are combined; it is made once.
func (s *Set) Tree(of *Subset, make func() (*comm.Numbered, error)) (*comm.Numbered, error) {
	if tree := s.trees[weak.Make(of)]; tree != nil {
		return tree, nil
	}
	tree, err := make()
	if err != nil {
		return nil, err
	}
	if s.trees == nil {
		s.trees = map[weak.Pointer[Subset]]*comm.Numbered{}
	}
	maps.DeleteFunc(s.trees, func(of weak.Pointer[Subset], _ *comm.Numbered) bool {
		return of != weak.Pointer[Subset]{} && of.Value() == nil
	})
	s.trees[weak.Make(of)] = tree
	return tree, nil
}
