package entity

import (
	"fmt"
	"math"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Map gives arity elements of another set for each element of a set, or up to arity if it varies.
type Map struct {
	from, to *Set
	arity    int
	values   []int32       // [from.Total()][arity]
	global   *halo.Numbers // of a map between shares, until it is distributed
	name     string
	site     callsite.Calls // where it was declared

	reach *halo.Reach // the part of a halo that loops reach through it; nil: all

	components []Component
	id         ID

	masked  bool  // some values may be negative: they lead nowhere
	varying bool  // a row ends where values are negative; see varying.go
	lengths *Data // of the rows of a varying map, created on demand
	base    *Map  // the map that a masked map was made from; otherwise nil

	drops    []componentDrop // of a masked map: the components of blocks that it masks
	unrolled map[int]*Map    // by dim, created on demand
	block    *Map            // of an unrolled map: the map it was made from

	levels // if it is extruded

	distinct map[string]bool // components that lead no element to the same target; see repeats

	nth     int    // of the program's maps with that name between these sets, from 1; 0: the program has not declared it
	changed int    // when the values were last set, by the runtime's change counter
	pinned  string // why they must not be set: something depends on them for good; or ""

	derive    func() ([]int32, error) // of a map that follows from others: its values; otherwise nil
	followers []weak.Pointer[Map]     // that follow from this one; see derived.go
	kept      []*Map                  // the followers on several ranks, which compute them together: they live as long
}

// Integer is the type of elements' numbers in declarations.
type Integer interface{ int32 | int64 | int | uint32 }

// Component is one column of a map.
type Component struct {
	m     *Map
	index int
}

// maxArity limits the memory of components.
const maxArity = 1 << 20

// NewMap returns a map with a copy of the values, which are negative only if it is masked.
func NewMap[I Integer](from, to *Set, arity int, values []I, name string, masked bool) (*Map, error) {
	m := newMap(from, to, max(0, min(arity, maxArity)), name, masked)
	what := m.What()
	if err := notExtruded(what, mapColumns, from, to); err != nil {
		return nil, err
	}
	if from.rt != to.rt {
		return nil, fmt.Errorf("op2: %s: its sets belong to two runtimes: %s, %s", what, from.Besides(to), to.Besides(from))
	}
	if arity < 1 {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("an arity of at least 1 is needed, %d was given", arity)}
	}
	if most := store.MostBytes / 4 / max(1, from.Total()); arity > min(most, maxArity) {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("an arity of at most %d is possible, %d was given", min(most, maxArity), arity)}
	}
	if values == nil && from.rt.config.Static {
		addWeakly(&from.rt.listed.maps, m)
		return m, nil
	}
	return declared(m, values)
}

// declared gives a new map its values, and adds it to those of its runtime.
func declared[I Integer](m *Map, values []I) (*Map, error) {
	var err error
	if m.values, err = checked(m, values); err != nil {
		return nil, err
	}
	m.add()
	return m, nil
}

// add adds the map to those of its runtime.
func (m *Map) add() {
	m.from.mesh.addMap(m)
	addWeakly(&m.from.rt.listed.maps, m)
	m.from.rt.program.declareMap(m)
}

// newMap returns a map without values.
func newMap(from, to *Set, arity int, name string, masked bool) *Map {
	m := &Map{from: from, to: to, name: name, masked: masked}
	m.site.Capture()
	m.setArity(arity)
	return m
}

// What describes the map for messages.
func (m *Map) What() string {
	return fmt.Sprintf("map %s from %s to %s", m.name, m.from.name, m.to.name)
}

