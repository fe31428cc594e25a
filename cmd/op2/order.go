package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

// makeOrder renumbers the airfoil example's mesh, says how far apart in memory the two
// cells of an edge are before and after, and draws the cells by their new numbers.
func makeOrder(out io.Writer, args []string) error {
	f := newFlags("order", out)
	i := f.Int("i", 50, "cells along the airfoil; the mesh has 3 * i * j cells")
	j := f.Int("j", 80, "cells from the airfoil outwards")
	file := f.String("mesh", "", "the `file` to read the mesh from, as new_grid.dat, instead of making it")
	seed := f.Uint64("shuffle", 1, "first number everything at random, by this `seed`; 0: as the mesh is")
	maps := f.Bool("maps", false, "go by the maps alone, without coordinates")
	path := f.String("o", "order.png", "the `file` to draw; empty: none")
	if err := parse(f, args); err != nil {
		return err
	}
	m, err := planMesh(f, *file, *i, *j)
	if err != nil {
		return fmt.Errorf("op2 order: %w", err)
	}
	if *seed != 0 {
		m.Shuffle(*seed)
	}
	cells, edgeCells, err := renumbered(m, *maps)
	if err != nil {
		return fmt.Errorf("op2 order: %w", err)
	}
	fmt.Fprintf(out, "%-16s%d\n", "cells", m.Cells)
	fmt.Fprintf(out, "%-16s%s\n", "before", apart(m.EdgeCells))
	if _, err := fmt.Fprintf(out, "%-16s%s\n", "after", apart(edgeCells)); err != nil || *path == "" {
		return err
	}
	values := make([]float64, m.Cells)
	for n, declared := range cells {
		values[declared] = float64(n)
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.XY, Cells: m.CellNodes, Corners: 4}, Values: values}
	o := plot.Options{
		Title:    "Cells by their new numbers",
		Subtitle: fmt.Sprintf("%d cells; the two cells of an edge are %s", m.Cells, apart(edgeCells)),
		Label:    "Number",
		View:     nearWall(m),
	}
	if err := plot.WriteFile(*path, field, o); err != nil {
		return fmt.Errorf("op2 order: %w", err)
	}
	_, err = fmt.Fprintf(out, "%-16s%s\n", "drawn", *path)
	return err
}

// renumbered are the declared number of each cell and the cells of each edge, after
// Renumber.
func renumbered(m *mesh.Airfoil, maps bool) (cells, edgeCells []int32, err error) {
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		return nil, nil, err
	}
	defer rt.Close()
	nodeSet, err1 := rt.NewSet(m.Nodes, "nodes")
	edgeSet, err2 := rt.NewSet(m.Edges, "edges")
	cellSet, err3 := rt.NewSet(m.Cells, "cells")
	bedgeSet, err4 := rt.NewSet(m.Bedges, "bedges")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, nil, err
	}
	_, err1 = op2.NewMap(cellSet, nodeSet, 4, m.CellNodes, "cell2node")
	edge2cell, err2 := op2.NewMap(edgeSet, cellSet, 2, m.EdgeCells, "edge2cell")
	_, err3 = op2.NewMap(bedgeSet, cellSet, 1, m.BedgeCell, "bedge2cell")
	x, err4 := op2.NewDat(nodeSet, 2, m.XY, "x")
	_, err5 := op2.NewDat[float64](cellSet, 13, nil, "flow") // as much as the example has in a cell
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, nil, err
	}
	if maps {
		err = rt.Renumber()
	} else {
		err = rt.Renumber(x)
	}
	return cellSet.DeclaredNumbers(), edge2cell.Values(), err
}

// apart says how far apart the numbers of the two cells of an edge are.
func apart(edgeCells []int32) string {
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
