package mesh

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// Declared is a mesh as sets, maps and coordinates of a runtime. [Mesh.Declare] makes it. What is done with something that
// no option has declared returns an error that names the option.
type Declared struct {
	Nodes *op2.Set          // "nodes"
	X     *op2.Dat[float64] // "x", the coordinates: [nodes][Mesh.Dim]
	Cells *op2.Set          // "cells", all of them, block after block

	// CellNodes maps a cell to its nodes, "cell2node": [cells][Kind.Nodes()], or rows of different lengths for polyhedra. It is
	// nil if there are cells of several kinds, which [Declared.Kinds] has.
	CellNodes *op2.Map

	// Polygons maps a cell of a mesh of areas to its corners, one after the other, whatever its kind, "cell2polygon": rows of
	// different lengths. See [WithPolygons].
	Polygons *op2.Map

	// Kinds is the cells of each kind, in the order of the mesh's blocks.
	Kinds []DeclaredKind

	// The edges between two cells of a mesh of areas, and those of its boundary, with the nodes and cells that
	// [Facets] has for them: see [WithEdges].
	Edges      *op2.Set // "edges"
	EdgeNodes  *op2.Map // "edge2node": [edges][2], or 3 of second order
	EdgeCells  *op2.Map // "edge2cell": [edges][2]
	Bedges     *op2.Set // "bedges"
	BedgeNodes *op2.Map // "bedge2node": [bedges][2], or 3 of second order
	BedgeCell  *op2.Map // "bedge2cell": [bedges][1]

	// The faces between two cells of a mesh of volumes, and those of its boundary: see [WithFaces]. They have as many
	// nodes as their kind: 3 or 4; of second order 6, 8 or 9. Where some are triangles and others quadrilaterals, it is 4. The
	// maps from faces of polyhedra to nodes have rows of different lengths.
	Faces      *op2.Set // "faces"
	FaceNodes  *op2.Map // "face2node": [faces][nodes of a face]
	FaceCells  *op2.Map // "face2cell": [faces][2]
	Bfaces     *op2.Set // "bfaces"
	BfaceNodes *op2.Map // "bface2node": [bfaces][nodes of a face]
	BfaceCell  *op2.Map // "bface2cell": [bfaces][1]

	// All edges of the cells, in the order of [Edges]: see [WithCellEdges].
	AllEdges     *op2.Set          // "alledges"
	AllEdgeNodes *op2.Map          // "alledge2node", the ends: [alledges][2]
	CellEdges    *op2.Map          // "cell2edge": [cells][edges]; nil if there are cells of several kinds
	EdgeSigns    *op2.Dat[float64] // "edgesign", 1 or -1: [cells][edges]; nil if there are cells of several kinds

	// All faces of the cells, those between two cells first: see [WithCellFaces]. Of polyhedra, the maps have rows of different
	// lengths, and there are no signs: a face has that of the first of its cells.
	AllFaces     *op2.Set          // "allfaces"
	AllFaceNodes *op2.Map          // "allface2node": [allfaces][nodes of a face]
	CellFaces    *op2.Map          // "cell2face": [cells][faces]; nil if there are cells of several kinds
	FaceSigns    *op2.Dat[float64] // "facesign", 1 or -1: [cells][faces]; nil if there are cells of several kinds

	// The corners of the cells, for functions that are linear beside those of second order: see [WithCorners].
	Corners     *op2.Set // "corners"
	CellCorners *op2.Map // "cell2corner": [cells][Kind.Corners()]; nil if there are cells of several kinds
	CornerNode  *op2.Map // "corner2node", the node that a corner is: [corners][1]

	rt      *op2.Runtime // one that has failed, after an error of the mesh
	err     error        // the first one: of nodes or coordinates, or of the mesh
	mesh    *Mesh
	keep    bool    // the order of the mesh in memory
	facets  *Facets // nil until something needs them
	corners *Corners
	subsets map[string]*op2.Subset
}

