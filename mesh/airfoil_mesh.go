package mesh

import (
	"fmt"
	"slices"
	"strings"
)

// Mesh returns the airfoil's mesh with single nodes along the cut behind it, where [NACA0012] has two at equal
// coordinates: what nodes were there twice are equal now, and the later numbers move up. The boundary's
// edges are the groups "wall" and "far".
func (m *Airfoil) Mesh() (*Mesh, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	number, nodes := m.merged()
	to := &Mesh{Dim: 2, Points: make([]float64, 2*nodes)}
	for n, i := range number {
		copy(to.Point(i), m.XY[2*n:2*n+2])
	}
	to.Blocks = []Block{{Quadrilateral, renumbered(m.CellNodes, number)}, {Kind: Line}}
	for tag, name := range []string{Wall: "wall", FarField: "far"} {
		var ends []int32
		for b, bound := range m.Bound {
			if int(bound) == tag {
				// The cell is to the left of a line, and to the right of an airfoil's edge.
				ends = append(ends, number[m.BedgeNodes[2*b+1]], number[m.BedgeNodes[2*b]])
			}
		}
		if len(ends) > 0 {
			to.addSides(name, len(ends)/2, func(i int) []int32 { return ends[2*i : 2*i+2] })
		}
	}
	return to, nil
}

// merged returns a number for each node, equal ones for the two nodes of the cut's places, and how many there
// are. The ends of an interior edge are those of one of its cells; those nodes of the other that are at the same
// places, and are not the same, are of the cut.
func (m *Airfoil) merged() (number []int32, nodes int) {
	same := make([]int32, m.Nodes) // the later node of a pair; itself for all others
	for n := range same {
		same[n] = int32(n)
	}
	at := func(n int32) [2]float64 { return [2]float64(m.XY[2*n : 2*n+2]) }
	for e := range m.Edges {
		for _, end := range m.EdgeNodes[2*e : 2*e+2] {
			for _, c := range m.EdgeCells[2*e : 2*e+2] {
				corners := m.CellNodes[4*c : 4*c+4]
				for _, n := range corners {
					if at(n) == at(end) && !slices.Contains(corners, end) {
						same[min(n, end)] = max(n, end)
					}
				}
			}
		}
	}
	number = make([]int32, m.Nodes)
	for n := range number {
		if same[n] == int32(n) {
			number[n] = int32(nodes)
			nodes++
		}
	}
	for n := range number {
		number[n] = number[same[n]]
	}
	return number, nodes
}

// Airfoil returns the mesh as one of [Airfoil], the inverse of [Airfoil.Mesh]: the cells must be quadrilaterals in the
// plane, and each edge of the boundary must belong to one of the groups "wall" and "far".
func (m *Mesh) Airfoil() (*Airfoil, error) {
	if err := m.valid(); err != nil {
		return nil, err
	}
	if cells := m.CellBlocks(); m.Dim != 2 || len(cells) != 1 || cells[0].Kind != Quadrilateral {
		return nil, fmt.Errorf("mesh: expected quadrilaterals in the plane for an Airfoil, found %s in %d dimensions", kindsOf(cells), m.Dim)
	}
	f, err := m.Facets()
	if err != nil {
		return nil, err
	}
	a := &Airfoil{Nodes: m.Nodes(), Cells: m.Cells(), Edges: f.Interior.Len(), Bedges: f.Boundary.Len(),
		XY: slices.Clone(m.Points), CellNodes: slices.Clone(m.Blocks[0].Nodes),
		EdgeCells: f.Interior.Cells, BedgeCell: f.Boundary.Cells}
	// The first cell is to the left of a facet, and to the right of an airfoil's edge.
	a.EdgeNodes, a.BedgeNodes = f.Interior.reversed(), f.Boundary.reversed()
	a.Bound, err = f.bounds()
	if err != nil {
		return nil, err
	}
	return a, nil
}

// bounds returns [Wall] or [FarField] for each edge of the boundary, by the groups "wall" and "far".
func (f *Facets) bounds() ([]int32, error) {
	bounds := make([]int32, f.Boundary.Len())
	for bound, name := range []string{Wall: "wall", FarField: "far"} {
		for i := range f.mesh.Groups {
			g := &f.mesh.Groups[i]
			if g.Name != name || g.Dim != 1 {
				continue
			}
			_, edges, err := f.Group(g)
			if err != nil {
				return nil, err
			}
			for _, e := range edges {
				bounds[e] |= int32(bound)
			}
		}
	}
	for e, bound := range bounds {
		if bound != Wall && bound != FarField {
			ends := f.Boundary.Blocks[0].Element(e)
			return nil, fmt.Errorf(`mesh: the boundary's edge from node %d to %d: expected it in one of the groups "wall" and "far", found it in %s`,
				ends[0], ends[1], map[int32]string{0: "neither", Wall | FarField: "both"}[bound])
		}
	}
	return bounds, nil
}

// reversed returns the two ends of each edge, the last one first.
func (s *Sides) reversed() []int32 {
	var ends []int32
	for _, b := range s.Blocks {
		for e := range b.Len() {
			ends = append(ends, b.Nodes[2*e+1], b.Nodes[2*e])
		}
	}
	return ends
}

// kindsOf lists the kinds of blocks.
func kindsOf(blocks []Block) string {
	var kinds []string
	for _, b := range blocks {
		kinds = append(kinds, plural(b.Kind))
	}
	if len(kinds) == 0 {
		return "no cells"
	}
	return strings.Join(kinds, " and ")
}
