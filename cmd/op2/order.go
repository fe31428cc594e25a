package main

import (
	"flag"
	"fmt"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

// makeOrder renumbers the airfoil example's mesh, or that of a file, prints how far apart in memory the two cells of
// an edge are before and after, and draws the cells by their new numbers.
func makeOrder(c console, args []string) error {
	f := newFlags("order", "")
	i := f.Int("i", 50, "cells along the airfoil; the mesh has 3 * i * j cells")
	j := f.Int("j", 80, "cells from the airfoil outwards")
	file := f.String("mesh", "", "the `file` to read a plane mesh from, .msh, .vtu or .dat, instead of making the airfoil's")
	seed := f.Uint64("shuffle", 1, "first number everything at random, by this `seed`; 0: as the mesh is")
	maps := f.Bool("maps", false, "use the maps alone, without coordinates")
	path := f.String("o", "order.png", "the `file` to draw; empty: none")
	if err := parse(c, f, args); err != nil {
		return err
	}
	m, err := airfoilMesh(f, *file, *i, *j)
	if err != nil {
		return err
	}
	if *seed != 0 {
		m.Shuffle(*seed)
	}
	cells, before, after, err := renumbered(m, *maps)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.results, "%-16s%d\n", "cells", m.Cells())
	fmt.Fprintf(c.results, "%-16s%s\n", "before", describeApart(before))
	if _, err := fmt.Fprintf(c.results, "%-16s%s\n", "after", describeApart(after)); err != nil || *path == "" {
		return err
	}
	values := make([]float64, m.Cells())
	for n, declared := range cells {
		values[declared] = float64(n)
	}
	polygons, corners, err := m.Polygons()
	if err != nil {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: polygons, Corners: corners}, Values: values}
	o := plot.Options{
		Title:    "Cells by their new numbers",
		Subtitle: fmt.Sprintf("%d cells; the two cells of an edge are %s", m.Cells(), describeApart(after)),
		Label:    "Number",
		View:     nearWall(m),
	}
	if err := plot.WriteFile(*path, field, o); err != nil {
		return err
	}
	return c.wrote(*path)
}

// renumbered returns the declared number of each cell, and the cells of each edge as declared and as Renumber orders them
// in memory.
func renumbered(m *mesh.Mesh, maps bool) (cells, before, after []int32, err error) {
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		return nil, nil, nil, err
	}
	defer rt.Close()
	declared := m.Declare(rt, mesh.WithEdges(), mesh.KeepOrder())
	op2.NewDat[float64](declared.Cells, 13, nil, "flow") // as much as the airfoil example has per cell
	if err := rt.Err(); err != nil {
		return nil, nil, nil, err
	}
	before = declared.EdgeCells.Values()
	if maps {
		err = rt.Renumber()
	} else {
		err = rt.Renumber(declared.X)
	}
	return (*entity.Set)(declared.Cells).StoredNumbers(), before, (*entity.Map)(declared.EdgeCells).Values(), err
}

// describeApart describes how far apart the numbers of the two cells of an edge are.
func describeApart(edgeCells []int32) string {
	if len(edgeCells) == 0 {
		return "no edges"
	}
	var distances []int32
	for pair := range slices.Chunk(edgeCells, 2) {
		distances = append(distances, max(pair[0], pair[1])-min(pair[0], pair[1]))
	}
	slices.Sort(distances)
	return fmt.Sprintf("%d apart in the median, %d at most", distances[len(distances)/2], distances[len(distances)-1])
}

// airfoilMesh reads the mesh, or generates it.
func airfoilMesh(f *flag.FlagSet, file string, i, j int) (*mesh.Mesh, error) {
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
	return mesh.ReadFile(file)
}

// nearWall returns the window around the airfoil: about half a chord on each side. Without an
// airfoil it is the whole mesh.
func nearWall(m *mesh.Mesh) plot.Rect {
	wall, err := m.GroupNodes("wall")
	if err != nil {
		return plot.Rect{}
	}
	var ends []float64
	for _, n := range wall {
		ends = append(ends, m.Point(n)...)
	}
	r := bounds(ends)
	chord, middle := r.X1-r.X0, (r.Y0+r.Y1)/2
	return plot.Rect{X0: r.X0 - chord/2, Y0: middle - 0.65*chord, X1: r.X1 + chord/2, Y1: middle + 0.65*chord}
}
