package mesh

import (
	"reflect"
	"slices"
	"testing"
)

// Given as they are, facets are found again with all that follows from them.
func TestGivenFacets(t *testing.T) {
	for _, test := range generated {
		t.Run(test.name, func(t *testing.T) {
			m, err := test.make()
			if err != nil {
				t.Fatal(err)
			}
			want, err := m.Facets()
			if err != nil {
				t.Fatal(err)
			}
			m.Given = &Facets{Interior: Sides{Blocks: want.Interior.Blocks, Cells: want.Interior.Cells},
				Boundary: Sides{Blocks: want.Boundary.Blocks, Cells: want.Boundary.Cells}}
			found, err := m.Facets()
			if err != nil || !reflect.DeepEqual(found, want) {
				t.Errorf("error %v, found\n%+v\nwant\n%+v", err, found, want)
			}
		})
	}
}

// In any order, given facets lead to their cells, and back.
func TestGivenFacetsOrder(t *testing.T) {
	m := mustNACA0012(t, 8, 5)
	m.Shuffle(1)
	_, f := build(t, func() (*Mesh, error) { return m, nil })
	for i, n := range f.Cells[0] {
		side := &f.Interior
		if n -= int32(side.Len()); n < 0 {
			n += int32(side.Len())
		} else {
			side = &f.Boundary
		}
		cells := side.cellsOf(int(n))
		k := slices.Index(cells, int32(i/4))
		if k < 0 || f.Signs[0][i] != int8(1-2*k) || side.Local[len(cells)*int(n)+k] != uint8(i%4) {
			t.Errorf("facet %d of cell %d is one of cells %v, with the sign %d", i%4, i/4, cells, f.Signs[0][i])
		}
	}
	for e, n := range f.Elements(1) {
		if ends := f.Boundary.nodesOf(int(n) - f.Interior.Len()); !slices.Equal(ends, m.Blocks[1].Element(e)) {
			t.Errorf("line %d is the facet with nodes %v", e, ends)
		}
	}
}

func TestGivenFacetsErrors(t *testing.T) {
	for _, c := range []struct {
		spoil func(given *Facets)
		want  string
	}{
		{func(g *Facets) { g.Interior.Cells = nil }, "mesh: Given: expected 2 cells for each of 1 facets, found 0 in all"},
		{func(g *Facets) { g.Boundary.Cells[5] = 2 }, "mesh: Given.Cells[5]: expected a cell index in [0,2), found 2"},
		{func(g *Facets) { g.Boundary.Blocks[0].Nodes[3] = 6 }, "mesh: Given: lines.Nodes[3]: expected a node index in [0,6), found 6"},
		{func(g *Facets) { slices.Reverse(g.Interior.Blocks[0].Nodes) }, "mesh: Given: the edge with nodes 1, 4: cell 1 has none such, or has it twice, or in the other direction"},
		{func(g *Facets) { g.Boundary.Cells[0] = 1 }, "mesh: Given: the edge with nodes 3, 0: cell 1 has none such, or has it twice, or in the other direction"},
		{func(g *Facets) { copy(g.Boundary.Blocks[0].Nodes[2:], []int32{3, 0}) }, "mesh: Given: the edge with nodes 3, 0: cell 0 has none such, or has it twice, or in the other direction"},
		{func(g *Facets) { g.Boundary = Sides{} }, "mesh: Given: expected all facets of the cells, not found: edge 0 of quadrilateral 0"},
	} {
		m := squareMesh()
		c.spoil(m.Given)
		if _, err := m.Facets(); err == nil || err.Error() != c.want {
			t.Errorf("error %v\n want %s", err, c.want)
		}
	}
}
