package op2

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
)

// IterationSet is what a loop can run over: a *Set, or a *Subset of one.
type IterationSet interface {
	Name() string
	Size() int
	// iteration returns the set, and the subset of it; nil for the whole set.
	iteration() (*Set, *Subset)
}

// Subset is some elements of a set: those of a boundary, or of one material. Loops run over it in
// ascending order; maps, dats and [Index] are those of the set.
type Subset struct {
	of       *Set
	name     string
	elements []int32 // of the set, ascending, without duplicates
	identity
}

// NewSubset declares a subset of a set, or of a subset, with the elements of the given numbers,
// from 0 to of.Size()-1, in any order; duplicates count once. Numbers in a subset are indices into
// its ascending list, and the result is again a subset of the set itself.
//
// [Runtime.Renumber] renumbers the elements of subsets, too; after it, numbers are the new ones.
func NewSubset[I Integer](of IterationSet, indices []I, name string) (*Subset, error) {
	set, _ := resolve(of)
	if set == nil {
		return nil, fmt.Errorf("op2: subset %s: there is no set", name)
	}
	if err := set.rt.declare("subset", name); err != nil {
		return nil, err
	}
	defer set.rt.leave()
	return subsetOf(of, indices, name)
}

// subsetOf is NewSubset for callers within the runtime.
func subsetOf[I Integer](of IterationSet, indices []I, name string) (*Subset, error) {
	set, within := of.iteration()
	elements := make([]int32, len(indices))
	for i, v := range indices {
		if int64(v) < 0 || int64(v) >= int64(of.Size()) {
			return nil, &problem.ShapeError{What: fmt.Sprintf("subset %s of %s", name, of.Name()),
				Msg: fmt.Sprintf("index %d, number %d of the list, is not one of the %d %s", v, i, of.Size(), of.Name()), Hint: "elements are numbered from 0"}
		}
		elements[i] = int32(v)
		if within != nil {
			elements[i] = within.elements[v]
		}
	}
	if !slices.IsSorted(elements) {
		slices.Sort(elements)
	}
	return newSubset(set, slices.Compact(elements), name), nil
}

func newSubset(of *Set, elements []int32, name string) *Subset {
	s := &Subset{of: of, name: name, elements: elements}
	of.rt.mesh.addSubset(s)
	return s
}

// gather returns the values of the map from indices into the subset to what m leads to, or to the
// elements themselves.
func (s *Subset) gather(m *Map) []int32 {
	if m == nil {
		return s.elements
	}
	values := make([]int32, 0, len(s.elements)*m.arity)
	for _, e := range s.elements {
		values = append(values, m.values[int(e)*m.arity:(int(e)+1)*m.arity]...)
	}
	return values
}

// mask returns for each element of the set whether it is in the subset.
func (s *Subset) mask() []bool {
	in := make([]bool, s.of.total())
	for _, e := range s.elements {
		in[e] = true
	}
	return in
}

// resolve is iteration for an interface that may hold nil.
func resolve(over IterationSet) (*Set, *Subset) {
	if over == nil {
		return nil, nil
	}
	return over.iteration()
}

func (s *Set) iteration() (*Set, *Subset) { return s, nil }

func (s *Subset) iteration() (*Set, *Subset) {
	if s == nil {
		return nil, nil
	}
	return s.of, s
}

// Of returns the set that the elements belong to.
func (s *Subset) Of() *Set { return orEmpty(s).of }

// Size returns the number of elements.
func (s *Subset) Size() int { return len(orEmpty(s).elements) }

// Name returns the name the subset was declared with.
func (s *Subset) Name() string { return orEmpty(s).name }

// Elements returns a copy of the elements' numbers in the set, ascending.
func (s *Subset) Elements() []int32 {
	if s == nil || s.of == nil {
		return nil
	}
	s.of.rt.numbers.RLock()
	defer s.of.rt.numbers.RUnlock()
	return slices.Clone(s.elements)
}

// Contains reports whether the element of the set is in the subset.
func (s *Subset) Contains(element int) bool {
	if s.Of() == nil || element < 0 || element >= s.of.total() {
		return false
	}
	s.of.rt.numbers.RLock()
	defer s.of.rt.numbers.RUnlock()
	_, found := slices.BinarySearch(s.elements, int32(element))
	return found
}

func (s *Subset) String() string { return orEmpty(s).name }

// Union returns the subset of the elements that are in s, in other, or in both. Both must be
// subsets of one set, as for the following three methods.
func (s *Subset) Union(other *Subset, name string) (*Subset, error) {
	return s.merge("union", other, name, true, true, true)
}

// Intersection returns the subset of the elements that are in both.
func (s *Subset) Intersection(other *Subset, name string) (*Subset, error) {
	return s.merge("intersection", other, name, false, true, false)
}

// Difference returns the subset of the elements that are in s and not in other.
func (s *Subset) Difference(other *Subset, name string) (*Subset, error) {
	return s.merge("difference", other, name, true, false, false)
}

// SymmetricDifference returns the subset of the elements that are in only one of the two.
func (s *Subset) SymmetricDifference(other *Subset, name string) (*Subset, error) {
	return s.merge("symmetric difference", other, name, true, false, true)
}

// merge walks through both lists and keeps elements in s only, in both, or in other only, as
// selected.
func (s *Subset) merge(operation string, other *Subset, name string, left, both, right bool) (*Subset, error) {
	if s == nil || other == nil || s.of == nil || other.of == nil {
		return nil, fmt.Errorf("op2: subset %s: %s: a subset is nil", name, operation)
	}
	if err := checkDeclared(fmt.Sprintf("subset %s: %s", name, operation), s.of.rt, other.of.rt); err != nil {
		return nil, err
	}
	if s.of != other.of {
		return nil, fmt.Errorf("op2: subset %s: %s: %s is of %s, %s of %s", name, operation, s.name, s.of.besides(other.of), other.name, other.of.besides(s.of))
	}
	if err := s.of.rt.declare("subset", name); err != nil {
		return nil, err
	}
	defer s.of.rt.leave()
	var kept []int32
	a, b := s.elements, other.elements
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			if left {
				kept = append(kept, a[0])
			}
			a = a[1:]
		case a[0] > b[0]:
			if right {
				kept = append(kept, b[0])
			}
			b = b[1:]
		default:
			if both {
				kept = append(kept, a[0])
			}
			a, b = a[1:], b[1:]
		}
	}
	if left {
		kept = append(kept, a...)
	}
	if right {
		kept = append(kept, b...)
	}
	return newSubset(s.of, kept, name), nil
}
