package entity

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// An extruded set is a column of layers over each element of a base set. Whatever belongs to it belongs to the base set, which
// alone has an order, ranks and halos: a dat on it is one on the base set with the values of a whole column, and a map from it is
// one between base sets, with the levels of the columns that layers reach. Loops over it are loops over the base set, in which
// each element runs its layers in order, upward.

// flatMap is the hint for what needs a row for each element.
const flatMap = "declare sets of all elements, and a map between them with what Map.InDeclaredOrder of the extruded one returns"

// mapColumns is the hint for values that do not depend on layers.
const mapColumns = "declare a map of the base sets, and give it to NewExtrudedMap"

// NewExtrudedSet returns the set of columns over the elements of a base set.
func NewExtrudedSet(base *Set, layers int, name string) (*Set, error) {
	if base.Extruded() {
		return nil, fmt.Errorf("op2: set %s: %s is an extruded set, which has no columns over it", name, base.name)
	}
	if layers < 1 || layers > math.MaxInt32 {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("from 1 to %d layers are needed, %d were given", math.MaxInt32, layers)}
	}
	if base.Total() > math.MaxInt32/layers {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("%d layers of %d %s are more than %d elements", layers, base.Total(), base.name, math.MaxInt32)}
	}
	s := &Set{rt: base.rt, name: name, columns: columns{base, layers}}
	s.site.Capture()
	return s, nil
}

// notExtruded returns an error if one of the sets is extruded, for what cannot be declared on such a set.
func notExtruded(what, hint string, sets ...*Set) error {
	for _, s := range sets {
		if s.Extruded() {
			return fmt.Errorf("op2: %s: %s is an extruded set\n  hint: %s", what, s.name, hint)
		}
	}
	return nil
}

// DeclaredCells returns the declared numbers of the elements of an extruded set that belong here, column by column.
func (s *Set) DeclaredCells() []int32 {
	columns := s.base.DeclaredNumbers()
	cells := make([]int32, 0, len(columns)*s.layers)
	for _, c := range columns {
		for l := range s.layers {
			cells = append(cells, c*int32(s.layers)+int32(l))
		}
	}
	return cells
}

// NewExtrudedMap returns the map from the layers of columns to levels of the columns that a map between the base sets leads to; of
// the same column without one. Layer l reaches the levels that are l steps above the given ones.
func NewExtrudedMap(from, to *Set, base *Map, first []int, step int, name string) (*Map, error) {
	source, _ := from.Base()
	target, _ := to.Base()
	m := &Map{from: from, to: to, name: name, levels: levels{base, slices.Clone(first), step}}
	m.site.Capture()
	what := m.What()
	bad := func(format string, args ...any) (*Map, error) {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf(format, args...)}
	}
	switch {
	case from.rt != to.rt:
		return nil, fmt.Errorf("op2: %s: its sets belong to two runtimes: %s, %s", what, from.Besides(to), to.Besides(from))
	case !from.Extruded() || !to.Extruded():
		return nil, fmt.Errorf("op2: %s: both sets must be extruded\n  hint: loops over an extruded set take maps of its base set as they are", what)
	case base == nil && source != target:
		return nil, fmt.Errorf("op2: %s: without a map of the base sets it stays in the column, but %s is over %s, %s over %s", what, from.name, source.Besides(target), to.name, target.Besides(source))
	case base != nil && (base.from != source || base.to != target):
		return nil, fmt.Errorf("op2: %s: %s leads from %s to %s, a map from %s to %s is needed", what, base.name, base.from.name, base.to.name, source.name, target.name)
	case base.gaps():
		return nil, fmt.Errorf("op2: %s: %s leaves out targets, which columns need", what, base.name)
	case len(first) == 0:
		return bad("at least one level is needed")
	case step < 0:
		return bad("the step is %d, layers are counted upward", step)
	case step > math.MaxInt32/from.layers || slices.Max(first) > math.MaxInt32 || slices.Min(first) < -math.MaxInt32:
		return bad("levels %d and a step of %d are not possible: numbers of levels have 32 bits", first, step)
	}
	n := len(first) * m.perLevel()
	if n > maxArity {
		return bad("%d levels make an arity of %d, at most %d are possible", len(first), n, maxArity)
	}
	m.setArity(n)
	return m, nil
}

