package mesh

import (
	"fmt"
	"slices"
	"testing"
)

// Shuffled, a mesh has the same cells and edges at the same places, elsewhere in the
// arrays.
func TestShuffle(t *testing.T) {
	m, err := NACA0012(6, 9)
	if err != nil {
		t.Fatal(err)
	}
	before := shapes(m)
	xy := slices.Clone(m.XY)
	m.Shuffle(4)
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if slices.Equal(m.XY, xy) {
		t.Error("nodes are where they were")
	}
	if !slices.Equal(shapes(m), before) {
		t.Error("the mesh has other cells or edges")
	}
	again, err := NACA0012(6, 9)
	if err != nil {
		t.Fatal(err)
	}
	again.Shuffle(4)
	if !slices.Equal(again.CellNodes, m.CellNodes) {
		t.Error("equal seeds give different numbers")
	}
}

// shapes returns the coordinates of what the mesh consists of, sorted.
func shapes(m *Airfoil) []string {
	var all []string
	at := func(nodes []int32) (s string) {
		for _, n := range nodes {
			s += fmt.Sprint(m.XY[2*n], m.XY[2*n+1], ";")
		}
		return s
	}
	cell := func(c int32) string { return at(m.CellNodes[4*c : 4*c+4]) }
	for c := range m.Cells {
		all = append(all, "cell"+cell(int32(c)))
	}
	for e := range m.Edges {
		all = append(all, "edge"+at(m.EdgeNodes[2*e:2*e+2])+cell(m.EdgeCells[2*e])+cell(m.EdgeCells[2*e+1]))
	}
	for b := range m.Bedges {
		all = append(all, "bedge"+string(rune('0'+m.Bound[b]))+at(m.BedgeNodes[2*b:2*b+2])+cell(m.BedgeCell[b]))
	}
	slices.Sort(all)
	return all
}
