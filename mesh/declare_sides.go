package mesh

import (
	"strings"

	"github.com/go-op2/op2"
)

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
	for _, side := range elementsOf(s.Blocks) {
		corners := side.corners()
		nodes = append(nodes, corners...)
		for range arity - len(corners) {
			nodes = append(nodes, corners[len(corners)-1])
		}
	}
	return nodes
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

func (to *Declared) declareCellEdges() {
	e := findOn(to, to.mesh.Edges, to.mesh.edgesOfShare)
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

// oneAfterTheOther returns the nodes of those facets that the rank declares if those of the interior and of the boundary
// are one set, given the ones of each that it has. It is collective.
func (to *Declared) oneAfterTheOther(f *Facets, nodes []int32, arity int) []int32 {
	s := to.mesh.share
	rows, err := collectively(to.mesh, nil, func() ([]int32, error) {
		var starts [2]int32
		for i, side := range []*Sides{&f.Interior, &f.Boundary} {
			all, err := s.rt.Offsets(side.Len())
			if err != nil {
				return nil, err
			}
			starts[i] = int32(all[s.rt.Rank()]) + int32(i)*f.interior
		}
		var rows []int32
		for n := range len(nodes) / arity {
			number := starts[0] + int32(n)
			if n >= f.Interior.Len() {
				number = starts[1] + int32(n-f.Interior.Len())
			}
			rows = append(append(rows, number), nodes[n*arity:(n+1)*arity]...)
		}
		return spread(s.rt, int64(f.all), rows, 1+arity)
	})
	if !to.check(err) {
		return nil
	}
	return rows
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
	c := findOn(to, to.mesh.Corners, to.mesh.cornersOfShare)
	to.corners = c
	to.Corners = to.newSet(c.Len(), "corners")
	to.CornerNode = op2.NewMap(to.Corners, to.Nodes, 1, c.Nodes, "corner2node")
	to.CellCorners = to.eachKind(len(c.Cells), func(k *DeclaredKind, i int, from string) {
		k.Corners = op2.NewMap(k.Cells, to.Corners, k.Kind.Corners(), c.Cells[i], from+"2corner")
	}).Corners
}
