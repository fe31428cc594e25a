package mesh

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// DeclareOption selects what [Mesh.Declare] declares besides nodes and cells.
type DeclareOption func(*Declared)

// WithEdges declares the edges of a mesh of areas for finite volumes: those between two cells, which have two, and apart
// from them those of the boundary, which have one. The first cell of an edge lies to the left as one goes from
// its first node to its second: (y1-y0, x0-x1) is the normal out of it, into the second cell, or out of the mesh.
func WithEdges() DeclareOption { return (*Declared).declareEdges }

// WithFaces declares the faces of a mesh of volumes for finite volumes: those between two cells, which have two, and
// apart from them those of the boundary, which have one. Seen from outside the first cell, the nodes of a face are
// counterclockwise. Where faces are triangles and quadrilaterals, all have four nodes, the last two of a
// triangle being the same.
func WithFaces() DeclareOption { return (*Declared).declareFaces }

// WithCellEdges declares all edges of the cells for finite elements with unknowns on edges, and a map from the cells
// to them. Edges run from the node of the lower number to that of the higher, in the numbers of the mesh; a sign of -1
// says that an edge runs the other way than [Kind.Edges] has it.
func WithCellEdges() DeclareOption { return (*Declared).declareCellEdges }

// WithCellFaces declares all faces of the cells for finite elements with unknowns on faces, and a map from the cells to
// them. A sign of -1 says that a face's normal, out of its first cell, leads into the cell.
func WithCellFaces() DeclareOption { return (*Declared).declareCellFaces }

// WithCorners declares the corners of the cells as a set of their own, in the order of [Corners], and a map from the
// cells to them: on a mesh of second order, [Declared.Nodes] is for quadratic functions and [Declared.Corners] for linear
// ones, such as velocity and pressure in Taylor and Hood's elements.
func WithCorners() DeclareOption { return (*Declared).declareCorners }

// WithPolygons declares the cells of a mesh of areas as polygons: a map from all of them to their corners, whose rows have
// different lengths. Kernels range over what there is. See [Mesh.Polygons] for what counts as a corner.
func WithPolygons() DeclareOption { return (*Declared).declarePolygons }

// KeepOrder leaves the mesh in memory in the order that it has, instead of giving it a better one.
func KeepOrder() DeclareOption { return func(to *Declared) { to.keep = true } }

// Declare declares the mesh: nodes, their coordinates, cells, and what the options add. Names and arities
// are in the comments on [Declared].
//
//	m := airfoil.Declare(rt, mesh.WithEdges())
//	q := op2.NewDat[float64](m.Cells, 4, nil, "q")
//	flux := op2.NewLoop(k, m.Edges, m.X.Read(m.EdgeNodes), q.Read(m.EdgeCells))
//	wall := op2.NewLoop(k, m.BoundaryOf("wall"), m.X.Read(m.BedgeNodes), q.Read(m.BedgeCell))
//	if err := rt.Err(); err != nil {
//		return err
//	}
//
// Of a share, it declares what this rank has of the sets, and is collective: see [ReadShare].
//
// An error is that of rt.Err, and what is declared returns it: an index of the mesh is out of range, [Mesh.Facets]
// fails, or, with an option that orients edges or faces outwards, a cell has a negative area or volume.
//
// The numbers are those of the mesh. If its order is a bad one for loops, as that of Gmsh is, the first loop, sparsity
// or solver gives it a better one in memory, as [op2.Runtime.Renumber] does, which programs do not see; see [KeepOrder].
func (m *Mesh) Declare(rt *op2.Runtime, options ...DeclareOption) *Declared {
	to := &Declared{rt: rt, mesh: m, subsets: map[string]*op2.Subset{}}
	if m == nil {
		to.mesh = &Mesh{Dim: 2}
		to.check(errors.New("mesh: Declare: the mesh is nil\n  hint: look at the error of what has read or made it"))
		m = to.mesh
	}
	err := m.fits()
	if m.share != nil && m.share.rt != (*entity.Runtime)(rt) {
		err = errors.New("mesh: Declare: the mesh is a share that ReadShare has read for another runtime")
	}
	if !to.check(err) {
		m = &Mesh{Dim: 2}
		to.mesh = m
	}
	points := m.Points
	if m.share != nil {
		points = m.share.points
	}
	to.Nodes = to.newSet(len(points)/max(1, m.Dim), "nodes")
	to.X = op2.NewDat(to.Nodes, max(1, m.Dim), points, "x")
	to.check(to.X.Err())
	cells := m.Cells()
	if s := m.share; s != nil { // it declares as many as its slab has
		slabs, rank := s.cellSlabs(m), s.rt.Rank()
		cells = int(slabs[rank+1] - slabs[rank])
	}
	to.Cells = to.newSet(cells, "cells")
	to.declareKinds()
	for _, option := range options {
		if option != nil {
			option(to)
		}
	}
	if m.share != nil && to.facets != nil {
		to.facets = to.facets.ofElements()
	}
	to.lack()
	if !to.keep && to.err == nil {
		distribute.RenumberLater((*entity.Set)(to.Nodes).Runtime(), (*entity.Data)(to.X))
	}
	return to
}

