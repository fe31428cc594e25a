package op2

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// Map gives arity elements of another set for each element of a set. As a Via it stands for all of
// its components at once.
type Map struct {
	from, to   *Set
	arity      int
	values     []int32 // [from.total()][arity]
	name       string
	components []Component
	identity

	masked bool // of a MaskedMap: some values may be negative
	base   *Map // the map that a masked map was made from; otherwise nil

	drops    []componentDrop // of a masked map: the components of blocks that it masks
	unrolled map[int]*Map    // by dim, created on demand
	block    *Map            // of an unrolled map: the map it was made from

	distinct map[string]bool // components that lead no element to the same target; see repeats

	changed int    // when the values were last set, by the runtime's change counter
	pinned  string // why they must not be set: something depends on them for good; or ""
}

// maxArity limits the memory of components.
const maxArity = 1 << 20

// Component is one column of a map: one element of the other set for each element.
type Component struct {
	m     *Map
	index int
}

// Via is a way to data from the set that a loop runs over: a whole *Map, or one *Component of it.
type Via interface {
	via() (m *Map, component int)
}

// Integer is the type of map values when a map is declared.
type Integer interface{ int32 | int64 | int | uint32 }

// NewMap declares a map of the given arity with a copy of the values: arity for each element of
// from, element by element, each from 0 to to.Size()-1. On a static runtime they may be nil.
func NewMap[I Integer](from, to *Set, arity int, values []I, name string) (*Map, error) {
	return declareMap(from, to, arity, values, name, false)
}

// declareMap enters the runtime and creates a map, masked or not.
func declareMap[I Integer](from, to *Set, arity int, values []I, name string, masked bool) (*Map, error) {
	if from == nil || to == nil {
		return nil, fmt.Errorf("op2: map %s: there is no set", name)
	}
	if err := from.rt.declare("map", name); err != nil {
		return nil, err
	}
	defer from.rt.leave()
	return newMap(from, to, arity, values, name, masked)
}

func newMap[I Integer](from, to *Set, arity int, values []I, name string, masked bool) (*Map, error) {
	m := &Map{from: from, to: to, arity: arity, name: name, masked: masked}
	what := m.what()
	if err := checkDeclared(what, to.rt); err != nil {
		return nil, err
	}
	if from.rt != to.rt {
		return nil, fmt.Errorf("op2: %s: its sets belong to two runtimes: %s, %s", what, from.besides(to), to.besides(from))
	}
	if arity < 1 {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("an arity of at least 1 is needed, %d was given", arity)}
	}
	if most := core.MostBytes / 4 / max(1, from.total()); arity > min(most, maxArity) {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("an arity of at most %d is possible, %d was given", min(most, maxArity), arity)}
	}
	m.components = make([]Component, arity)
	for i := range m.components {
		m.components[i] = Component{m, i}
	}
	if values == nil && from.rt.config.static {
		return m, nil
	}
	var err error
	if m.values, err = checked(m, values); err != nil {
		return nil, err
	}
	from.rt.mesh.addMap(m)
	return m, nil
}

// what describes the map for messages.
func (m *Map) what() string {
	return fmt.Sprintf("map %s from %s to %s", m.name, m.from.name, m.to.name)
}

// checked returns a validated copy of values for the map.
func checked[I Integer](m *Map, values []I) ([]int32, error) {
	from, to := m.from, m.to
	if len(values) != from.total()*m.arity {
		return nil, &problem.ShapeError{What: m.what(), Msg: neededValues(m.arity, from, len(values))}
	}
	copied := core.Aligned[int32](len(values))
	for i, v := range values {
		switch {
		case int64(v) >= 0 && int64(v) < int64(to.total()):
			copied[i] = int32(v)
		case m.masked && int64(v) < 0:
			copied[i] = -1
		default:
			hint := "elements are numbered from 0"
			if int64(v) < 0 {
				hint += "; maps that leave out rows and columns of mats are made by NewMaskedMap"
			}
			return nil, &problem.ShapeError{What: m.what(), Msg: fmt.Sprintf("value %d, of component %d for element %d, is not one of the %d %s",
				v, i%m.arity, i/m.arity, to.total(), to.name), Hint: hint}
		}
	}
	return copied, nil
}

// made returns an error for a map that NewMap did not make.
func (m *Map) made() error {
	if m == nil || m.from == nil {
		return errors.New("op2: the map is nil, or was not made by NewMap")
	}
	return nil
}

// At returns one component of the map. An invalid index is reported by the loop that uses it.
func (m *Map) At(i int) *Component {
	if i < 0 || i >= len(orEmpty(m).components) {
		return &Component{m, i}
	}
	return &m.components[i]
}

// Arity returns the number of targets of each element.
func (m *Map) Arity() int { return orEmpty(m).arity }

// From returns the set whose elements the map leads from.
func (m *Map) From() *Set { return orEmpty(m).from }

// To returns the set that the map leads to.
func (m *Map) To() *Set { return orEmpty(m).to }

// Name returns the name the map was declared with.
func (m *Map) Name() string { return orEmpty(m).name }

// Values returns a copy of the map's values, arity for each element, four bytes each: call it once,
// not for each element. [Map.SetValues] changes the map.
func (m *Map) Values() []int32 {
	if m.made() != nil {
		return nil
	}
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	return slices.Clone(m.values)
}

func (m *Map) String() string { return orEmpty(m).name }

func (c *Component) String() string {
	return fmt.Sprintf("%s[%d]", orEmpty(c).m.Name(), orEmpty(c).index)
}
