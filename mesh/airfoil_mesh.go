package mesh

import "slices"

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
