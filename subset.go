package op2

import (
	"github.com/go-op2/op2/internal/entity"
)

// Subset is some elements of a set: those of a boundary, or of one material. Loops run over it in
// the order of the set; maps, dats and [Index] are those of the set.
type Subset entity.Subset

func (s *Subset) core() *entity.Subset { return (*entity.Subset)(s) }

// NewSubset declares a subset of a set, or of a subset, with the elements of the given declared numbers,
// from 0 to of.Size()-1, in any order; duplicates count once. Numbers in a subset are indices into
// what [Subset.Elements] returns, and the result is again a subset of the set itself.
//
// On several ranks, which numbers a rank gives depends on the set:
//   - declared whole: all ranks give the same numbers, also once the mesh has been distributed.
//   - declared in shares: each rank gives elements of its own share, by their numbers in the whole
//     mesh, whichever rank they belong to by now.
//   - a [LocalSet]: each rank gives local numbers of elements that it has, the halo's too.
//
// The call is collective for the last two, and once the mesh has been distributed. Subsets of subsets
// are declared before that.
func NewSubset[I int32 | int64 | int | uint32](of IterationSet, indices []I, name string) *Subset {
	elements := iteration(of)
	return declareSubset(entity.Declaration{On: []*entity.Runtime{elements.Set.Runtime()}, What: "subset " + name, Of: "set"}, name,
		func() (*entity.Subset, error) { return entity.NewSubset(elements, indices, name) })
}

func declareSubset(d entity.Declaration, name string, construct func() (*entity.Subset, error)) *Subset {
	return (*Subset)(entity.Declare(d, construct, func(failed *entity.Runtime) *entity.Subset { return entity.InertSubset(failed, name) }))
}

func (s *Subset) iteration() entity.Range {
	if s == nil {
		return entity.Range{}
	}
	return s.core().All()
}

// Of returns the set that the elements belong to.
func (s *Subset) Of() *Set { return (*Set)(orEmpty(s.core()).Of()) }

// Size returns the number of elements: on several ranks, of the whole mesh.
func (s *Subset) Size() int { return orEmpty(s.core()).Whole() }

// Name returns the name the subset was declared with.
func (s *Subset) Name() string { return orEmpty(s.core()).Name() }

// Elements returns a copy of the elements' declared numbers, ascending. Once the mesh has been
// distributed to several ranks, they are the rows of Data of those that this rank owns.
func (s *Subset) Elements() []int32 {
	if s.Of() == nil {
		return nil
	}
	return s.core().Elements()
}

// Contains reports whether the element of the set, numbered as for Elements, is in the subset.
func (s *Subset) Contains(element int) bool { return s.Of() != nil && s.core().Contains(element) }

// Union returns the subset of the elements that are in s, in other, or in both. Both must be
// subsets of one set, as for the following two methods.
func (s *Subset) Union(other *Subset, name string) *Subset {
	return s.merge("union", other, name, true, true, true)
}

// Intersection returns the subset of the elements that are in both.
func (s *Subset) Intersection(other *Subset, name string) *Subset {
	return s.merge("intersection", other, name, false, true, false)
}

// Difference returns the subset of the elements that are in s and not in other.
func (s *Subset) Difference(other *Subset, name string) *Subset {
	return s.merge("difference", other, name, true, false, false)
}

// merge keeps elements in s only, in both, or in other only, as selected.
func (s *Subset) merge(operation string, other *Subset, name string, left, both, right bool) *Subset {
	return declareSubset(entity.Declaration{On: []*entity.Runtime{s.runtime(), other.runtime()}}, name,
		func() (*entity.Subset, error) {
			return s.core().Merge(operation, other.core(), name, left, both, right)
		})
}

func (s *Subset) runtime() *entity.Runtime { return orEmpty(s.core()).Of().Runtime() }

// Err returns why the subset could not be declared; nil if it was.
func (s *Subset) Err() error { return s.runtime().Made("subset", "NewSubset") }
