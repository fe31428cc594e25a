package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/store"
)

// Subset is some elements of a set.
type Subset struct {
	of       *Set
	name     string
	elements []int32 // of the set, ascending, without duplicates
	size     int64   // elements of the whole mesh
	id       ID
}

// NewSubset returns the subset with the elements of the given numbers, in a set, or in the ascending
// list of a subset.
func NewSubset[I Integer](of Range, indices []I, name string) (*Subset, error) {
	if of.Set.distributed() && of.Subset != nil {
		return nil, fmt.Errorf("op2: subset %s of %s: the mesh has been distributed\n  hint: declare subsets of subsets before the first loop, or with numbers in the set", name, of.Name())
	}
	if of.Layers.Of != nil {
		return nil, fmt.Errorf("op2: subset %s of %s: it is an extruded set\n  hint: declare a subset of %s, its columns", name, of.Name(), of.Set.name)
	}
	first, size := of.Set.first, of.Size()
	if of.Subset == nil {
		size = of.Set.declared
	}
	var within []int32
	if of.Subset != nil {
		within = of.Subset.Elements()
	}
	elements := make([]int32, len(indices))
	for i, v := range indices {
		at := int64(v) - first
		if at < 0 || at >= int64(size) {
			hint := "elements are numbered from 0"
			if of.Set.IsReady() {
				hint = "of a local set, each rank gives local numbers, from 0 to the number of elements that it has"
			}
			if of.Set.Shared() {
				hint = fmt.Sprintf("each rank names elements of its own share, on rank %d those from %d to %d", of.Set.rt.Rank(), first, first+int64(size)-1)
			}
			return nil, &problem.ShapeError{What: fmt.Sprintf("subset %s of %s", name, of.Name()),
				Msg: fmt.Sprintf("index %d, number %d of the list, is not one of the %d %s", v, i, size, of.Name()), Hint: hint}
		}
		if of.Subset != nil {
			at = int64(within[at])
		}
		elements[i] = int32(of.Set.place(int(at)))
	}
	if !slices.IsSorted(elements) {
		sorting.Int32s(elements)
	}
	s := declaredSubset(of.Set, slices.Compact(elements), name)
	if p := of.Set.picker; p != nil {
		if err := s.follow(p); err != nil {
			return nil, err
		}
	}
	return s, s.count()
}

// follow keeps the elements that are here, of a set that was distributed before. It is collective.
func (s *Subset) follow(p *picker) error {
	if !s.of.Shared() {
		if err := s.checkSame(); err != nil {
			return err
		}
	}
	return s.Localize(p)
}

// checkSame returns an error unless all ranks have given the same elements: those who give the rows
// of their Data mean others. It is collective.
func (s *Subset) checkSame() error {
	same, err := s.of.rt.SameOnAll(string(store.Bytes(s.elements)))
	if same || err != nil {
		return err
	}
	return fmt.Errorf("op2: subset %s of %s: ranks have given different elements: each names all of the whole mesh, by declared numbers\n"+
		"  hint: for rows of Data, DeclaredNumbers has these; bring what the ranks have found together, or declare the subset before the first loop", s.name, s.of.name)
}

// count sets the size to the sum, over the ranks among which the set is divided, of the elements that belong to each.
// It is collective.
func (s *Subset) count() error {
	sum := []int64{int64(s.Size())}
	if err := comm.Reduce(s.of.Parted(), loop.Inc, sum); err != nil {
		return s.of.rt.Broken(err)
	}
	s.size = sum[0]
	return nil
}

// declaredSubset returns a subset that the program has declared.
func declaredSubset(of *Set, elements []int32, name string) *Subset {
	s := newSubset(of, elements, name)
	of.rt.program.subsets.add(s)
	return s
}

func newSubset(of *Set, elements []int32, name string) *Subset {
	s := &Subset{of: of, name: name, elements: elements, size: int64(len(elements))}
	of.mesh.addSubset(s)
	return s
}

// Of returns the set that the elements belong to.
func (s *Subset) Of() *Set { return s.of }

// Size returns the number of elements that belong here: on several ranks, to this one.
func (s *Subset) Size() int { return s.All().Size() }

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

