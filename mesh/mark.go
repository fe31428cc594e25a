package mesh

import (
	"fmt"

	"github.com/go-op2/op2/internal/sorting"
)

// Mark adds a group of those facets of the boundary whose middle, the mean of their corners, is where the function
// reports true: an inflow, a wall. It adds elements for facets that the mesh has none for.
//
//	err := m.Mark("inflow", func(x []float64) bool { return x[0] == 0 })
//
// It is an error if the name is taken, if there is no such facet, or where [Mesh.Facets] fails.
func (m *Mesh) Mark(name string, where func(x []float64) bool) error {
	f, err := m.Facets()
	if err != nil {
		return err
	}
	if m.Group(name) != nil {
		return fmt.Errorf("mesh: there is a group %q already", name)
	}
	if m.CellDim() < 2 {
		return fmt.Errorf("mesh: group %q: the cells of the mesh are no areas or volumes", name)
	}
	known := make([]int32, f.Boundary.Len()) // the element of the mesh that a facet is, plus 1
	for i := range m.Blocks {
		for e, n := range f.Elements(i) {
			if n -= int32(f.Interior.Len()); n >= 0 {
				known[n] = int32(e) + 1
			}
		}
	}
	g := Group{Name: name, Tag: 1, Dim: m.CellDim() - 1}
	for i := range m.Groups {
		g.Tag = max(g.Tag, m.Groups[i].Tag+1)
	}
	n := 0
	for i := range f.Boundary.Blocks {
		facets := &f.Boundary.Blocks[i]
		var elements, missing []int32
		for e := range facets.Len() {
			if where(m.middle(facets.Element(e)[:facets.Kind.Corners()])) {
				if known[n] > 0 {
					elements = append(elements, known[n]-1)
				} else {
					missing = append(missing, facets.Element(e)...)
				}
			}
			n++
		}
		if len(elements) > 0 || len(missing) > 0 {
			block, added := m.appendElements(facets.Kind, missing)
			elements = append(elements, added...)
			sorting.Int32s(elements)
			g.Members = append(g.Members, Members{block, elements})
		}
	}
	if len(g.Members) == 0 {
		return fmt.Errorf("mesh: group %q: no facet of the boundary is there", name)
	}
	m.Groups = append(m.Groups, g)
	return nil
}
