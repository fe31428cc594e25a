package mesh

import "testing"

// Each edge of a cell has its ends, in ascending order, and a sign that says how it runs; every edge is one of a cell,
// numbered in the order of cells.
func TestEdges(t *testing.T) {
	for _, test := range generated {
		t.Run(test.name, func(t *testing.T) {
			m, _ := build(t, test.make)
			edges, err := m.Edges()
			if err != nil {
				t.Fatal(err)
			}
			next, seen := int32(0), map[[2]int32]int32{}
			for i := range m.CellBlocks() {
				b := &m.Blocks[i]
				per := len(b.Kind.Edges())
				for at, n := range edges.Cells[i] {
					local := b.Kind.Edges()[at%per].Nodes
					ends := [2]int32{b.Element(at / per)[local[0]], b.Element(at / per)[local[1]]}
					sign := int8(1)
					if ends[0] > ends[1] {
						ends[0], ends[1], sign = ends[1], ends[0], -1
					}
					if n == next {
						next++
						if other, twice := seen[ends]; twice {
							t.Errorf("edges %d and %d both have the ends %v", other, n, ends)
						}
						seen[ends] = n
					}
					if got := [2]int32(edges.Nodes[2*n : 2*n+2]); got != ends || edges.Signs[i][at] != sign || n > next {
						t.Errorf("%s %d: edge %d has the ends %v and the sign %d, want %v and %d", b.Kind, at/per, n, got, edges.Signs[i][at], ends, sign)
					}
				}
			}
			if int(next) != edges.Len() {
				t.Errorf("%d edges, want %d", edges.Len(), next)
			}
		})
	}
}
