package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/store"
)

// NewSubset returns the subset with the elements of the given numbers, in a set, or in the ascending
// list of a subset.
func NewSubset[I Integer](of Range, indices []I, name string) (*Subset, error) {
	if of.Set.distributed() && of.Subset != nil {
		return nil, fmt.Errorf("op2: subset %s of %s: the mesh has been distributed\n  hint: declare subsets of subsets before the first loop, or with numbers in the set", name, of.Name())
	}
	if of.Layers.Of != nil {
		return nil, fmt.Errorf("op2: subset %s of %s: it is an extruded set\n  hint: declare a subset of its base set, %s, and run over OnColumns of both", name, of.Name(), of.Set.Besides(of.Layers.Of))
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
	if err := s.follow(); err != nil {
		return nil, err
	}
	return s, s.count()
}

// follow keeps the elements that are here, if the set was distributed before. Then it is collective.
func (s *Subset) follow() error {
	from, err := s.of.late()
	if from == nil || err != nil {
		return err
	}
	if !s.of.Shared() {
		if err := s.checkSame(); err != nil {
			return err
		}
	}
	return s.Localize(from)
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
	addWeakly(&of.rt.program.subsets, s)
	return s
}

func newSubset(of *Set, elements []int32, name string) *Subset {
	s := &Subset{of: of, name: name, elements: elements, size: int64(len(elements))}
	of.mesh().addSubset(s)
	return s
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
