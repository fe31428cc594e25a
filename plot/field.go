package plot

import (
	"fmt"
	"math"
	"slices"
)

// Field is a scalar on a mesh, and, where it has Vectors, a vector.
type Field struct {
	Mesh Mesh

	// Values holds one value per cell or one per node; its length decides which. If a mesh has as
	// many cells as nodes, append an unused node to resolve the ambiguity.
	Values []float64

	// Vectors holds a vector for each cell or each node, x before y; nil: none.
	// Shape [cells or nodes, 2]. Those that are not finite are not drawn.
	Vectors []float64
}

// check returns an error unless f can be drawn, and whether its values are at
// the nodes.
func (f Field) check() (onNodes bool, err error) {
	if err := f.Mesh.check(); err != nil {
		return false, err
	}
	cells, nodes := f.Mesh.cells(), f.Mesh.nodes()
	if n := len(f.Vectors); n != 0 {
		switch {
		case cells == nodes && n == 2*cells:
			return false, fmt.Errorf("plot: %d components can be those of vectors on %d cells or on %d nodes: append an unused node", n, cells, nodes)
		case n != 2*cells && n != 2*nodes:
			return false, fmt.Errorf("plot: %d components of vectors are not 2 for each of %d cells or %d nodes", n, cells, nodes)
		}
	}
	switch n := len(f.Values); {
	case cells == nodes && n == cells:
		return false, fmt.Errorf("plot: %d values can be those of %d cells or of %d nodes: append an unused node", n, cells, nodes)
	case n == cells:
		return false, nil
	case n == nodes:
		return true, nil
	default:
		return false, fmt.Errorf("plot: %d values fit neither %d cells nor %d nodes", n, cells, nodes)
	}
}

// toCells returns the mean of each cell's corners. Shape [nodes] to [cells].
// A cell with a corner that is not finite is not finite.
func toCells(m Mesh, nodal []float64) []float64 {
	out := make([]float64, m.cells())
	for c := range out {
		corners := slices.Compact(slices.Clone(m.cell(c))) // one that is repeated counts once
		for _, n := range corners {
			out[c] += nodal[n] / float64(len(corners))
		}
	}
	return out
}

// toNodes returns at each node the mean of the cells around it, weighted by
// their areas. Shape [cells] to [nodes].
//
// Nodes at the same position, as along the cut of an O-mesh, get the same value: same[n] is the
// representative of node n. Cells with a value that is not finite are ignored, so that they do not
// affect their neighbors; a node with only such cells gets NaN.
func toNodes(m Mesh, cellwise []float64, same []int32) []float64 {
	sum := make([]float64, m.nodes())
	weight := make([]float64, m.nodes())
	for c, v := range cellwise {
		if !finite(v) {
			continue
		}
		area := math.Abs(m.area(c))
		for _, n := range m.cell(c) {
			sum[same[n]] += area * v
			weight[same[n]] += area
		}
	}
	for n := range sum {
		sum[n] /= weight[n]
	}
	out := make([]float64, m.nodes())
	for n := range out {
		out[n] = sum[same[n]]
	}
	return out
}
