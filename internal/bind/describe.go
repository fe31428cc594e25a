package bind

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// described is a call with the description of its loop.
type described struct {
	Call
	Numbered
	Loop *loop.Loop
}

// Numbered is what the description of a loop refers to by number.
type Numbered struct {
	Data     []*entity.Data // by Loop.Data
	Maps     []*entity.Map  // by Loop.Maps
	Nonzeros []Nonzeros     // by Loop.Nonzeros
}

// Nonzeros locates the nonzeros of mats: a sparsity and a table of positions in it.
type Nonzeros struct {
	sparsity *entity.Sparsity
	table    entity.PositionTable
}

// describe numbers the distinct data and maps of a call of a kernel in order of appearance.
func describe(c Call, kernel string) described {
	d := described{Call: c, Loop: &loop.Loop{Kernel: kernel, Layers: c.Over.Layers.Describe()}}
	for _, a := range c.Args {
		d.Loop.Args = append(d.Loop.Args, d.argumentOf(a))
	}
	if bounds := c.Over.Layers.Bounds(); bounds != nil {
		d.Loop.Layers.Bounds = 1 + d.dataOf(bounds)
	}
	return d
}

// argumentOf returns the description of an argument, and adds what it refers to.
func (d *described) argumentOf(a entity.Arg) loop.Arg {
	at := a.Placement()
	if at.Cols > 0 && d.Over.Layers.Region == loop.Facets { // each part has what both sides have
		row, col := at.Offset/at.Cols, at.Offset%at.Cols
		if at.Cols *= 2; a.Kind == loop.Mat {
			at.Rows *= 2
		}
		at.Offset = 2*row*at.Cols + 2*col
	}
	arg := loop.Arg{Kind: a.Kind, Access: a.Access, Data: -1, Map: loop.Direct, ColMap: loop.Direct, Component: a.Component, Single: a.Single,
		Next: at.Next, Offset: at.Offset, Rows: at.Rows, Cols: at.Cols}
	levels := a.Levels(d.Over.Layers)
	if a.Data != nil {
		arg.Data = d.dataOf(a.Data)
		if levels.First != nil {
			d.Loop.Data[arg.Data].Column = a.Data.Layers()
			arg.Levels = 1 + d.Loop.LevelsNo(levels)
			if a.Map == nil && a.Extruded == nil && len(levels.First) > 1 { // of the cells on both sides of a facet
				arg.Component = loop.All
			}
		}
	}
	if a.Counts != nil {
		arg.Counts = 1 + d.numberOf(a.Counts)
	}
	if a.Map != nil {
		arg.Map = d.numberOf(a.Map)
	}
	if a.Kind == loop.Mat {
		arg.ColMap = d.numberOf(a.Cols)
		arg.Nonzeros = d.nonzerosOf(a, arg)
	}
	return arg
}

// dataOf returns the number of data, adding it if necessary.
func (d *described) dataOf(data *entity.Data) int {
	i := slices.Index(d.Data, data)
	if i < 0 {
		i = len(d.Data)
		d.Data = append(d.Data, data)
		d.Loop.Data = append(d.Loop.Data, loop.Data{Kind: data.Kind(), Type: data.Scalar(), Dim: data.Width(), ColDim: data.ColDim(), SoA: data.SoA(), Fresh: data.Fresh(),
			Value: data.Composite()})
	}
	return i
}

// numberOf returns the number of a map, adding it if necessary.
func (d *described) numberOf(m *entity.Map) int {
	i := slices.Index(d.Maps, m)
	if i < 0 {
		i = len(d.Maps)
		d.Maps = append(d.Maps, m)
		d.Loop.Maps = append(d.Loop.Maps, loop.Map{Arity: m.Arity(), Varying: m.Varies()})
	}
	return i
}

// nonzerosOf returns the number of the nonzeros of a mat, adding them if necessary.
func (d *described) nonzerosOf(a entity.Arg, arg loop.Arg) int {
	e := Nonzeros{a.Data.Sparsity(), entity.PositionTable{Rows: a.Map, Cols: a.Cols}}
	if a.Access == loop.Write {
		e.table.Writers, e.table.Subset = true, d.Over.Subset
	}
	i := slices.Index(d.Nonzeros, e)
	if i < 0 {
		i = len(d.Nonzeros)
		d.Nonzeros = append(d.Nonzeros, e)
		whole := e.sparsity.BuiltFrom(a.Map, a.Cols) // otherwise rows of other ranks may lack some, on any number of ranks by the same code
		d.Loop.Nonzeros = append(d.Loop.Nonzeros, loop.Nonzeros{
			Rows: arg.Map, Cols: arg.ColMap,
			Masked: a.Map.Gaps() || a.Cols.Gaps() || e.table.Writers || !whole,
			Search: e.sparsity.Searched() && !e.table.Writers && whole && !a.Map.IsStacked(),
		})
	}
	return i
}
