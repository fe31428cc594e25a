package entity

import (
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/loop"
)

// A loop over layers assembles through stacked maps. They lead from columns, which are the elements of the loop, and have a row for each
// layer of a column, of elements of flat sets. Only sparsities need the rows, for patterns and tables of positions.

// stack is what a stacked map was made of.
type stack struct {
	of   *Map
	over Layers
}

// Stacked returns the map from columns whose rows are those of the layers that a loop runs over, for an extruded map from their set, and
// for one from its base set, which has the same row for each layer. Other maps remain as they are.
func (m *Map) Stacked(over Layers) *Map {
	if over.Of == nil || m.IsStacked() || m.varying || m.block != nil || m.drops != nil || m.from != over.Of && m.from != over.Of.base {
		return m
	}
	if s := m.stacks[over]; s != nil {
		return s
	}
	s := &Map{from: over.Of.base, to: m.to.Flat(), arity: m.arity, name: m.name, site: m.site, masked: m.masked, stack: stack{m, over}}
	if m.Extruded() && over.Region == loop.Facets {
		s.arity *= 2
	}
	if m.stacks == nil {
		m.stacks = map[Layers]*Map{}
	}
	m.stacks[over] = s
	return s
}

// IsStacked reports whether rows are those of layers.
func (m *Map) IsStacked() bool { return m.stack.of != nil }

// unstacked returns the map that a stacked one was made of; another one itself.
func (m *Map) unstacked() *Map {
	if m.stack.of != nil {
		return m.stack.of
	}
	return m
}

// Between returns the map by which columns lead to others; nil if they lead to themselves.
func (m *Map) Between() *Map {
	if m = m.unstacked(); m.Extruded() {
		return m.levels.columns
	}
	return m
}

// stackedRows returns the rows of a stacked map, of all columns that loops can run over; -1 where the loop does not run a layer.
func (m *Map) stackedRows() []int32 {
	of, over, n := m.stack.of, m.stack.over, m.from.Executable()
	from, _ := over.Of.boundsIn(false)
	if of.Extruded() {
		columns, to := lists.UpTo(n), of.to
		if between := of.levels.columns; between != nil {
			columns = between.values[:n*between.arity]
		}
		bounds, _ := to.boundsIn(false)
		return of.rows(columns, 0, from, bounds, over.Region)
	}
	rows := make([]int32, 0, n*over.Of.layers*m.arity)
	for e := range n {
		first, last := over.Region.Of(from(int32(e)))
		for l := range over.Of.layers {
			for _, t := range of.values[e*m.arity : (e+1)*m.arity] {
				if l < first || l >= last {
					t = -1
				}
				rows = append(rows, t)
			}
		}
	}
	return rows
}

// Stack makes a mat's argument of a loop over layers one with stacked maps.
func (a *Arg) Stack(over Layers) {
	if a.Kind != loop.Mat || a.Fault != Sound {
		return
	}
	if a.Access == loop.Inc && over.Region != loop.Facets { // parts of columns use the table of all
		over.Region = loop.Column
	}
	a.Map, a.Cols = a.Map.Stacked(over), a.Cols.Stacked(over)
}

// Sides returns arguments that reach the levels which the rows and the columns of a mat are on; none for other arguments.
func (a *Arg) Sides() (list []Arg) {
	if a.Kind != loop.Mat {
		return nil
	}
	for _, m := range []*Map{a.Map, a.Cols} {
		if m = m.unstacked(); m.Extruded() {
			list = append(list, Arg{Kind: loop.Dat, Data: &Data{name: a.Data.name, column: m.to}, Map: m.levels.columns, Component: loop.All, Extruded: m, Entry: loop.All})
		}
	}
	return list
}
