package mesh

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/sorting"
)

// volumeDualizer makes the dual of a mesh of volumes: polyhedra around its nodes, with a face around each edge.
type volumeDualizer struct {
	m, to *Mesh
	f     *Facets
	steps []dualStep
	own   map[int32]int32    // of a node of the boundary, the dual's node where it is
	mids  map[[2]int32]int32 // of an edge of the boundary, the dual's node in its middle
	cell  []int32            // of a node, the cell around it; -1: none
	faces enclosure
}

// dualStep says which of the dual's nodes follow each other around an edge, counterclockwise as seen from its second node.
type dualStep struct{ edge, nodes [2]int32 }

// dualOfVolumes is Dual for a mesh of linear volumes.
func (m *Mesh) dualOfVolumes(f *Facets) (*Mesh, error) {
	d := &volumeDualizer{m: m, f: f, to: &Mesh{Dim: 3}, cell: m.corners().number, own: map[int32]int32{}, mids: map[[2]int32]int32{}}
	d.place()
	d.step()
	if err := d.around(); err != nil {
		return nil, err
	}
	return d.enclose()
}

// place makes the nodes of the dual: in the middle of cells, of faces and of edges of the boundary, and at its nodes.
func (d *volumeDualizer) place() {
	add := func(nodes ...int32) int32 {
		d.to.Points = append(d.to.Points, d.m.middle(nodes)...)
		return int32(d.to.Nodes() - 1)
	}
	for _, cell := range elementsOf(d.m.CellBlocks()) {
		add(cell.nodes...)
	}
	for _, face := range elementsOf(d.f.Boundary.Blocks) {
		add(face.nodes...)
	}
	for _, face := range elementsOf(d.f.Boundary.Blocks) {
		eachEdge(face.nodes, func(p, q int32) {
			if _, known := d.mids[edgeOf(p, q)]; !known {
				d.mids[edgeOf(p, q)] = add(p, q)
			}
		})
	}
	for _, n := range d.f.Boundary.Nodes() {
		d.own[n] = add(n)
	}
}

// eachEdge calls f with the ends of each edge of a face, as one goes around it.
func eachEdge(face []int32, f func(p, q int32)) {
	for i, p := range face {
		f(p, face[(i+1)%len(face)])
	}
}

// edgeOf returns the ends of an edge, the one of the lower number first.
func edgeOf(p, q int32) [2]int32 { return [2]int32{min(p, q), max(p, q)} }

// step finds what follows what around each edge. A face is counterclockwise as seen from its second cell, so around one
// of its edges, in the direction of the face, the second cell comes after the first.
func (d *volumeDualizer) step() {
	add := func(p, q, from, to int32) {
		if p > q {
			from, to = to, from
		}
		d.steps = append(d.steps, dualStep{edgeOf(p, q), [2]int32{from, to}})
	}
	for n := range d.f.Interior.Len() {
		cells := d.f.Interior.Cells[2*n : 2*n+2]
		eachEdge(d.f.Interior.nodesOf(n), func(p, q int32) { add(p, q, cells[0], cells[1]) })
	}
	for n := range d.f.Boundary.Len() {
		cell, middle := d.f.Boundary.Cells[n], int32(d.m.Cells()+n)
		eachEdge(d.f.Boundary.nodesOf(n), func(p, q int32) {
			add(p, q, cell, middle)
			add(p, q, middle, d.mids[edgeOf(p, q)])
		})
	}
	sorting.By(d.steps, func(a, b dualStep) int {
		return cmp.Or(cmp.Compare(a.edge[0], b.edge[0]), cmp.Compare(a.edge[1], b.edge[1]))
	})
}

// around makes the faces between the cells of the dual, one around each edge.
func (d *volumeDualizer) around() error {
	var steps [][2]int32 // around an edge
	for i, s := range d.steps {
		steps = append(steps, s.nodes)
		edge := s.edge
		if i+1 < len(d.steps) && d.steps[i+1].edge == edge {
			continue
		}
		face, whole := ring(steps)
		switch {
		case !whole:
			return fmt.Errorf("mesh: the dual: the boundary passes the edge of nodes %d and %d twice", edge[0], edge[1])
		case len(face) > mostCorners:
			return fmt.Errorf("mesh: the dual: the face around the edge of nodes %d and %d had %d corners, at most %d are possible", edge[0], edge[1], len(face), mostCorners)
		}
		d.faces.faces, d.faces.cells = append(d.faces.faces, face), append(d.faces.cells, [2]int32{d.cell[edge[0]], d.cell[edge[1]]})
		steps = steps[:0]
	}
	return nil
}

// enclose adds the quadrilaterals of the boundary, one at each corner of its faces, and their groups.
func (d *volumeDualizer) enclose() (*Mesh, error) {
	first := make([]int32, d.f.Boundary.Len()+1) // of the quadrilaterals in a face
	sides := Block{Kind: Quadrilateral}
	for n := range d.f.Boundary.Len() {
		corners := d.f.Boundary.nodesOf(n)
		first[n+1] = first[n] + int32(len(corners))
		for i, c := range corners {
			before, after := corners[(i+len(corners)-1)%len(corners)], corners[(i+1)%len(corners)]
			quadrilateral := []int32{d.own[c], d.mids[edgeOf(c, after)], int32(d.m.Cells() + n), d.mids[edgeOf(before, c)]}
			d.faces.faces, d.faces.cells = append(d.faces.faces, quadrilateral), append(d.faces.cells, [2]int32{d.cell[c], -1})
			sides.Nodes = append(sides.Nodes, quadrilateral...)
		}
	}
	facets := d.faces.facets()
	to, err := NewPolyhedra(d.to.Points, facets.Interior, facets.Boundary)
	if err != nil {
		return nil, fmt.Errorf("mesh: the dual: the boundary passes a node twice: %w", err)
	}
	err = d.f.addPartGroups(to, 1, func(faces []int32) (of []int32) {
		for _, n := range faces {
			for e := first[n]; e < first[n+1]; e++ {
				of = append(of, e)
			}
		}
		return of
	})
	if to.Groups != nil {
		to.Blocks = append(to.Blocks, sides)
	}
	return to, err
}

// addPartGroups gives another mesh the groups of the boundary, of which the elements of a block are parts.
func (f *Facets) addPartGroups(to *Mesh, block int, parts func(facets []int32) []int32) error {
	for i := range f.mesh.Groups {
		g := &f.mesh.Groups[i]
		if g.Dim != f.mesh.CellDim()-1 {
			continue
		}
		_, facets, err := f.Group(g)
		if err != nil {
			return err
		}
		if len(facets) > 0 {
			to.Groups = append(to.Groups, Group{g.Name, g.Tag, g.Dim, []Members{{block, parts(facets)}}})
		}
	}
	return nil
}

// ring returns the first nodes of steps in the order in which these lead around from that of the first, and whether it passes
// all of them, each once.
func ring(steps [][2]int32) (nodes []int32, whole bool) {
	after := make(map[int32]int32, len(steps))
	for _, s := range steps {
		after[s[0]] = s[1]
	}
	if len(after) < len(steps) {
		return nil, false
	}
	at := steps[0][0]
	for len(nodes) == 0 || at != steps[0][0] && len(nodes) < len(steps) {
		nodes = append(nodes, at)
		at = after[at]
	}
	return nodes, len(nodes) == len(steps) && at == steps[0][0]
}
