package mesh

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/parallel"
	"github.com/go-op2/op2/internal/sorting"
)

// fewestFaces is the number of faces that a polyhedron has at least.
const fewestFaces = 4

// mostPlaces is the number of nodes, and of faces, that a polyhedron has at most.
const mostPlaces = math.MaxUint8

// polyhedraFacets returns the given faces of polyhedra with those of each cell. It is an error unless these enclose it.
func (m *Mesh) polyhedraFacets() (*Facets, error) {
	b := &m.Blocks[0]
	f := &Facets{Interior: m.Given.Interior, Boundary: m.Given.Boundary, mesh: m, elems: make([][]int32, len(m.Blocks))}
	for i, s := range []*Sides{&f.Interior, &f.Boundary} {
		if err := s.valid(m, 2, 2-i, b.Len()); err != nil {
			return nil, err
		}
		for _, face := range s.Blocks {
			if face.Kind != Polygon(face.Kind.Nodes()) {
				return nil, fmt.Errorf("mesh: Given: expected polygons as faces of polyhedra, found %s", plural(face.Kind))
			}
		}
		s.Local = make([]uint8, len(s.Cells))
	}
	f.Ends = make([]int32, b.Len())
	var err error
	f.eachFace(func(_ int, corners, cells []int32) {
		if len(cells) == 2 && cells[0] == cells[1] {
			err = fmt.Errorf("mesh: the face with nodes %s is between polyhedron %d and itself", listed(corners), cells[0])
		}
		for _, cell := range cells {
			f.Ends[cell]++
		}
	})
	if err != nil {
		return nil, err
	}
	most := 0
	for cell := range f.Ends {
		most = max(most, int(f.Ends[cell]), len(b.Element(cell)))
		if cell > 0 {
			f.Ends[cell] += f.Ends[cell-1]
		}
	}
	if most > mostPlaces {
		return nil, fmt.Errorf("mesh: a polyhedron has %d nodes or faces, at most %d are possible", most, mostPlaces)
	}
	total := len(f.Interior.Cells) + len(f.Boundary.Cells)
	f.Cells, f.Signs = [][]int32{make([]int32, total)}, [][]int8{make([]int8, total)}
	entered := make([]uint8, b.Len())
	interior := f.Interior.Len()
	f.eachFace(func(number int, _, cells []int32) {
		for i, cell := range cells {
			local := entered[cell]
			entered[cell]++
			first, _ := f.span(0, int(cell))
			f.Cells[0][first+int(local)], f.Signs[0][first+int(local)] = int32(number), int8(1-2*i)
			if number < interior {
				f.Interior.Local[2*number+i] = local
			} else {
				f.Boundary.Local[number-interior] = local
			}
		}
	})
	if err := parallel.Each(b.Len(), f.encloses); err != nil {
		return nil, err
	}
	f.findFaces()
	return f, nil
}

// encloses returns an error unless the faces of a polyhedron enclose it: they pass each of their edges twice, in opposite
// directions as seen from outside, and their corners are its nodes.
func (f *Facets) encloses(cell int) error {
	if first, end := f.span(0, cell); end-first < fewestFaces {
		return fmt.Errorf("mesh: polyhedron %d has %d faces, expected %d or more", cell, end-first, fewestFaces)
	}
	var open [][2]int32 // edges that one face has passed
	var nodes []int32
	for _, face := range f.Of(cell) {
		nodes = append(nodes, face...)
		for i, from := range face {
			to := face[(i+1)%len(face)]
			if k := slices.Index(open, [2]int32{to, from}); k >= 0 {
				open[k] = open[len(open)-1]
				open = open[:len(open)-1]
			} else {
				open = append(open, [2]int32{from, to})
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("mesh: the faces of polyhedron %d do not enclose it, all oriented outwards: that from node %d to node %d is an edge of one of them",
			cell, open[0][0], open[0][1])
	}
	sorting.Int32s(nodes)
	nodes = slices.Compact(nodes)
	if of := f.mesh.Blocks[0].Element(cell); !slices.Equal(of, nodes) {
		return fmt.Errorf("mesh: polyhedron %d: expected its nodes, %s, to be the corners of its faces, once each and ascending, which are %s",
			cell, listed(of), listed(nodes))
	}
	return nil
}

// findFaces finds the faces that elements of the mesh are.
func (f *Facets) findFaces() {
	var table faceTable
	var numbers []int32 // of the last facet with the corners of each face of the table
	for i := 1; i < len(f.mesh.Blocks) && f.mesh.Blocks[i].Kind.Dim() == 2; i++ {
		if table.faces == nil {
			f.eachFace(func(number int, corners, _ []int32) {
				at, added := table.number(corners)
				if added {
					numbers = append(numbers, 0)
				}
				numbers[at] = int32(number)
			})
		}
		b := &f.mesh.Blocks[i]
		for e := range b.Len() {
			n, _ := table.find(b.Element(e)[:b.Kind.Corners()])
			if n >= 0 {
				n = numbers[n]
			}
			f.elems[i] = append(f.elems[i], n)
		}
	}
}

// faceTable finds faces by their corners, in any order.
type faceTable struct {
	faces [][]int32          // the corners of each
	last  map[[3]int32]int32 // by the least corners: the last face that has these, plus 1
	next  []int32            // of each: the one before it with the same least corners, plus 1
}

// number returns the number of a face, and whether it is new.
func (t *faceTable) number(face []int32) (number int32, added bool) {
	at, key := t.find(face)
	if at >= 0 {
		return at, false
	}
	if t.last == nil {
		t.last = map[[3]int32]int32{}
	}
	t.faces, t.next = append(t.faces, face), append(t.next, t.last[key])
	t.last[key] = int32(len(t.faces))
	return t.last[key] - 1, true
}

// find returns the number of a face, or -1, and its least corners.
func (t *faceTable) find(face []int32) (number int32, key [3]int32) {
	sorted := sortedCorners(face)
	key = [3]int32(sorted)
	number = t.last[key] - 1
	for number >= 0 && !slices.Equal(sortedCorners(t.faces[number]), sorted) {
		number = t.next[number] - 1
	}
	return number, key
}

// sortedCorners returns corners in ascending order.
func sortedCorners(corners []int32) []int32 {
	sorted := slices.Clone(corners)
	sorting.Int32s(sorted)
	return sorted
}
