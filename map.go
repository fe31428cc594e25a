package op2

import (
	"github.com/go-op2/op2/internal/entity"
)

// Map gives arity elements of another set for each element of a set. As a Via it stands for all of
// its components at once.
type Map entity.Map

func (m *Map) core() *entity.Map { return (*entity.Map)(m) }

// NewMap declares a map of the given arity with a copy of the values: arity for each element of
// from, element by element, each from 0 to to.Size()-1. On a static runtime they may be nil.
func NewMap[I int32 | int64 | int | uint32](from, to *Set, arity int, values []I, name string) *Map {
	return newMap(from, to, arity, values, name, false)
}

// NewVaryingMap declares a map whose rows have different lengths: element e of from has the targets from offsets[e] to
// offsets[e+1], maybe none; there is one more offset than from has elements. A loop passes all of a row, as a slice of what
// there is. In memory each row is as long as the longest, the map's Arity: [Map.Values], and what [Map.SetValues] is given, have
// -1 after a row's last target.
func NewVaryingMap[I int32 | int64 | int | uint32](from, to *Set, offsets, targets []I, name string) *Map {
	return declareMap(entity.Declaration{On: []*entity.Runtime{from.core().Runtime(), to.core().Runtime()}, What: "map " + name, Of: "set"}, 1, name,
		func() (*entity.Map, error) {
			return entity.NewVaryingMap(from.core(), to.core(), offsets, targets, name)
		})
}

// newMap declares a map, masked or not.
func newMap[I entity.Integer](from, to *Set, arity int, values []I, name string, masked bool) *Map {
	return declareMap(entity.Declaration{On: []*entity.Runtime{from.core().Runtime(), to.core().Runtime()}, What: "map " + name, Of: "set"}, arity, name,
		func() (*entity.Map, error) { return entity.NewMap(from.core(), to.core(), arity, values, name, masked) })
}

func declareMap(d entity.Declaration, arity int, name string, construct func() (*entity.Map, error)) *Map {
	return (*Map)(entity.Declare(d, construct, func(failed *entity.Runtime) *entity.Map { return entity.InertMap(failed, arity, name) }))
}

// Err returns why the map could not be declared; nil if it was.
func (m *Map) Err() error { return m.runtime().Made("map", "NewMap") }

func (m *Map) runtime() *entity.Runtime { return orEmpty(m.core()).From().Runtime() }

// At returns one component of the map. An invalid index is reported by the loop that uses it.
func (m *Map) At(i int) Via { return (*component)(m.core().Component(i)) }

// Arity returns the number of targets of each element.
func (m *Map) Arity() int { return orEmpty(m.core()).Arity() }

// From returns the set whose elements the map leads from.
func (m *Map) From() *Set { return (*Set)(orEmpty(m.core()).From()) }

// To returns the set that the map leads to.
func (m *Map) To() *Set { return (*Set)(orEmpty(m.core()).To()) }

// Name returns the name the map was declared with.
func (m *Map) Name() string { return orEmpty(m.core()).Name() }

// Values returns a copy of the map's values, arity for each element, four bytes each: call it once,
// not for each element. [Map.SetValues] changes the map. They are those that NewMap was given. On
// several ranks they are those of the
// elements that the rank owns, once the mesh has been distributed, and places in what
// [Dat.DataWithHalos] returns.
func (m *Map) Values() []int32 {
	if m.core().Made() != nil {
		return nil
	}
	if m.core().Extruded() {
		return m.cells(false)
	}
	if m.core().From().Distributed() {
		return m.core().Values()
	}
	return m.InDeclaredOrder()
}

// InDeclaredOrder returns a copy of the map's values in declared numbering, arity for each element,
// as NewMap was given them, -1 for no target, as for levels that an extruded set does not have. On several ranks it is collective, returns the values of the whole mesh
// on each of them, and panics if another rank has failed.
func (m *Map) InDeclaredOrder() []int32 {
	if m.core().Made() != nil {
		return nil
	}
	if m.core().Extruded() {
		return m.cells(true)
	}
	if rt := m.core().From().Runtime(); rt.Several() {
		rt.MustEnter()
		defer rt.Leave()
	}
	values, err := m.core().InDeclaredOrder()
	if err != nil {
		panic(err)
	}
	return values
}

