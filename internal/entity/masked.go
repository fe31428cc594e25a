package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Masked returns the map without the targets in the subset; with components, without those of the
// targets' blocks alone.
func (m *Map) Masked(drop *Subset, name string, components ...int) (*Map, error) {
	if m.Made() != nil {
		return nil, fmt.Errorf("op2: masked map %s: the map is nil", name)
	}
	if err := m.checkMasked(drop, name); err != nil {
		return nil, err
	}
	for _, c := range components {
		if c < 0 {
			return nil, &problem.ShapeError{What: m.maskedAs(name), Msg: fmt.Sprintf("components are numbered from 0, %d was given", c)}
		}
	}
	if m.global != nil {
		return nil, fmt.Errorf("op2: %s: the map leads between sets that were declared in shares, which have not been distributed yet\n  hint: call Partition first", m.maskedAs(name))
	}
	if m.varying && len(components) > 0 {
		return nil, fmt.Errorf("op2: %s: the lengths of its rows vary: it can leave out whole targets, not components", m.maskedAs(name))
	}
	masked := newMap(m.from, m.to, m.arity, name, true)
	masked.varying = m.varying
	masked.values = append(store.Aligned[int32](0), m.values...)
	if len(components) == 0 {
		dropped := drop.Mask()
		for i, t := range masked.values {
			if t >= 0 && dropped[t] {
				masked.values[i] = -1
			}
		}
	}
	masked.add()
	masked.pinned = "they are those of " + m.name + ", without the masked ones"
	masked.base, masked.drops = m, slices.Clone(m.drops)
	if m.base != nil {
		masked.base = m.base
	}
	if len(components) > 0 {
		masked.drops = append(masked.drops, componentDrop{drop, slices.Clone(components)})
	}
	m.pin("the masked map " + name + " was made from it")
	return masked, nil
}

// checkMasked returns an error unless the subset is one of targets of the map.
func (m *Map) checkMasked(drop *Subset, name string) error {
	what := m.maskedAs(name)
	if drop == nil || drop.of == nil {
		return fmt.Errorf("op2: %s: the subset is nil", what)
	}
	if drop.of != m.to {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s leads to %s, %s is a subset of %s", m.name, m.to.Besides(drop.of), drop.name, drop.of.Besides(m.to))}
	}
	return nil
}

// maskedAs describes a masked map of m for messages.
func (m *Map) maskedAs(name string) string { return fmt.Sprintf("masked map %s of %s", name, m.name) }