// DeclaredKind is the cells of one kind. Where there is no other, its set and maps are those of all cells.
type DeclaredKind struct {
	Kind  Kind
	Cells *op2.Set // "triangles"
	Nodes *op2.Map // "triangle2node": [triangles][Kind.Nodes()]
	Cell  *op2.Map // "triangle2cell", the number among all cells: [triangles][1]; nil if there is no other kind

	Edges     *op2.Map          // "triangle2edge": see [WithCellEdges]
	EdgeSigns *op2.Dat[float64] // "triangle edgesign"
	Faces     *op2.Map          // "tetrahedron2face": see [WithCellFaces]
	FaceSigns *op2.Dat[float64] // "tetrahedron facesign"
	Corners   *op2.Map          // "triangle62corner": see [WithCorners]
}

// check keeps the first error, after which nothing is declared, and reports whether there has been none.
func (to *Declared) check(err error) bool {
	if s := to.mesh.share; s != nil {
		err = s.rt.Agree(err)
	}
	if err != nil && to.err == nil {
		to.rt = failed(to.rt, err)
		to.err = to.rt.Err()
	}
	return to.err == nil
}

// failed returns a runtime whose declarations fail with an error, which rt keeps.
func failed(rt *op2.Runtime, err error) *op2.Runtime {
	return (*op2.Runtime)((*entity.Runtime)(rt).Fail(err))
}

// newSet declares a set, of which a share declares n elements.
func (to *Declared) newSet(n int, name string) *op2.Set {
	if to.mesh.share != nil {
		return to.rt.NewSetShare(n, name)
	}
	return to.rt.NewSet(n, name)
}

// needs reports whether the cells have a dimension, as an option needs it.
func (to *Declared) needs(option string, dim int, hint string) bool {
	if to.err != nil || to.mesh.CellDim() == dim {
		return to.err == nil
	}
	cells := "the mesh has no cells"
	if len(to.mesh.Blocks) > 0 {
		cells = "the cells are " + plural(to.mesh.Blocks[0].Kind)
	}
	if to.mesh.CellDim() < 2 {
		hint = "edges and faces are those of areas and volumes; Cells are what loops over lines or points run over, with their nodes in CellNodes"
	}
	return to.check(fmt.Errorf("mesh: %s: %s: %s", option, cells, hint))
}

// findFacets finds the facets of the mesh, once, and reports whether it has them.
func (to *Declared) findFacets() bool {
	if to.facets == nil && to.err == nil {
		f, err := collectively(to.mesh, to.mesh.Facets, to.mesh.facetsOfShare)
		if to.check(err) {
			to.facets = f
		}
	}
	return to.facets != nil
}

// orientedFacets returns the facets for an option that orients those of cells of a dimension; after an error none.
func (to *Declared) orientedFacets(option string, dim int, hint string) *Facets {
	m := to.mesh
	if !to.needs(option, dim, hint) || !to.findFacets() {
		return &Facets{}
	}
	// No side of a surface is the wrong one.
	if m.Dim == m.CellDim() && !to.check(m.inverted()) {
		return &Facets{}
	}
	return to.facets
}

// findOn returns the result of a method of the mesh, or of that for shares; after an error, an empty one.
func findOn[T any](to *Declared, whole, ofShare func() (*T, error)) *T {
	if to.err == nil {
		if t, err := collectively(to.mesh, whole, ofShare); to.check(err) {
			return t
		}
	}
	return new(T)
}

// eachKind calls declare with each of the first known kinds of cells, and with the prefix of the names of its maps. It
// returns the only kind, or an empty one.
func (to *Declared) eachKind(known int, declare func(k *DeclaredKind, i int, from string)) DeclaredKind {
	for i := range min(known, len(to.Kinds)) {
		from := "cell"
		if len(to.Kinds) > 1 {
			from = to.Kinds[i].Kind.String()
		}
		declare(&to.Kinds[i], i, from)
	}
	if len(to.Kinds) == 1 {
		return to.Kinds[0]
	}
	return DeclaredKind{}
}
