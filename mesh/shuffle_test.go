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
	points := slices.Clone(m.Points)
	m.Shuffle(4)
	joined, err := m.Joined()
	if err != nil {
		t.Fatal(err)
	}
	if report, err := joined.Check(); err != nil || report.String() != "no problems" {
		t.Fatal(err, report)
	}
	if slices.Equal(m.Points, points) {
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
	if !slices.Equal(again.Blocks[0].Nodes, m.Blocks[0].Nodes) {
		t.Error("equal seeds give different numbers")
	}
}

// shapes returns the coordinates of what the mesh consists of, sorted.
func shapes(m *Mesh) []string {
	var all []string
	at := func(nodes []int32) (s string) {
		for _, n := range nodes {
			s += fmt.Sprint(m.Point(n), ";")
		}
		return s
	}
	for c := range m.Cells() {
		all = append(all, "cell"+at(m.Blocks[0].Element(c)))
	}
	for _, g := range m.Groups {
		for _, e := range g.Members[0].Elements {
			all = append(all, g.Name+at(m.Blocks[1].Element(int(e))))
		}
	}
	for _, s := range []*Sides{&m.Given.Interior, &m.Given.Boundary} {
		for e := range s.Len() {
			edge := "edge" + at(s.Blocks[0].Element(e))
			for _, c := range s.cellsOf(e) {
				edge += at(m.Blocks[0].Element(int(c)))
			}
			all = append(all, edge)
		}
	}
	slices.Sort(all)
	return all
}