// lack declares placeholders for the sets and maps that no option has requested: their errors name
// the option.
func (to *Declared) lack() {
	for _, o := range []struct {
		option string
		sets   []**op2.Set
		maps   []**op2.Map
		signs  **op2.Dat[float64]
	}{
		{"WithEdges", []**op2.Set{&to.Edges, &to.Bedges}, []**op2.Map{&to.EdgeNodes, &to.EdgeCells, &to.BedgeNodes, &to.BedgeCell}, nil},
		{"WithFaces", []**op2.Set{&to.Faces, &to.Bfaces}, []**op2.Map{&to.FaceNodes, &to.FaceCells, &to.BfaceNodes, &to.BfaceCell}, nil},
		{"WithCellEdges", []**op2.Set{&to.AllEdges}, []**op2.Map{&to.AllEdgeNodes, &to.CellEdges}, &to.EdgeSigns},
		{"WithCellFaces", []**op2.Set{&to.AllFaces}, []**op2.Map{&to.AllFaceNodes, &to.CellFaces}, &to.FaceSigns},
		{"WithCorners", []**op2.Set{&to.Corners}, []**op2.Map{&to.CornerNode, &to.CellCorners}, nil},
		{"WithPolygons", nil, []**op2.Map{&to.Polygons}, nil},
	} {
		if *o.maps[0] != nil {
			continue
		}
		rt := (*entity.Runtime)(to.rt).Lack(fmt.Errorf("mesh: it is not declared\n  hint: declare the mesh with mesh.%s()", o.option))
		for _, s := range o.sets {
			*s = (*op2.Set)(entity.InertSet(rt, ""))
		}
		for _, m := range o.maps {
			*m = (*op2.Map)(entity.InertMap(rt, 1, ""))
		}
		if o.signs != nil {
			*o.signs = (*op2.Dat[float64])(entity.InertDat(rt, 1, loop.TypeFor[float64](), ""))
		}
	}
}

// declareKinds declares the cells of each kind.
func (to *Declared) declareKinds() {
	blocks := to.mesh.CellBlocks()
	for i := range blocks {
		b := &blocks[i]
		k := DeclaredKind{Kind: b.Kind, Cells: to.Cells}
		if b.Kind == Polyhedron {
			to.CellNodes = op2.NewVaryingMap(to.Cells, to.Nodes, append([]int32{0}, b.Ends...), b.Nodes, "cell2node")
			k.Nodes = to.CellNodes
		} else if len(blocks) == 1 {
			to.CellNodes = op2.NewMap(to.Cells, to.Nodes, b.Kind.Nodes(), to.mesh.share.declared(b.Nodes), "cell2node")
			k.Nodes = to.CellNodes
		} else {
			numbers := make([]int32, b.Len())
			for e := range numbers {
				numbers[e] = to.mesh.cellNumber(i, int32(e))
			}
			k.Cells = to.newSet(b.Len(), plural(b.Kind))
			k.Nodes = op2.NewMap(k.Cells, to.Nodes, b.Kind.Nodes(), to.mesh.share.declared(b.Nodes), b.Kind.String()+"2node")
			k.Cell = op2.NewMap(k.Cells, to.Cells, 1, numbers, b.Kind.String()+"2cell")
		}
		to.Kinds = append(to.Kinds, k)
	}
}
