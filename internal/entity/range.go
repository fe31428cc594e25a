package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/halo"
)

// Range is what a loop runs over: a set, or a subset of one.
type Range struct {
	Set    *Set
	Subset *Subset // nil: the whole set
}

// All returns the range of the whole set.
func (s *Set) All() Range { return Range{Set: s} }

// All returns the range of the subset.
func (s *Subset) All() Range { return Range{s.of, s} }

// Name returns the name of what the loop runs over.
func (r Range) Name() string {
	if r.Subset != nil {
		return r.Subset.name
	}
	return r.Set.name
}

// Size returns the number of elements that belong here, and count.
func (r Range) Size() int { return r.Prefix(halo.Owned) }

// Prefix returns the number of elements of a prefix of the set.
func (r Range) Prefix(x int) int {
	end := r.Set.extents.Prefix(x)
	if r.Subset == nil {
		return end
	}
	n, _ := slices.BinarySearch(r.Subset.elements, int32(end))
	return n
}

// Each calls f for each element that loops can run over, including those of a halo.
func (r Range) Each(f func(e int)) {
	if r.Subset == nil {
		for e := range r.Set.extents.Executable() {
			f(e)
		}
		return
	}
	for _, e := range r.Subset.elements[:r.Prefix(r.Set.extents.Deepest())] {
		f(int(e))
	}
}

// Besides describes the range for a message that also names another set.
func (r Range) Besides(other *Set) string {
	if r.Subset != nil {
		return fmt.Sprintf("%s, a subset of %s", r.Subset.name, r.Set.Besides(other))
	}
	return r.Set.Besides(other)
}
