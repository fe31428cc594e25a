package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// structure is the part of an input's data that determines the plan, without repeats and in
// canonical order, so that equivalent inputs have equal structures.
type structure struct {
	colored [][]Ref // slots of data that can collide
	staged  [][]Ref // slots of data with a local table
}

// structure reduces the data of a valid input to their structure.
func (in *Input) structure() structure {
	var s structure
	for d, data := range in.Data {
		slots := in.slots(d)
		if slots == nil {
			continue
		}
		if data.Collides {
			s.colored = append(s.colored, slots)
		}
		if data.Stage {
			s.staged = append(s.staged, slots)
		}
	}
	s.colored = withoutParts(distinct(s.colored))
	s.staged = distinct(s.staged)
	return s
}

// slots returns the references of data d one by one, sorted and without repeats: the components of
// a map that is used as a whole are consecutive. It is nil if the data are only reached directly,
// since each element then has its own target.
func (in *Input) slots(d int) []Ref {
	var slots []Ref
	indirect := false
	for _, r := range in.Data[d].Refs {
		switch {
		case r.Map == Direct:
			slots = append(slots, Ref{Map: Direct})
			continue
		case r.Component == All:
			for c := range in.mapOf(r.Map).Arity {
				slots = append(slots, Ref{r.Map, c})
			}
		default:
			slots = append(slots, r)
		}
		indirect = true
	}
	if !indirect {
		return nil
	}
	sorting.By(slots, compareRefs)
	return slices.Compact(slots)
}

func compareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Map, b.Map), cmp.Compare(a.Component, b.Component))
}

// distinct sorts lists of slots and removes duplicates.
func distinct(lists [][]Ref) [][]Ref {
	sorting.By(lists, func(a, b []Ref) int { return slices.CompareFunc(a, b, compareRefs) })
	return slices.CompactFunc(lists, slices.Equal[[]Ref])
}

// withoutParts removes lists that are contained in another: elements that do not collide in the
// larger one do not collide in the smaller.
func withoutParts(lists [][]Ref) [][]Ref {
	var kept [][]Ref
	for i, list := range lists {
		part := false
		for j, other := range lists {
			part = part || i != j && contains(other, list)
		}
		if !part {
			kept = append(kept, list)
		}
	}
	return kept
}

func contains(list, part []Ref) bool {
	for _, r := range part {
		if !slices.Contains(list, r) {
			return false
		}
	}
	return true
}

// targetsOf returns the size of the set that the slots lead to.
func (in *Input) targetsOf(slots []Ref) int {
	for _, r := range slots {
		if r.Map != Direct {
			return in.mapOf(r.Map).Targets
		}
	}
	return 0
}

// usedMaps returns the IDs of the maps that the structure refers to, sorted.
func (s *structure) usedMaps() []MapID {
	var ids []MapID
	for _, list := range slices.Concat(s.colored, s.staged) {
		for _, r := range list {
			if r.Map != Direct {
				ids = append(ids, r.Map)
			}
		}
	}
	sorting.By(ids, cmp.Compare)
	return slices.Compact(ids)
}

// checkValues checks that no target that the plan uses lies outside its set.
func (in *Input) checkValues(s *structure) error {
	for _, id := range s.usedMaps() {
		m := in.mapOf(id)
		row := m.Values[in.First*m.Arity : in.Last*m.Arity]
		for i, v := range row {
			if int(v) >= m.Targets {
				return fmt.Errorf("plan: map %d: value %d, of component %d for element %d, is not one of the %d targets",
					id, v, i%m.Arity, in.First+i/m.Arity, m.Targets)
			}
		}
	}
	return nil
}
