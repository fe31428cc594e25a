package op2

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
)

// MaskedMap is a map with some targets masked. It can only be used with mats: what elements add or
// write to masked rows or columns is dropped, as boundary conditions require.
type MaskedMap struct{ m *Map }

// MatMap is a map to the rows or the columns of a mat: a *Map or a *MaskedMap.
type MatMap interface {
	From() *Set
	To() *Set
	Arity() int
	Name() string
	forMat() *Map
}

// NewMaskedMap declares a map like [NewMap], except that negative values stand for no target.
func NewMaskedMap[I Integer](from, to *Set, arity int, values []I, name string) (*MaskedMap, error) {
	m, err := declareMap(from, to, arity, values, name, true)
	if err != nil {
		return nil, err
	}
	return &MaskedMap{m}, nil
}

// Masked returns the map without the targets in the subset, which is one of To(). With components,
// only those of the targets' blocks are masked: rows of a mat if the map leads to its rows, columns
// if it leads to its columns. Mats accept it wherever they accept the map itself.
func (m *Map) Masked(drop *Subset, name string, components ...int) (*MaskedMap, error) {
	if m == nil || m.to == nil {
		return nil, fmt.Errorf("op2: masked map %s: the map is nil", name)
	}
	what := fmt.Sprintf("masked map %s of %s", name, m.name)
	if drop == nil || drop.of == nil {
		return nil, fmt.Errorf("op2: %s: the subset is nil", what)
	}
	if err := checkDeclared(what, m.from.rt, drop.of.rt); err != nil {
		return nil, err
	}
	if drop.of != m.to {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s leads to %s, %s is a subset of %s", m.name, m.to.name, drop.name, drop.of.name)}
	}
	if err := m.from.rt.declare("masked map", name); err != nil {
		return nil, err
	}
	defer m.from.rt.leave()
	for _, c := range components {
		if c < 0 {
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("components are numbered from 0, %d was given", c)}
		}
	}
	values := slices.Clone(m.values)
	if len(components) == 0 {
		dropped := drop.mask()
		for i, t := range values {
			if t >= 0 && dropped[t] {
				values[i] = -1
			}
		}
	}
	masked, err := newMap(m.from, m.to, m.arity, values, name, true)
	if err != nil {
		return nil, err
	}
	masked.base, masked.drops = m, slices.Clone(m.drops)
	if m.base != nil {
		masked.base = m.base
	}
	if len(components) > 0 {
		masked.drops = append(masked.drops, componentDrop{drop, slices.Clone(components)})
	}
	m.pin("the masked map " + name + " was made from it")
	return &MaskedMap{masked}, nil
}

// Masked masks further targets, or components of them, as [Map.Masked].
func (m *MaskedMap) Masked(drop *Subset, name string, components ...int) (*MaskedMap, error) {
	return m.forMat().Masked(drop, name, components...)
}

// From returns the set whose elements the map leads from.
func (m *MaskedMap) From() *Set { return orEmpty(m).m.From() }

// To returns the set that the map leads to.
func (m *MaskedMap) To() *Set { return orEmpty(m).m.To() }

// Arity returns the number of targets of each element, including masked ones.
func (m *MaskedMap) Arity() int { return orEmpty(m).m.Arity() }

// Name returns the name the map was declared with.
func (m *MaskedMap) Name() string { return orEmpty(m).m.Name() }

// Values returns a copy of the map's values, arity for each element, -1 for no target.
func (m *MaskedMap) Values() []int32 { return orEmpty(m).m.Values() }

func (m *MaskedMap) String() string { return m.Name() }

func (m *Map) forMat() *Map { return m }

func (m *MaskedMap) forMat() *Map {
	if m == nil {
		return nil
	}
	return m.m
}

// matMap returns the map of an interface that may hold nil, or a map that was never declared.
func matMap(m MatMap) *Map {
	if m == nil {
		return nil
	}
	if of := m.forMat(); of != nil && of.from != nil {
		return of
	}
	return nil
}