// Cells returns the values of an extruded map for a range of columns, given those of the map between the columns, or the columns
// themselves: its arity for each layer, -1 where there is no such level.
func (m *Map) Cells(columns []int32) []int32 {
	per, n := m.perLevel(), len(columns)/m.perLevel()
	values := make([]int32, 0, n*m.from.layers*m.arity)
	for c := range n {
		for l := range m.from.layers {
			for _, level := range m.first {
				level += l * m.step
				for _, t := range columns[c*per : (c+1)*per] {
					if level < 0 || level >= m.to.layers {
						values = append(values, -1)
					} else {
						values = append(values, t*int32(m.to.layers)+int32(level))
					}
				}
			}
		}
	}
	return values
}

// Levels returns the levels of the columns of its dat that the argument has for layer 0 of a loop, and the step to those of the next
// layer; none for an argument that does not depend on the layer.
func (a *Arg) Levels(over Layers) loop.Levels {
	levels, step := []int{0}, 1
	switch m := a.Extruded; {
	case over.Of == nil || a.Kind != loop.Dat:
		return loop.Levels{}
	case m != nil:
		levels, step = m.first, m.step
	case a.Map != nil || a.Data.column != over.Of:
		return loop.Levels{}
	}
	if over.Facets {
		levels = slices.Clone(levels)
		for _, l := range levels[:len(levels):len(levels)] {
			levels = append(levels, l+step)
		}
	}
	if m := a.Extruded; m != nil && a.Entry != loop.All {
		i := a.Entry / m.perLevel()
		if i >= len(levels) {
			return loop.Levels{}
		}
		levels = levels[i : i+1]
	}
	return loop.Levels{First: levels, Step: step}
}

// Fits returns what is wrong with an argument in a loop over layers; "" if nothing is.
func (a *Arg) Fits(over Layers) (msg, hint string) {
	m := a.Extruded
	switch {
	case m == nil && over.Of == nil:
		return "", ""
	case m != nil && m.from != over.Of:
		what := "the layers of " + m.from.Besides(over.Of)
		if over.Of == nil {
			return fmt.Sprintf("%s leads from %s, the loop is not over an extruded set", m.name, what), "run over " + m.from.name
		}
		return fmt.Sprintf("%s leads from %s, the loop is over those of %s", m.name, what, over.Of.Besides(m.from)), ""
	case m != nil && m.to != a.Data.column:
		return fmt.Sprintf("%s leads to %s, %s is on %s", m.name, m.to.Besides(a.Data.On()), a.Data.name, a.Data.On().Besides(m.to)), ""
	case m == nil && a.Map == nil && a.Data.column != nil && a.Data.column != over.Of:
		return fmt.Sprintf("%s is on %s, the loop is over %s", a.Data.name, a.Data.column.Besides(over.Of), over.Of.Besides(a.Data.column)),
			fmt.Sprintf("pass it through a map from %s to %s, which NewExtrudedMap makes", over.Of.name, a.Data.column.name)
	case m == nil && a.Map.gaps():
		return fmt.Sprintf("%s has rows of different lengths, which loops over layers do not take", a.Map.name), "pass it in a loop over the base set"
	case a.Part != nil:
		return "loops over layers take no mixed arguments", "pass the parts as arguments of their own"
	}
	levels := a.Levels(over)
	if m != nil && levels.First == nil {
		n := m.arity
		if over.Facets {
			n *= 2
		}
		return fmt.Sprintf("%s has %s", m.name, problem.ComponentRange(n)), ""
	}
	for _, l := range levels.First {
		for _, layer := range []int{over.First, over.Last - 1} {
			if at := l + layer*levels.Step; over.First < over.Last && (at < 0 || at >= a.Data.column.layers) {
				return fmt.Sprintf("layer %d reaches level %d of %s, which has %s", layer, at, a.Data.column.name, problem.Count(a.Data.column.layers, "level")), ""
			}
		}
	}
	return "", ""
}