// Gather returns the values of the map from indices into the subset to what m leads to, or to the
// elements themselves.
func (s *Subset) Gather(m *Map) []int32 {
	if m == nil {
		return s.elements
	}
	values := make([]int32, 0, len(s.elements)*m.arity)
	for _, e := range s.elements {
		values = append(values, m.values[int(e)*m.arity:(int(e)+1)*m.arity]...)
	}
	return values
}

// checkMerge returns an error unless both are subsets of one set.
func (s *Subset) checkMerge(operation string, other *Subset, name string) error {
	if s == nil || other == nil || s.of == nil || other.of == nil {
		return fmt.Errorf("op2: subset %s: %s: a subset is nil", name, operation)
	}
	if s.of != other.of {
		return fmt.Errorf("op2: subset %s: %s: %s is of %s, %s of %s", name, operation, s.name, s.of.Besides(other.of), other.name, other.of.Besides(s.of))
	}
	return nil
}

// Merge walks through the lists of two subsets of one set and keeps elements in s only, in both, or
// in other only, as selected.
func (s *Subset) Merge(operation string, other *Subset, name string, left, both, right bool) (*Subset, error) {
	if err := s.checkMerge(operation, other, name); err != nil {
		return nil, err
	}
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
	merged := declaredSubset(s.of, kept, name)
	return merged, merged.count()
}

// ID returns the subset's ID; 0 if none was needed so far.
func (s *Subset) ID() ID { return s.id }

// Tracked returns the ID of a subset; 0 for nil.
func (s *Subset) Tracked() ID {
	if s == nil {
		return 0
	}
	return identify(s, 0, &s.id, s.of.rt.unreachable)
}

// Range is what a loop runs over: a set, or a subset of one.
type Range struct {
	Set    *Set
	Subset *Subset // nil: the whole set
	Layers Layers  // of the columns over the set, if the loop is over these
}

// All returns the range of the whole set.
func (s *Set) All() Range {
	if s.Extruded() {
		return Range{Set: s.base, Layers: Layers{Of: s, Last: s.layers}}
	}
	return Range{Set: s}
}

// All returns the range of the subset.
func (s *Subset) All() Range { return Range{Set: s.of, Subset: s} }

// Name returns the name of what the loop runs over.
func (r Range) Name() string {
	if r.Layers.Of != nil {
		if r.Subset != nil {
			return r.Layers.name() + " over " + r.Subset.name
		}
		return r.Layers.name()
	}
	if r.Subset != nil {
		return r.Subset.name
	}
	return r.Set.name
}

// Size returns the number of elements that belong here, and count.
func (r Range) Size() int { return r.Prefix(halo.Owned) }

// Prefix returns the number of elements of a prefix of the set.
func (r Range) Prefix(x int) int {
	end := r.Set.Prefix(x)
	if r.Subset == nil {
		return end
	}
	n, _ := slices.BinarySearch(r.Subset.elements, int32(end))
	return n
}

// Each calls f for each element that loops can run over, including those of a halo.
func (r Range) Each(f func(e int)) {
	if r.Subset == nil {
		for e := range r.Set.Executable() {
			f(e)
		}
		return
	}
	for _, e := range r.Subset.elements[:r.Prefix(r.Set.Deepest())] {
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

// Whole returns the number of elements of the whole mesh.
func (r Range) Whole() int64 {
	if r.Subset != nil {
		return r.Subset.size
	}
	return r.Set.Whole()
}

// Here returns the elements of the range that are here, including those of a halo.
func (r Range) Here() []int32 {
	if r.Subset != nil {
		return r.Subset.elements
	}
	return lists.UpTo(r.Set.Total())
}

// Localize keeps the elements that are here.
func (s *Subset) Localize(p *picker) error {
	declared, here := make([]byte, s.of.declared), make([]byte, len(p.numbers))
	for _, e := range s.elements {
		declared[e] = 1
	}
	if err := p.Pick(here, declared, 1); err != nil {
		return err
	}
	s.elements = []int32{}
	for i, in := range here {
		if in == 1 {
			s.elements = append(s.elements, int32(i))
		}
	}
	return nil
}
