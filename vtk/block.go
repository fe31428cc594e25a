package vtk

import (
	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/mesh"
)

// block is a part of the mesh that has a file of its own: the cells or some of them, or elements of lower dimension.
type block struct {
	name     string
	all      []kindElements // with the numbers of its nodes
	geometry *vtu.File
	nodes    []int32  // that it has, among those of the mesh; nil: all
	cells    bool     // its elements are cells
	elements []int32  // that it has, among all cells or those of set; nil: all
	set      *op2.Set // of lower dimension, whose dats it has; nil: none
}

// take returns the values of a field on the nodes or elements of the block, and whether it has them.
func (b *block) take(p *prepared) (tuples, bool) {
	rows := b.nodes
	if !p.onNodes {
		if rows = b.elements; p.on != b.set || p.on == nil && !b.cells {
			return tuples{}, false
		}
	}
	if rows == nil {
		return p.values, true
	}
	return p.values.rows(rows), true
}

// kindElements are elements of one kind.
type kindElements struct {
	kind  mesh.Kind
	nodes []int32

	ends  []int32     // of polyhedra: where the nodes of each end
	faces [][][]int32 // and the corners of its faces
}

// encoded returns the elements as a file has them.
func (e *kindElements) encoded() vtu.Block {
	b := vtu.Block{Type: e.kind.VTKType(), Arity: e.kind.Nodes(), Nodes: e.nodes, Ends: e.ends}
	if e.faces != nil {
		b.Faces, b.FaceEnds = vtu.FacesOf(len(e.faces), func(i int) [][]int32 { return e.faces[i] })
	}
	return b
}
