package entity

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tune"
)

// An extruded set is a column of layers over each element of a base set. Whatever belongs to it belongs to the base set, which
// alone has an order, ranks and halos: a dat on it is one on the base set with the values of a whole column, and a map from it is
// one between base sets, with the levels of the columns that layers reach. Loops over it are loops over the base set, in which
// each element runs its layers in order, upward.

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
	s := &Set{rt: base.rt, name: name, columns: columns{base: base, layers: layers}}
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

// NewVaryingExtrudedSet returns a set of columns of which each has some of the layers alone: from bounds[2*e] up to bounds[2*e+1].
func NewVaryingExtrudedSet[I Integer](base *Set, layers int, bounds []I, name string) (*Set, error) {
	s, err := NewExtrudedSet(base, layers, name)
	if err != nil {
		return nil, err
	}
	bad := func(format string, args ...any) (*Set, error) {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf(format, args...), Hint: "a column has the layers from its first bound up to the second, without that"}
	}
	if len(bounds) != 2*base.declared {
		return bad("%d bounds are needed, 2 for each of %d %s; %d %s given", 2*base.declared, base.declared, base.name, len(bounds), problem.Were(len(bounds)))
	}
	values := make([]int32, len(bounds))
	for i, b := range bounds {
		if i%2 == 1 && b < bounds[i-1] {
			return bad("the bounds of column %d, %d and %d, are in the wrong order", base.first+int64(i/2), bounds[i-1], b)
		}
		if v := int64(b); v < 0 || v > int64(layers) {
			return bad("column %d goes from layer %d up to %d, which are not among %d layers", base.first+int64(i/2), bounds[i&^1], bounds[i|1], layers)
		}
		values[i] = int32(b)
	}
	if s.bounds, err = NewDat(base, 2, values, "bounds of "+name); err != nil {
		return nil, err
	}
	s.bounds.layout = tune.AoS
	s.bounds.Carry()
	addWeakly(&base.rt.listed.varying, s)
	return s, nil
}

