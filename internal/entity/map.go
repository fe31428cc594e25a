package entity

import (
	"fmt"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
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

	levels                 // if it is extruded
	stack                  // if it is stacked; see stacked.go
	stacks map[Layers]*Map // made of it, created on demand

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

// What describes the map for messages.
func (m *Map) What() string {
	return fmt.Sprintf("map %s from %s to %s", m.name, m.from.name, m.to.name)
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

// pin fixes the map's values from now on.
func (m *Map) pin(why string) {
	for m = m.Between(); m != nil; m = m.base {
		if m.pinned == "" {
			m.pinned = why
		}
	}
}

// ID returns the map's ID; nil if none was needed so far.
func (m *Map) ID() ID { return m.id }

// Tracked returns the ID of a map; nil for nil.
func (m *Map) Tracked() ID {
	if m == nil {
		return nil
	}
	return identify(m, m.Bytes(), &m.id, m.from.rt.unreachable)
}

// componentDrop is what a masked map masks: some components of some targets.
type componentDrop struct {
	of         *Subset
	components []int
}

// levels are those of columns that the layers of an extruded map's columns reach.
type levels struct {
	columns *Map                // that leads from columns to columns; nil: to the column itself
	first   []int               // those that layer 0 reaches; nil for a map that is not extruded
	step    int                 // to those of the next layer
	reached map[loop.Region]int // where columns vary: the regions whose targets have all levels, and when the map's values had changed
}

// Extruded reports whether the map leads from an extruded set.
func (m *Map) Extruded() bool { return m != nil && m.first != nil }

// gaps is Gaps, of a map that may be nil.
func (m *Map) gaps() bool { return m != nil && m.Gaps() }

// perLevel returns the number of an extruded map's targets in each level.
func (m *Map) perLevel() int {
	if m.levels.columns == nil {
		return 1
	}
	return m.levels.columns.arity
}

// Columns returns the map between the base sets of an extruded map; nil without one.
func (m *Map) Columns() *Map { return m.levels.columns }

// Varies reports whether rows have different lengths.
func (m *Map) Varies() bool { return m.varying }

// Gaps reports whether some values may be negative: the map is masked, or its rows vary.
func (m *Map) Gaps() bool { return m.masked || m.varying }

// setArity sets the length of the longest row.
func (m *Map) setArity(n int) {
	m.arity, m.components = n, make([]Component, n)
	for i := range m.components {
		m.components[i] = Component{m, i}
	}
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
