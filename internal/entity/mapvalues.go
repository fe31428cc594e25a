package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
)

// SetValues gives the map a copy of new values, in declared numbering. Cached loops and plans that use
// the map, or one that follows from it, are dropped, and kept loops are prepared again.
func (m *Map) SetValues(values []int32) error {
	rt := m.from.rt
	if m.Extruded() {
		return fmt.Errorf("op2: %s: an extruded map has no values of its own\n  hint: give the map of the base sets new ones", m.What())
	}
	if rt.config.Static {
		return problem.ErrStatic
	}
	if m.derive != nil {
		return fmt.Errorf("op2: %s: its values cannot change: they follow from those of other maps\n  hint: set the values of these", m.What())
	}
	following := m.following()
	for _, f := range following {
		if f.pinned != "" {
			return fmt.Errorf("op2: %s: its values cannot change: %s\n  hint: declare another map for what changes", f.What(), f.pinned)
		}
	}
	type old struct {
		values []int32
		global *halo.Numbers
	}
	var before []old
	for _, f := range following {
		before = append(before, old{f.values, f.global})
		var copied []int32
		var err error
		if f == m {
			copied, err = checked(m, values)
		} else {
			copied, err = f.derive()
		}
		if err != nil {
			for i, b := range before {
				following[i].replace(b.values)
				following[i].global = b.global
			}
			return err
		}
		f.replace(copied)
	}
	rt.changes++
	for _, f := range following {
		if f.changed = rt.changes; f.id != nil {
			rt.dropUsers(Objects{f.id: true})
		}
	}
	return nil
}

// replace replaces the values.
func (m *Map) replace(values []int32) {
	m.from.rt.numbers.Lock()
	defer m.from.rt.numbers.Unlock()
	m.values, m.distinct, m.lengths, m.reach = values, nil, nil, nil
}