// checked returns a validated copy of values in declared numbering as they are in memory; once the map
// is distributed, of those here, by local numbers.
func checked[I Integer](m *Map, values []I) ([]int32, error) {
	err := m.check(len(values))
	if m.from.IsReady() || m.to.IsReady() {
		if err == nil {
			return readyRows(m, values)
		}
		return nil, err
	}
	for i := 0; i < len(values) && err == nil; i++ {
		err = m.checkValue(i, int64(values[i]))
		if err == nil && m.varying && i%m.arity > 0 && int64(values[i]) >= 0 && int64(values[i-1]) < 0 {
			err = m.brokenRow(i)
		}
	}
	from, to := m.from, m.to
	switch {
	case from.distributed():
		return localized(m, values, err)
	case err != nil:
		return nil, err
	case from.Shared() || to.Shared():
		global := halo.NewNumbers(len(values), to.size)
		for i, v := range values {
			to, row := max(int64(v), -1), from.place(i/m.arity)
			if m.to.places != nil && to >= 0 {
				to = int64(m.to.places[to])
			}
			global.Set(row*m.arity+i%m.arity, to)
		}
		m.global = &global
		return nil, nil
	}
	copied := store.Aligned[int32](len(values))
	for i, v := range values {
		copied[i] = int32(max(int64(v), -1))
	}
	reorderMap(copied, m.arity, from.order, to.places)
	return copied, nil
}

// check returns an error unless that is the number of values needed.
func (m *Map) check(values int) error {
	if values == m.from.declared*m.arity {
		return nil
	}
	return &problem.ShapeError{What: m.What(), Msg: neededValues(m.arity, m.from.declared, m.from.name, values)}
}

// checkValue returns an error for a value that leads to no element.
func (m *Map) checkValue(at int, v int64) error {
	if v < m.to.Targets() && (v >= 0 || m.Gaps()) {
		return nil
	}
	hint := "elements are numbered from 0"
	if v < 0 {
		hint += "; maps that leave out rows and columns of mats are made by NewMaskedMap"
	}
	return &problem.ShapeError{What: m.What(), Msg: fmt.Sprintf("value %d, of component %d for element %d, is not one of the %d %s",
		v, at%m.arity, m.from.first+int64(at/m.arity), m.to.Targets(), m.to.name), Hint: hint}
}

// Made returns an error for a map that was not declared.
func (m *Map) Made() error {
	if m == nil || m.from == nil {
		return NotMade("map", "NewMap")
	}
	return nil
}

// MapOf returns a map of the library's own with these values, some of which are negative if it is masked.
func MapOf(from, to *Set, arity int, values []int32, name string, masked bool) *Map {
	return &Map{from: from, to: to, arity: arity, values: values, name: name, masked: masked}
}

// Localize gives the map its values here, and the part of a halo that loops reach through it; nil: all.
func (m *Map) Localize(values []int32, reach *halo.Reach) {
	m.values, m.distinct, m.lengths, m.unrolled, m.reach = values, nil, nil, nil, reach
}

// Release lets the map go of its values, until Localize.
func (m *Map) Release() { m.values, m.global = nil, nil }

// Global reports whether the values lead between shares: the map has not been distributed.
func (m *Map) Global() bool { return m.global != nil }

// Numbers returns the values of the elements here: places in memory, or numbers of the whole mesh as long as the
// map leads between shares.
func (m *Map) Numbers() halo.Numbers {
	if m.global != nil {
		return *m.global
	}
	return halo.NumbersOf(m.values)
}

// Reach returns the part of a halo that loops reach through the map; nil: all.
func (m *Map) Reach() *halo.Reach { return m.reach }

// IsMasked reports whether the map was declared as masked, for mats alone: it leaves out some of their rows and columns.
func (m *Map) IsMasked() bool { return m.masked }

// Changed returns when the values were last set: the number of changes of maps.
func (m *Map) Changed() int { return m.changed }

// Distinct reports whether it was recorded that components lead no element to the same target.
func (m *Map) Distinct(components string) bool { return m.distinct[components] }

// SetDistinct records that components lead no element to the same target.
func (m *Map) SetDistinct(components string) {
	if m.distinct == nil {
		m.distinct = map[string]bool{}
	}
	m.distinct[components] = true
}

