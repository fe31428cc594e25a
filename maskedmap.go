package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/core"
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
	forMat() *core.Map
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
	if m.core().Made() != nil {
		return nil, fmt.Errorf("op2: masked map %s: the map is nil", name)
	}
	if err := m.core().CheckMasked(drop.core(), name); err != nil {
		return nil, err
	}
	rt := m.core().From().Runtime()
	if err := rt.Declare("masked map", name); err != nil {
		return nil, err
	}
	defer rt.Leave()
	masked, err := m.core().Masked(drop.core(), name, components...)
	if err != nil {
		return nil, err
	}
	return &MaskedMap{(*Map)(masked)}, nil
}

// Masked masks further targets, or components of them, as [Map.Masked].
func (m *MaskedMap) Masked(drop *Subset, name string, components ...int) (*MaskedMap, error) {
	return orEmpty(m).m.Masked(drop, name, components...)
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

func (m *Map) forMat() *core.Map { return m.core() }

func (m *MaskedMap) forMat() *core.Map { return orEmpty(m).m.core() }

// matMap returns the map of an interface that may hold nil, or a map that was never declared.
func matMap(m MatMap) *core.Map {
	if m == nil {
		return nil
	}
	if of := m.forMat(); of.Made() == nil {
		return of
	}
	return nil
}
