package plan

import (
	"cmp"
	"fmt"
	"slices"
)

// structure is what of an input's data decides the plan, each thing once and in an
// order of its own, so that inputs that mean the same have equal structures.
type structure struct {
	colored [][]Ref // slots of what can collide
	staged  [][]Ref // slots of what has a local table
}

// structure reduces the data of a valid input.
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

// slots are the references of data d one by one, sorted and without repeats: the
// components of a map that is used as a whole follow each other. Nil if the data are
// only reached directly, when each element has its own target.
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
	slices.SortFunc(slots, compareRefs)
	return slices.Compact(slots)
}

func compareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Map, b.Map), cmp.Compare(a.Component, b.Component))
}

// distinct sorts lists of slots and drops repeated ones.
func distinct(lists [][]Ref) [][]Ref {
	slices.SortFunc(lists, func(a, b []Ref) int { return slices.CompareFunc(a, b, compareRefs) })
	return slices.CompactFunc(lists, slices.Equal[[]Ref])
}

// withoutParts drops the lists that are part of another: elements that do not collide
// by the greater one do not collide by the lesser.
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

// targetsOf is the size of the set that the slots lead to.
func (in *Input) targetsOf(slots []Ref) int {
	for _, r := range slots {
		if r.Map != Direct {
			return in.mapOf(r.Map).Targets
		}
	}
	return 0
}

// usedMaps are the IDs of the maps that the structure refers to, sorted.
func (s *structure) usedMaps() []MapID {
	var ids []MapID
	for _, list := range slices.Concat(s.colored, s.staged) {
		for _, r := range list {
			if r.Map != Direct {
				ids = append(ids, r.Map)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// checkValues makes sure that no target that the plan looks at lies outside its set.
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
