package mesh

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/sorting"
)

// enclosure matches the faces of polyhedra, cell by cell: what two cells have is between them.
type enclosure struct {
	faceTable            // each face counterclockwise as seen from outside its first cell
	cells     [][2]int32 // of each; -1: there is no second one
}

// add adds the faces of a cell, whose corners are counterclockwise as seen from outside.
func (e *enclosure) add(cell int32, faces [][]int32) error {
	for _, face := range faces {
		if Polygon(len(face)) == 0 {
			return fmt.Errorf("cell %d: expected faces of 3 to %d corners, found one of %d", cell, mostCorners, len(face))
		}
		switch at, added := e.number(face); {
		case added:
			e.cells = append(e.cells, [2]int32{cell, -1})
		case e.cells[at][1] >= 0:
			return fmt.Errorf("the face with nodes %s has more than two cells: %d, %d and %d", listed(face), e.cells[at][0], e.cells[at][1], cell)
		default:
			e.cells[at][1] = cell
		}
	}
	return nil
}

// facets returns the faces, those of each kind in the order in which they were added.
func (e *enclosure) facets() *Facets {
	f := new(Facets)
	order := lists.UpTo(len(e.faces))
	sorting.Int32sBy(order, func(a, b int32) int { return cmp.Or(cmp.Compare(len(e.faces[a]), len(e.faces[b])), cmp.Compare(a, b)) })
	for _, i := range order {
		face, cells, side := e.faces[i], e.cells[i][:], &f.Interior
		if cells[1] < 0 {
			cells, side = cells[:1], &f.Boundary
		}
		kind, last := Polygon(len(face)), len(side.Blocks)-1
		if last < 0 || side.Blocks[last].Kind != kind {
			side.Blocks, last = append(side.Blocks, Block{Kind: kind}), last+1
		}
		side.Blocks[last].Nodes, side.Cells = append(side.Blocks[last].Nodes, face...), append(side.Cells, cells...)
	}
	return f
}

// outwards turns the faces of a polyhedron so that all are oriented outwards: alike, as its edges tell, and so that its volume is
// positive. It leaves alone what is not closed.
func (m *Mesh) outwards(faces [][]int32) {
	type side struct {
		face    int
		forward bool // from the lower number to the higher
	}
	edges := map[[2]int32][]side{}
	for i, face := range faces {
		for k, from := range face {
			to := face[(k+1)%len(face)]
			edge := [2]int32{min(from, to), max(from, to)}
			edges[edge] = append(edges[edge], side{i, from < to})
		}
	}
	state := make([]int8, len(faces)) // 1: as it is, -1: to be turned, 0: not known yet
	state[0] = 1
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		face := faces[queue[0]]
		for k, from := range face {
			to := face[(k+1)%len(face)]
			for _, other := range edges[[2]int32{min(from, to), max(from, to)}] {
				if state[other.face] == 0 {
					state[other.face] = -state[queue[0]]
					if other.forward != (from < to) {
						state[other.face] = state[queue[0]]
					}
					queue = append(queue, other.face)
				}
			}
		}
	}
	volume := 0.0
	origin := m.vector(faces[0][0])
	for i, face := range faces {
		if state[i] < 0 {
			slices.Reverse(face)
		}
		volume += m.vector(face[0]).minus(origin).dot(m.areaVector(face))
	}
	if volume < 0 {
		for _, face := range faces {
			slices.Reverse(face)
		}
	}
}
