package mesh

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
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
	if !to.check(m.declarable(rt)) {
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
	to.Cells = to.newSet(m.cellsHere(), "cells")
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

// plural returns the name of a set of elements of a kind.
func plural(k Kind) string {
	switch k {
	case Tetrahedron:
		return "tetrahedra"
	case Polyhedron:
		return "polyhedra"
	case Hexahedron:
		return "hexahedra"
	}
	return k.String() + "s"
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

// oriented reports whether the mesh has facets with the right orientation: no cell has a negative area or volume.
func (to *Declared) oriented() bool {
	if !to.findFacets() {
		return false
	}
	m := to.mesh
	if m.Dim != m.CellDim() {
		return true // no side of a surface is the wrong one
	}
	return to.check(m.inverted())
}

// inverted returns the error that a cell has a negative area or volume, or nil.
func (m *Mesh) inverted() error {
	measures, err := m.Measures()
	if err != nil {
		return err
	}
	n := slices.IndexFunc(measures, func(size float64) bool { return size < 0 })
	if n < 0 {
		return nil
	}
	block, e := m.locate(n)
	hint := "Mesh.Orient makes the orientation of all cells positive"
	if m.polyhedral() {
		hint = "reverse the nodes of its faces, or the order of the two cells of each"
	}
	return fmt.Errorf("mesh: %s %d is inverted, its %s is %.3g: normals would point the wrong way\n  hint: "+hint, m.Blocks[block].Kind, m.share.first(block)+int64(e), []string{"area", "volume"}[m.Dim-2], measures[n])
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

// orientedFacets returns the facets for an option that orients those of cells of a dimension; after an error none.
func (to *Declared) orientedFacets(option string, dim int, hint string) *Facets {
	if to.needs(option, dim, hint) && to.oriented() {
		return to.facets
	}
	return &Facets{}
}

func (to *Declared) declareEdges() {
	f := to.orientedFacets("WithEdges", 2, "WithFaces is for volumes")
	to.Edges, to.EdgeNodes, to.EdgeCells = to.declareSides(&f.Interior, "edge", 2, 2)
	to.Bedges, to.BedgeNodes, to.BedgeCell = to.declareSides(&f.Boundary, "bedge", 2, 1)
}

func (to *Declared) declareFaces() {
	f := to.orientedFacets("WithFaces", 3, "WithEdges is for areas")
	arity := f.arity()
	to.Faces, to.FaceNodes, to.FaceCells = to.declareSides(&f.Interior, "face", arity, 2)
	to.Bfaces, to.BfaceNodes, to.BfaceCell = to.declareSides(&f.Boundary, "bface", arity, 1)
}

// arity returns the number of nodes that all facets can have in one map.
func (f *Facets) arity() int {
	var kind Kind
	for _, side := range []*Sides{&f.Interior, &f.Boundary} {
		for i := range side.Blocks {
			if k := side.Blocks[i].Kind; kind == 0 || kind == k {
				kind = k
			} else {
				return 4
			}
		}
	}
	return max(1, kind.Nodes())
}

// inOneMap returns the nodes of all facets, as many for each: those that the kind has, or else the four corners of a
// face, the last of a triangle twice.
func (s *Sides) inOneMap(arity int) []int32 {
	if len(s.Blocks) == 1 && s.Blocks[0].Kind.Nodes() == arity {
		return s.Blocks[0].Nodes
	}
	nodes := make([]int32, 0, arity*s.Len())
	for i := range s.Blocks {
		b := &s.Blocks[i]
		for e := range b.Len() {
			corners := b.Element(e)[:b.Kind.Corners()]
			nodes = append(nodes, corners...)
			for range arity - len(corners) {
				nodes = append(nodes, corners[len(corners)-1])
			}
		}
	}
	return nodes
}

// nodes appends the nodes of all facets.
func (s *Sides) nodes(to []int32) []int32 {
	for i := range s.Blocks {
		to = append(to, s.Blocks[i].Nodes...)
	}
	return to
}

// ends appends where the nodes of each facet end, which begin where the last of the ends is.
func (s *Sides) ends(to []int32) []int32 {
	for i := range s.Blocks {
		for range s.Blocks[i].Len() {
			to = append(to, to[len(to)-1]+int32(s.Blocks[i].Kind.Nodes()))
		}
	}
	return to
}

// declareSides declares facets and their maps.
func (to *Declared) declareSides(s *Sides, name string, arity, cells int) (set *op2.Set, nodes, cell *op2.Map) {
	set = to.newSet(s.Len(), name+"s")
	if to.mesh.polyhedral() {
		nodes = op2.NewVaryingMap(set, to.Nodes, s.ends([]int32{0}), s.nodes(nil), name+"2node")
	} else {
		if len(s.Blocks) == 1 {
			arity = s.Blocks[0].Kind.Nodes()
		}
		nodes = op2.NewMap(set, to.Nodes, arity, s.inOneMap(arity), name+"2node")
	}
	cell = op2.NewMap(set, to.Cells, cells, s.Cells, name+"2cell")
	return set, nodes, cell
}

// found returns the result of a method of the mesh, or of that for shares; after an error, an empty one.
func found[T any](to *Declared, whole, ofShare func() (*T, error)) *T {
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

func (to *Declared) declareCellEdges() {
	e := found(to, to.mesh.Edges, to.mesh.edgesOfShare)
	to.AllEdges = to.newSet(e.Len(), "alledges")
	to.AllEdgeNodes = op2.NewMap(to.AllEdges, to.Nodes, 2, e.Nodes, "alledge2node")
	only := to.eachKind(len(e.Cells), func(k *DeclaredKind, i int, from string) {
		k.Edges, k.EdgeSigns = to.declareParts(k, to.AllEdges, len(k.Kind.Edges()), e.Cells[i], e.Signs[i], from, "edge")
	})
	to.CellEdges, to.EdgeSigns = only.Edges, only.EdgeSigns
}

func (to *Declared) declareCellFaces() {
	f := to.orientedFacets("WithCellFaces", 3, "WithCellEdges has the edges of areas")
	if f.Ends != nil {
		to.AllFaces = to.newSet(f.Interior.Len()+f.Boundary.Len(), "allfaces")
		to.AllFaceNodes = op2.NewVaryingMap(to.AllFaces, to.Nodes, f.Boundary.ends(f.Interior.ends([]int32{0})), f.Boundary.nodes(f.Interior.nodes(nil)), "allface2node")
		to.CellFaces = op2.NewVaryingMap(to.Cells, to.AllFaces, append([]int32{0}, f.Ends...), f.Cells[0], "cell2face")
		to.Kinds[0].Faces = to.CellFaces
		return
	}
	arity := f.arity()
	nodes := append(append([]int32{}, f.Interior.inOneMap(arity)...), f.Boundary.inOneMap(arity)...)
	if s := to.mesh.share; s != nil && to.err == nil {
		nodes = to.oneAfterTheOther(f, nodes, arity)
	}
	to.AllFaces = to.newSet(len(nodes)/arity, "allfaces")
	to.AllFaceNodes = op2.NewMap(to.AllFaces, to.Nodes, arity, nodes, "allface2node")
	only := to.eachKind(len(f.Cells), func(k *DeclaredKind, i int, from string) {
		k.Faces, k.FaceSigns = to.declareParts(k, to.AllFaces, len(k.Kind.Facets()), f.Cells[i], f.Signs[i], from, "face")
	})
	to.CellFaces, to.FaceSigns = only.Faces, only.FaceSigns
}

// declareParts declares the map from the cells of a kind to their edges or faces, and the signs of these.
func (to *Declared) declareParts(k *DeclaredKind, parts *op2.Set, arity int, numbers []int32, signs []int8, from, name string) (*op2.Map, *op2.Dat[float64]) {
	values := make([]float64, len(signs))
	for i, s := range signs {
		values[i] = float64(s)
	}
	sign := strings.TrimPrefix(from+" "+name+"sign", "cell ")
	return op2.NewMap(k.Cells, parts, arity, numbers, from+"2"+name), op2.NewDat(k.Cells, arity, values, sign)
}

func (to *Declared) declareCorners() {
	c := found(to, to.mesh.Corners, to.mesh.cornersOfShare)
	to.corners = c
	to.Corners = to.newSet(c.Len(), "corners")
	to.CornerNode = op2.NewMap(to.Corners, to.Nodes, 1, c.Nodes, "corner2node")
	to.CellCorners = to.eachKind(len(c.Cells), func(k *DeclaredKind, i int, from string) {
		k.Corners = op2.NewMap(k.Cells, to.Corners, k.Kind.Corners(), c.Cells[i], from+"2corner")
	}).Corners
}
