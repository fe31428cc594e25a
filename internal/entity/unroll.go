package entity

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/store"
)

// For loops that mask components of blocks, a matrix is viewed value by value: maps are unrolled,
// to one target for each component, and the matrix has 1 by 1 blocks, at their original places in
// memory.

// Unroll converts an argument with such maps to one on the values. If that is not possible, it
// leaves the argument unchanged, and the loop reports it.
func (a *Arg) Unroll() {
	if a.Kind != loop.Mat || a.Fault != Sound || a.Map.drops == nil && a.Cols.drops == nil {
		return
	}
	m, s := a.Data, a.Data.sparsity
	if a.Map.Extruded() || a.Cols.Extruded() || !m.Numberable() || !a.Map.droppable(s.blocks.Rows) || !a.Cols.droppable(s.blocks.Cols) {
		return
	}
	if m.unrolled == nil {
		view := *m
		view.id, view.sparsity, view.dim = nil, s.unroll(), 1
		m.unrolled = &view
	}
	a.Data, a.Map, a.Cols = m.unrolled, a.Map.unroll(s.blocks.Rows), a.Cols.unroll(s.blocks.Cols)
}

// Numberable reports whether the values of a matrix can be elements of a set.
func (d *Data) Numberable() bool {
	return int64(d.sparsity.Blocks())*int64(d.sparsity.blocks.Size()) <= math.MaxInt32
}

// droppable reports whether blocks with dim rows, or columns, have the components that the map
// masks.
func (m *Map) droppable(dim int) bool {
	return !slices.ContainsFunc(m.drops, func(d componentDrop) bool { return slices.Max(d.components) >= dim })
}

// unroll returns the map to the values of each target, as a masked map.
func (m *Map) unroll(dim int) *Map {
	if u := m.unrolled[dim]; u != nil {
		return u
	}
	u := &Map{from: m.from, to: m.to.unroll(dim), arity: m.arity * dim, name: m.name, site: m.site, masked: true, block: m}
	left := make([]bool, u.to.Total())
	for _, d := range m.drops {
		for _, e := range d.of.elements {
			for _, c := range d.components {
				left[int(e)*dim+c] = true
			}
		}
	}
	u.values = store.Aligned[int32](len(m.values) * dim)
	for k := range u.values {
		u.values[k] = -1
		if t := m.values[k/dim]; t >= 0 && !left[int(t)*dim+k%dim] {
			u.values[k] = t*int32(dim) + int32(k%dim)
		}
	}
	if m.unrolled == nil {
		m.unrolled = map[int]*Map{}
	}
	m.unrolled[dim] = u
	return u
}

// unroll returns the pattern of the values.
func (s *Sparsity) unroll() *Sparsity {
	if s.unrolled == nil {
		s.unrolled = &Sparsity{rt: s.rt, name: s.name, rows: s.rows.unroll(s.blocks.Rows), cols: s.cols.unroll(s.blocks.Cols),
			blocks: sparse.Blocks{Rows: 1, Cols: 1}, pattern: noPattern(), tables: map[PositionTable][]int32{}, of: s}
	}
	return s.unrolled
}

// Unrollable says why an argument whose maps mask components was left unchanged.
func (a Arg) Unrollable(bad func(msg, hint string) error) error {
	for _, side := range []struct {
		m    *Map
		what string
		dim  int
	}{{a.Map, "rows", a.Data.dim}, {a.Cols, "columns", a.Data.ColDim()}} {
		if !side.m.droppable(side.dim) {
			return bad(fmt.Sprintf("%s leaves out components that its blocks, with %d %s, have not", side.m.name, side.dim, side.what), "")
		}
	}
	switch {
	case a.Map.drops == nil && a.Cols.drops == nil:
		return nil
	case a.Map.Between() != a.Map || a.Cols.Between() != a.Cols:
		return bad("maps that leave out components are not for loops over layers", "conditions fix components: NewDirichlet")
	}
	return bad(fmt.Sprintf("it has more than %d values, too many for maps that leave out components", math.MaxInt32), "")
}