// Component returns one component of the map, which may be nil, or have no such component: that is
// for the loop to report.
func (m *Map) Component(i int) *Component {
	if m == nil || i < 0 || i >= len(m.components) {
		return &Component{m, i}
	}
	return &m.components[i]
}

// Arity returns the number of targets of each element.
func (m *Map) Arity() int { return m.arity }

// From returns the set whose elements the map leads from.
func (m *Map) From() *Set { return m.from }

// To returns the set that the map leads to.
func (m *Map) To() *Set { return m.to }

// Name returns the name the map was declared with.
func (m *Map) Name() string { return m.name }

// Targets returns the values as loops read them, those for a halo too. They must not be changed.
func (m *Map) Targets() []int32 { return m.values }

// Bytes returns the size of the values in bytes.
func (m *Map) Bytes() int64 { return 4 * int64(len(m.values)) }

// Values returns a copy of the map's values as they are in memory, for the elements that belong to this rank. It may be called at any time.
func (m *Map) Values() []int32 {
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	return slices.Clone(m.values[:min(m.from.Size()*m.arity, len(m.values))])
}

// InDeclaredOrder returns a copy of the map's values in declared numbering. It may be called at any
// time, except once the mesh is distributed: it then is collective, and returns those of the whole
// mesh.
func (m *Map) InDeclaredOrder() ([]int32, error) {
	if n := m.to.Whole(); n > math.MaxInt32 {
		return nil, fmt.Errorf("op2: %s: the numbers of %d %s are no int32", m.What(), n, m.to.name)
	}
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	if m.global == nil && !m.to.numbered() && !m.from.numbered() {
		return slices.Clone(m.values), nil
	}
	numbers := m.targetNumbers()
	values := make([]int32, len(numbers))
	for i, n := range numbers {
		values[i] = int32(n)
	}
	all, err := m.from.gatherRows(4*m.arity, store.Bytes(values), -1)
	return store.As[int32](all), err
}

// TargetNumbers returns the declared numbers that the map leads to, -1 for no target, from the elements that this rank has
// declared, in declared order; or, once the mesh is distributed, from those that belong to it.
func (m *Map) TargetNumbers() []int64 {
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	numbers := m.targetNumbers()
	numbers = numbers[:min(m.from.Size()*m.arity, len(numbers))]
	ReorderRows(store.Bytes(numbers), 8*m.arity, m.from.places)
	return numbers
}

// targetNumbers returns the declared numbers that the map leads to, -1 for no target, from all elements here, in the order of
// memory.
func (m *Map) targetNumbers() []int64 {
	values, renumbered := m.Numbers(), m.to.numbered()
	numbers := make([]int64, values.Len())
	for i := range numbers {
		if numbers[i] = values.At(i); renumbered && numbers[i] >= 0 {
			numbers[i] = m.to.NumberHere(int(numbers[i]))
		}
	}
	return numbers
}

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
		if f.changed = rt.changes; f.id != 0 {
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

// pin fixes the map's values from now on.
func (m *Map) pin(why string) {
	for ; m != nil; m = m.base {
		if m.pinned == "" {
			m.pinned = why
		}
	}
}

// ID returns the map's ID; 0 if none was needed so far.
func (m *Map) ID() ID { return m.id }

// Tracked returns the ID of a map; 0 for nil.
func (m *Map) Tracked() ID {
	if m == nil {
		return 0
	}
	return identify(m, m.Bytes(), &m.id, m.from.rt.unreachable)
}

func reorderMap(values []int32, arity int, o, numbers []int32) {
	ReorderRows(store.Bytes(values), 4*arity, o)
	if numbers != nil {
		for i, t := range values {
			if t >= 0 {
				values[i] = numbers[t]
			}
		}
	}
}

// componentDrop is what a masked map masks: some components of some targets.
type componentDrop struct {
	of         *Subset
	components []int
}
