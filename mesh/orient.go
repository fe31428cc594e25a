package mesh

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// Orient makes the orientation of the elements consistent, by reversing some of them:
//
//   - cells with as many dimensions as the coordinates get a positive area or volume: counterclockwise in the plane;
//   - cells of a surface or a curve in more dimensions get the orientation of their neighbors, and those of a closed
//     one point outwards; an open one keeps that of its first cell;
//   - elements on the boundary of the cells are turned outwards; those between two cells stay as they are.
//
// [Mesh.Given] becomes nil. It is an error if a surface has no consistent orientation, as a Möbius strip, and where [Mesh.Facets] fails.
func (m *Mesh) Orient() error {
	if err := cmp.Or(m.Valid(), m.shaped("Orient")); err != nil {
		return err
	}
	joined, err := m.Joined()
	if err != nil {
		return err
	}
	*m = *joined
	m.Given = nil // it is for the orientation that the cells had
	dim := m.CellDim()
	if dim == 0 {
		return nil
	}
	if dim == m.Dim {
		for _, b := range m.CellBlocks() {
			together(spans(b.Len()), func(_, lo, hi int) {
				for e := lo; e < hi; e++ {
					if m.measure(b.Kind, b.Element(e)) < 0 {
						reverseElement(b.Kind, b.Element(e))
					}
				}
			})
		}
	} else if err := m.orientSurface(); err != nil {
		return err
	}
	if len(m.Blocks) == len(m.CellBlocks()) || dim == 1 {
		return nil
	}
	return m.orientBoundary()
}

// orientBoundary turns elements that are facets of the boundary outwards.
func (m *Mesh) orientBoundary() error {
	f, err := m.Facets()
	if err != nil {
		return err
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		of := f.Elements(i)
		for e, n := range of {
			if n -= int32(f.Interior.Len()); n < 0 {
				continue
			}
			corners := b.Kind.Corners()
			if !sameOrientation(b.Element(e)[:corners], f.Boundary.nodesOf(int(n))[:corners]) {
				reverseElement(b.Kind, b.Element(e))
			}
		}
	}
	return nil
}

// sameOrientation reports whether the corners a, which are those of b, follow each other as they do there.
func sameOrientation(a, b []int32) bool {
	at := slices.Index(b, a[0])
	if len(a) == 2 {
		return at == 0
	}
	return b[(at+1)%len(b)] == a[1]
}

// orientSurface makes cells agree with their neighbors, starting from the first cell of each connected part.
func (m *Mesh) orientSurface() error {
	f, err := m.Facets()
	if err != nil {
		return err
	}
	cells := make([]blockElement, 0, m.Cells())
	for _, cell := range elementsOf(m.CellBlocks()) {
		cells = append(cells, cell)
	}
	start, neighbors := f.Graph()
	const (
		unseen = iota
		kept
		reversed
	)
	state := make([]uint8, len(cells))
	for first := range cells {
		if state[first] != unseen {
			continue
		}
		state[first] = kept
		part := []int32{int32(first)}
		open := false
		for i := 0; i < len(part); i++ {
			c := part[i]
			around := neighbors[start[c]:start[c+1]]
			open = open || len(around) < len(cells[c].kind.Facets())
			for _, next := range around {
				want := state[c]
				if !agree(cells[c], cells[next]) {
					want = kept + reversed - want
				}
				switch state[next] {
				case unseen:
					state[next] = want
					part = append(part, next)
				case want:
				default:
					return fmt.Errorf("mesh: the cells have no consistent orientation, which shows between cells %d and %d", c, next)
				}
			}
		}
		for _, c := range part {
			if state[c] == reversed {
				reverseElement(cells[c].kind, cells[c].nodes)
			}
		}
		if !open && m.inwards(cells, part) {
			for _, c := range part {
				reverseElement(cells[c].kind, cells[c].nodes)
			}
		}
	}
	return nil
}

// agree reports whether two cells that have a facet in common pass it in opposite directions.
func agree(a, b blockElement) bool {
	for _, p := range a.kind.Facets() {
		for _, q := range b.kind.Facets() {
			if len(p.Nodes) == 1 { // the ends of lines
				if a.nodes[p.Nodes[0]] == b.nodes[q.Nodes[0]] {
					return p.Nodes[0] != q.Nodes[0]
				}
				continue
			}
			p0, p1 := a.nodes[p.Nodes[0]], a.nodes[p.Nodes[1]]
			q0, q1 := b.nodes[q.Nodes[0]], b.nodes[q.Nodes[1]]
			switch {
			case p0 == q1 && p1 == q0:
				return true
			case p0 == q0 && p1 == q1:
				return false
			}
		}
	}
	return true
}

// inwards reports whether the cells of a closed part point inwards: whether the enclosed area or volume is negative.
func (m *Mesh) inwards(cells []blockElement, part []int32) bool {
	var enclosed float64
	origin := m.vector(cells[part[0]].nodes[0])
	for _, c := range part {
		cell := cells[c]
		at := m.vector(cell.nodes[0]).minus(origin)
		if cell.kind.Dim() == 1 {
			if m.Dim == 2 {
				enclosed += at.cross(m.vector(cell.nodes[1]).minus(origin))[2]
			}
			continue
		}
		enclosed += at.dot(m.areaVector(cell.corners()))
	}
	return enclosed < 0
}

// reversals holds a permutation for each kind: node i of the reversed element is node reversals[kind][i] of the element.
// That of the corners is given; each mid-edge and mid-facet node moves with the corners of its edge or facet.
var reversals = func() (to [kinds][]uint8) {
	corners := map[Kind][]uint8{
		Point: {0}, Line: {1, 0}, Triangle: {0, 2, 1}, Quadrilateral: {0, 3, 2, 1}, Tetrahedron: {0, 2, 1, 3},
		Hexahedron: {0, 3, 2, 1, 4, 7, 6, 5}, Prism: {0, 2, 1, 3, 5, 4}, Pyramid: {0, 3, 2, 1, 4},
	}
	for k := Point; k < kinds; k++ {
		to[k] = make([]uint8, k.Nodes())
		for i := range to[k] {
			to[k][i] = uint8(i) // a node in the middle stays
		}
		copy(to[k], corners[k.Linear()])
		if k >= pentagon {
			slices.Reverse(to[k][1:])
		}
		for _, parts := range [][]Part{k.Edges(), k.Facets()} {
			for _, p := range parts {
				if n := p.Kind.Corners(); p.Kind == Line3 || p.Kind == Quadrilateral9 {
					to[k][p.Nodes[len(p.Nodes)-1]] = middleOf(parts, to[k], p.Nodes[:n])
				}
			}
		}
	}
	return to
}()

// middleOf returns the last node, in the middle, of the part whose corners are the images of the given ones under the
// reversal.
func middleOf(parts []Part, reversal, corners []uint8) uint8 {
	var want []uint8
	for _, c := range corners {
		want = append(want, reversal[c])
	}
	sorting.By(want, cmp.Compare)
	for _, p := range parts {
		found := sorting.Sorted(p.Nodes[:p.Kind.Corners()], cmp.Compare)
		if slices.Equal(found, want) {
			return p.Nodes[len(p.Nodes)-1]
		}
	}
	panic("mesh: a reversal leaves no edge or facet in place of one")
}

// reverseElement turns an element inside out.
func reverseElement(kind Kind, nodes []int32) {
	var old [mostCorners]int32
	copy(old[:], nodes)
	for i, from := range reversals[kind] {
		nodes[i] = old[from]
	}
}