// SetValues gives the map a copy of new values, arity for each element of From, in declared numbers as
// NewMap is given them, for example when the neighbors of particles have changed. Loops need not be prepared again: those that use the map
// use the new values from their next call on, with new plans if needed. Slices that Values returned
// earlier keep the old ones.
//
// Once the mesh has been distributed to several ranks, the values must not lead where the halos that exist do not suffice, which is an error on all ranks.
//
// Maps that follow from it, [Compose] and [Map.Permuted], change with it. A map that a sparsity or a masked map was made from, or
// one that follows from it, cannot change.
func (m *Map) SetValues(values []int32) error {
	if err := m.core().Made(); err != nil {
		return err
	}
	return (*Runtime)(m.runtime()).do(func() error { return m.core().SetValues(values) })
}

// component is one column of a map: one element of the other set for each element.
type component entity.Component

func (c *component) core() *entity.Component { return (*entity.Component)(c) }

// Via is a way to data from the set that a loop runs over: a whole *Map, or one component of it, [Map.At].
type Via interface {
	via() entity.Via
}

func (m *Map) via() entity.Via { return m.core().Via() }

func (c *component) via() entity.Via { return c.core().Via() }

// MatMap is a map to the rows or the columns of a mat: a *Map, masked or not, or a *MixedMap.
type MatMap interface {
	forMat() (plain *entity.Map, mixed *entity.MixedMap) // one of them
}

// NewMaskedMap declares a map like [NewMap], except that negative values stand for no target. Only mats take such maps:
// what elements add or write to masked rows or columns is dropped, as boundary conditions require.
func NewMaskedMap[I int32 | int64 | int | uint32](from, to *Set, arity int, values []I, name string) *Map {
	return newMap(from, to, arity, values, name, true)
}

// Masked returns the map without the targets in the subset, which is one of To(), as [NewMaskedMap] declares one. With
// components, only those of the targets' blocks are masked: rows of a mat if the map leads to its rows, columns
// if it leads to its columns. The map may itself be masked.
func (m *Map) Masked(drop *Subset, name string, components ...int) *Map {
	return declareMap(entity.Declaration{On: []*entity.Runtime{m.runtime(), drop.runtime()}}, m.Arity(), name,
		func() (*entity.Map, error) { return m.core().Masked(drop.core(), name, components...) })
}

// Compose returns the map to the targets of the targets, facet → cell → node: an element has all of second for each target of
// first, in their order, so that the arity is the product of both. The values are computed now, and again whenever those of
// the two change. On several ranks it is collective; halos that are built after it reach as far as it leads.
func Compose(first, second *Map) *Map {
	arity := max(1, first.Arity()) * max(1, second.Arity())
	return declareMap(entity.Declaration{On: []*entity.Runtime{first.runtime(), second.runtime()}}, arity, first.Name()+"."+second.Name(),
		func() (*entity.Map, error) { return entity.NewComposed(first.core(), second.core()) })
}

// Permuted returns the map with its targets in another order: component i is component order[i] of m. Components may be left
// out. The values follow those of m.
func (m *Map) Permuted(order ...int) *Map {
	return declareMap(entity.Declaration{On: []*entity.Runtime{m.runtime()}}, max(1, len(order)), m.Name(),
		func() (*entity.Map, error) { return entity.NewPermuted(m.core(), order) })
}

func (m *Map) forMat() (*entity.Map, *entity.MixedMap) { return m.core(), nil }

func (m *MixedMap) forMat() (*entity.Map, *entity.MixedMap) { return nil, m.core() }

// isMixed reports whether a map, which may be nil, is a mixed one.
func isMixed(m MatMap) bool {
	_, mixed := m.(*MixedMap)
	return mixed
}

// plainMap returns the map of an interface that may hold nil, or a map that was never declared; nil for a mixed one.
func plainMap(m MatMap) *entity.Map {
	if m == nil {
		return nil
	}
	if of, _ := m.forMat(); of.Made() == nil {
		return of
	}
	return nil
}

// mixedMap returns the mixed map of an interface that may hold nil: of a plain map one with a single part.
func mixedMap(m MatMap) *entity.MixedMap {
	if m == nil {
		return nil
	}
	plain, mixed := m.forMat()
	switch {
	case mixed.Made():
		return mixed
	case plain != nil:
		return plain.Mixed()
	}
	return nil
}

// mapRuntime returns the runtime of a map that may be nil.
func mapRuntime(m MatMap) *entity.Runtime {
	if m == nil {
		return nil
	}
	plain, mixed := m.forMat()
	if mixed != nil {
		return mixed.From().Runtime()
	}
	return (*Map)(plain).runtime()
}
