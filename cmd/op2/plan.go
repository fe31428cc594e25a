package main

import (
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

// makePlan makes the plan of the airfoil's loop over the edges, says what there is to say
// about it, and draws it.
func makePlan(c console, args []string) error {
	f := newFlags("plan", "")
	i := f.Int("i", 50, "cells along the airfoil; the mesh has 3 * i * j cells")
	j := f.Int("j", 80, "cells from the airfoil outwards")
	file := f.String("mesh", "", "the `file` to read the mesh from, as new_grid.dat, instead of making it")
	size := f.Int("block", 1024, "edges in a block")
	show := f.Int("show", -1, "the `block` to draw the element colors of; -1: the middle one")
	path := f.String("o", "plan.png", "the `file` to draw; FILE-block.png gets the one block; empty: none")
	if err := parse(c, f, args); err != nil {
		return err
	}
	m, err := planMesh(f, *file, *i, *j)
	if err != nil {
		return fmt.Errorf("op2 plan: %w", err)
	}
	p, err := planEdges(m, *size)
	if err != nil {
		return fmt.Errorf("op2 plan: %w", err)
	}
	switch {
	case *show == -1:
		*show = p.Blocks() / 2
	case *show < 0 || *show >= p.Blocks():
		return fmt.Errorf("op2 plan: -show %d: expected a block from 0 to %d, or -1", *show, p.Blocks()-1)
	}
	figures := p.Report(plan.Staged{Table: 0, Bytes: stateBytes})
	if _, err := fmt.Fprint(c.results, figures); err != nil || *path == "" {
		return err
	}
	return drawPlan(c, *path, m, p, *show)
}

// planMesh reads the mesh, or makes it.
func planMesh(f *flag.FlagSet, file string, i, j int) (*mesh.Airfoil, error) {
	if file == "" {
		return mesh.NACA0012(i, j)
	}
	var err error
	f.Visit(func(given *flag.Flag) {
		if given.Name == "i" || given.Name == "j" {
			err = fmt.Errorf("-%s and -mesh: a mesh is either made or read", given.Name)
		}
	})
	if err != nil {
		return nil, err
	}
	m, err := mesh.ReadAirfoilFile(file)
	if err == nil && m.Edges == 0 {
		err = fmt.Errorf("%s: the mesh has no edges", file)
	}
	return m, err
}

// stateBytes is the size of the flow in one cell: four numbers.
const stateBytes = 4 * 8

// planEdges makes the plan of res_calc: over the edges, with the flow q read from both
// cells and the residual res incremented there. The only table is that of q.
func planEdges(m *mesh.Airfoil, size int) (*plan.Plan, error) {
	const edge2cell = 0
	cells := []plan.Ref{{Map: edge2cell, Component: plan.All}}
	return plan.Build(&plan.Input{
		Last:      m.Edges,
		BlockSize: size,
		Maps:      []plan.Map{{ID: edge2cell, Arity: 2, Targets: m.Cells, Values: m.EdgeCells}},
		Data: []plan.Data{
			{Refs: cells, Stage: true},    // q
			{Refs: cells, Collides: true}, // res
		},
		ElementColors: true,
	})
}

// drawPlan draws all blocks to one file, and one of them to another.
func drawPlan(c console, path string, m *mesh.Airfoil, p *plan.Plan, show int) error {
	ext := filepath.Ext(path)
	blockPath := strings.TrimSuffix(path, ext) + "-block" + ext
	tiles := edgeTiles(m)
	if err := plot.WriteFile(path, plot.Field{Mesh: tiles, Values: blockClasses(m, p)}, blocksOptions(m, p)); err != nil {
		return fmt.Errorf("op2 plan: %w", err)
	}
	if err := plot.WriteFile(blockPath, plot.Field{Mesh: tiles, Values: elementClasses(m, p, show)}, blockOptions(tiles, p, show)); err != nil {
		return fmt.Errorf("op2 plan: %w", err)
	}
	if err := c.wrote(path); err != nil {
		return err
	}
	return c.wrote(fmt.Sprintf("%s, of block %d", blockPath, show))
}

// edgeTiles is a mesh that has a polygon for each edge, between its ends and the centers of
// its cells: first those of the interior edges, then those of the boundary. They tile what
// the cells do.
func edgeTiles(m *mesh.Airfoil) plot.Mesh {
	tiles := plot.Mesh{Corners: 4}
	tiles.XY = append(tiles.XY, m.XY...)
	for c := range m.Cells {
		var x, y float64
		for _, n := range m.CellNodes[4*c : 4*c+4] {
			x += m.XY[2*n] / 4
			y += m.XY[2*n+1] / 4
		}
		tiles.XY = append(tiles.XY, x, y)
	}
	center := func(cell int32) int32 { return int32(m.Nodes) + cell }
	for e := range m.Edges {
		tiles.Cells = append(tiles.Cells,
			m.EdgeNodes[2*e], center(m.EdgeCells[2*e]), m.EdgeNodes[2*e+1], center(m.EdgeCells[2*e+1]))
	}
	for b, cell := range m.BedgeCell {
		end := m.BedgeNodes[2*b+1]
		tiles.Cells = append(tiles.Cells, m.BedgeNodes[2*b], center(cell), end, end)
	}
	if len(tiles.XY)/2 == len(tiles.Cells)/4 {
		tiles.XY = append(tiles.XY, 0, 0) // tells values of polygons from those of nodes
	}
	return tiles
}

// noClasses are values of the tiles: none is of a class.
func noClasses(m *mesh.Airfoil) []float64 {
	values := make([]float64, m.Edges+m.Bedges)
	for e := range values {
		values[e] = math.NaN()
	}
	return values
}

// blockClasses gives each tile the color of its block.
func blockClasses(m *mesh.Airfoil, p *plan.Plan) []float64 {
	values := noClasses(m)
	for b, color := range p.BlockColors {
		first, last := p.Block(b)
		for e := first; e < last; e++ {
			values[e] = float64(color)
		}
	}
	return values
}

// elementClasses gives each tile of a block its color in the block.
func elementClasses(m *mesh.Airfoil, p *plan.Plan, block int) []float64 {
	values := noClasses(m)
	first, last := p.Block(block)
	for e := first; e < last; e++ {
		values[e] = float64(p.ElementColors[e])
	}
	return values
}

// blocksOptions say how the picture of all blocks is drawn: near the airfoil.
func blocksOptions(m *mesh.Airfoil, p *plan.Plan) plot.Options {
	f := p.Report()
	each := fmt.Sprintf("%d", f.SmallColor)
	if f.LargeColor > f.SmallColor {
		each = fmt.Sprintf("%d to %d", f.SmallColor, f.LargeColor)
	}
	return plot.Options{
		Title: "Blocks of edges that run together have one color",
		Subtitle: fmt.Sprintf("%d edges in %d blocks of %d; %d colors, of %s blocks each; at least %d are needed",
			f.Elements, f.Blocks, f.BlockSize, f.Colors, each, f.ColorBound),
		Label:   "Color of the block",
		Classes: f.Colors,
		View:    nearWall(m),
	}
}

// nearWall is the window around the airfoil: about half a chord on each side. Without an
// airfoil it is all of the mesh.
func nearWall(m *mesh.Airfoil) plot.Rect {
	var ends []int32
	for b, kind := range m.Bound {
		if kind == mesh.Wall {
			ends = append(ends, m.BedgeNodes[2*b], m.BedgeNodes[2*b+1])
		}
	}
	if len(ends) == 0 {
		return plot.Rect{}
	}
	r := bounds(m.XY, ends)
	chord, middle := r.X1-r.X0, (r.Y0+r.Y1)/2
	return plot.Rect{X0: r.X0 - chord/2, Y0: middle - 0.65*chord, X1: r.X1 + chord/2, Y1: middle + 0.65*chord}
}

// blockOptions say how the picture of one block is drawn: as large as it fits.
func blockOptions(tiles plot.Mesh, p *plan.Plan, block int) plot.Options {
	first, last := p.Block(block)
	colors := int(p.ElementColorCounts[block])
	r := bounds(tiles.XY, tiles.Cells[4*first:4*last])
	around := 0.03 * max(r.X1-r.X0, r.Y1-r.Y0)
	return plot.Options{
		Title:    fmt.Sprintf("Edges of block %d that run together have one color", block),
		Subtitle: fmt.Sprintf("%d edges, which reach %d cells; %d colors", last-first, len(p.Tables[0].Of(block)), colors),
		Label:    "Color of the edge in its block",
		Classes:  colors,
		View:     plot.Rect{X0: r.X0 - around, Y0: r.Y0 - around, X1: r.X1 + around, Y1: r.Y1 + around},
	}
}

// bounds is the smallest window that holds these nodes.
func bounds(xy []float64, nodes []int32) plot.Rect {
	r := plot.Rect{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, n := range nodes {
		x, y := xy[2*n], xy[2*n+1]
		r.X0, r.X1 = min(r.X0, x), max(r.X1, x)
		r.Y0, r.Y1 = min(r.Y0, y), max(r.Y1, y)
	}
	return r
}