// NewExtrudedMap returns the map from the layers of columns to levels of the columns that a map between the base sets leads to; of
// the same column without one. Layer l reaches the levels that are l steps above the given ones.
func NewExtrudedMap(from, to *Set, base *Map, first []int, step int, name string) (*Map, error) {
	source, _ := from.Base()
	target, _ := to.Base()
	m := &Map{from: from, to: to, name: name, levels: levels{columns: base, first: slices.Clone(first), step: step}}
	m.site.Capture()
	what := m.What()
	bad := func(format string, args ...any) (*Map, error) {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf(format, args...)}
	}
	flat := func(s *Set) (*Map, error) {
		return nil, fmt.Errorf("op2: %s: both sets must be extruded, and %s is not\n  hint: loops over an extruded set take maps of its base set as they are", what, s.name)
	}
	switch {
	case from.rt != to.rt:
		return nil, fmt.Errorf("op2: %s: its sets belong to two runtimes: %s, %s", what, from.Besides(to), to.Besides(from))
	case !from.Extruded():
		return flat(from)
	case !to.Extruded():
		return flat(to)
	case base == nil && source != target:
		return nil, fmt.Errorf("op2: %s: without a map of the base sets it stays in the column, but %s is over %s, %s over %s", what, from.name, source.Besides(target), to.name, target.Besides(source))
	case base != nil && (base.from != source || base.to != target):
		return nil, fmt.Errorf("op2: %s: %s leads from %s to %s, a map from %s to %s is needed", what, base.name, base.from.name, base.to.name, source.name, target.name)
	case base != nil && base.varying:
		return nil, fmt.Errorf("op2: %s: the rows of %s differ in length, columns need rows of one length\n  hint: declare a set of links, an element for each value of a row, with two maps of arity 1", what, base.name)
	case base != nil && base.masked:
		return nil, fmt.Errorf("op2: %s: %s is masked, columns need all targets", what, base.name)
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

// Cells returns the values of an extruded map, its arity for each element that belongs here, -1 where there is no such layer or level;
// or those in declared numbering, of the whole mesh once it is distributed, as for which it then is collective.
func (m *Map) Cells(declared bool) ([]int32, error) {
	base := m.from.base
	first, columns := int32(0), lists.UpTo(base.Size())
	if declared = declared || !base.Distributed(); declared && base.Among() {
		columns = lists.UpTo(int(base.Whole()))
	} else if declared {
		first, columns = int32(base.first), base.DeclaredNumbers()
	}
	if of := m.levels.columns; of != nil {
		columns = of.Values()
		if declared {
			var err error
			if columns, err = of.InDeclaredOrder(); err != nil {
				return nil, err
			}
		}
	}
	from, err1 := m.from.boundsIn(declared)
	to, err2 := m.to.boundsIn(declared)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return m.rows(columns, first, from, to, loop.Column), nil
}

// rows returns the targets of each layer of columns, numbered from first on, that the base map leads to others in a list; -1 where there is
// no such level, or the layer is not in the region. Of facets they are those of the layers on both sides.
func (m *Map) rows(columns []int32, first int32, from, to boundsOf, region loop.Region) []int32 {
	per, sides := m.perLevel(), 1
	if region == loop.Facets {
		sides = 2
	}
	n := len(columns) / per
	values := make([]int32, 0, n*m.from.layers*sides*m.arity)
	for c := range n {
		bottom, top := region.Of(from(first + int32(c)))
		for l := range m.from.layers {
			for layer := l; layer < l+sides; layer++ {
				for _, level := range m.first {
					level += layer * m.step
					for _, t := range columns[c*per : (c+1)*per] {
						if low, high := to(t); l < bottom || l >= top || level < low || level >= high {
							values = append(values, -1)
						} else {
							values = append(values, t*int32(m.to.layers)+int32(level))
						}
					}
				}
			}
		}
	}
	return values
}

// boundsOf returns the bounds of a column by its number.
type boundsOf func(column int32) (bottom, top int)

// boundsIn returns the bounds of columns by their numbers: of those here, or declared ones of the whole mesh, as for which it is
// collective once the mesh is distributed. Before, those that other ranks have declared are not known, and count as having all layers.
func (s *Set) boundsIn(declared bool) (boundsOf, error) {
	if s.bounds == nil {
		return func(int32) (bottom, top int) { return 0, s.layers }, nil
	}
	first, bounds := int32(0), Host[int32](s.bounds)
	if declared {
		s.rt.numbers.RLock()
		defer s.rt.numbers.RUnlock()
		rows, err := s.base.gatherRows(s.bounds.rowSize(), s.bounds.Bytes(), -1)
		if err != nil {
			return nil, err
		}
		if bounds = store.As[int32](rows); !s.base.Among() {
			first = int32(s.base.first)
		}
	}
	return func(column int32) (bottom, top int) {
		if at := 2 * int(column-first); at >= 0 && at < len(bounds) {
			return int(bounds[at]), int(bounds[at+1])
		}
		return 0, s.layers
	}, nil
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
	if over.Region == loop.Facets {
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
	case m == nil && a.Single > 0 && a.Data.column != nil && (a.Map != nil || a.Data.column != over.Of):
		return fmt.Sprintf("a whole column of %s is passed with all components", a.Data.column.name), "run over " + a.Data.column.name
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
	}
	levels := a.Levels(over)
	if m != nil && levels.First == nil {
		n := m.arity
		if over.Region == loop.Facets {
			n *= 2
		}
		return fmt.Sprintf("%s has %s", m.name, problem.ComponentRange(n)), ""
	}
	if levels.First == nil || over.Of.bounds != nil || a.Data.column.bounds != nil {
		return "", ""
	}
	return a.reach(over, levels, 0, 0), ""
}

// reach returns what is wrong if a column reaches levels that a target does not have; "" if nothing is.
func (a *Arg) reach(over Layers, levels loop.Levels, column, target int) string {
	to := a.Data.column
	first, last := over.Region.Of(over.Of.Bounds(column))
	low, high := to.Bounds(target)
	for _, l := range levels.First {
		for _, layer := range []int{first, last - 1} {
			at := l + layer*levels.Step
			if first >= last || low <= at && at < high {
				continue
			}
			if to.bounds == nil && over.Of.bounds == nil {
				return fmt.Sprintf("layer %d reaches level %d of %s, which has %s", layer, at, to.name, problem.Count(to.layers, "level"))
			}
			return fmt.Sprintf("layer %d of column %d reaches level %d of %s, which has those from %d up to %d in column %d",
				layer, over.Of.base.Known(column), at, to.name, low, high, to.base.Known(target))
		}
	}
	return ""
}

// Reaches returns what is wrong with an argument of a loop over a range some of whose columns reach levels that their targets do not
// have, where columns vary; "" if nothing is.
func (a *Arg) Reaches(r Range) string {
	m, over := a.Extruded, r.Layers
	if m == nil || m.from.bounds == nil && m.to.bounds == nil {
		return ""
	}
	changed := 0
	if a.Map != nil {
		changed = a.Map.changed
	}
	if seen, found := m.reached[over.Region]; found && seen == changed {
		return ""
	}
	levels, wrong := a.Levels(over), ""
	r.Each(func(e int) {
		for _, t := range a.Targets(e) {
			if wrong == "" {
				wrong = a.reach(over, levels, e, int(t))
			}
		}
	})
	if wrong == "" && r.Subset == nil && a.Entry == loop.All {
		if m.reached == nil {
			m.reached = map[loop.Region]int{}
		}
		m.reached[over.Region] = changed
	}
	return wrong
}
