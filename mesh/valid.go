package mesh

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/partial"
)

var errNil = errors.New("mesh: the mesh is nil\n  hint: look at the error of what has read or made it")

// Valid returns the error with which functions refuse a mesh whose parts do not fit together, or nil: it names the first part
// that does not fit the others, as numbers of coordinates and nodes, the order of blocks, node and element numbers out of
// range, coordinates that are not finite. A valid mesh may still have inverted cells or nodes of no element.
func (m *Mesh) Valid() error {
	if m == nil {
		return errNil
	}
	if s := m.share; s != nil {
		return &partial.MeshError{Runtime: s.rt, Numbers: s.nodes, Nodes: s.homes, Cells: s.cellSlabs(m), Kinds: s.starts}
	}
	return m.fits()
}

// fits is Valid for a mesh that may be a share.
func (m *Mesh) fits() error {
	if m == nil {
		return errNil
	}
	if m.Dim == 0 && len(m.Points) == 0 && len(m.Blocks) == 0 && len(m.Groups) == 0 {
		return nil
	}
	if m.Dim != 2 && m.Dim != 3 {
		return fmt.Errorf("mesh: Dim: expected 2 or 3, found %d", m.Dim)
	}
	if len(m.Points)%m.Dim != 0 {
		return fmt.Errorf("mesh: Points: expected %d coordinates for each node, found %d in all", m.Dim, len(m.Points))
	}
	if m.Nodes() > math.MaxInt32 {
		return fmt.Errorf("mesh: Points: expected at most %d nodes, found %d", math.MaxInt32, m.Nodes())
	}
	if i := slices.IndexFunc(m.Points, infinite); i >= 0 {
		return fmt.Errorf("mesh: Points[%d]: expected a finite coordinate, found %v", i, m.Points[i])
	}
	var seen []Kind
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if err := b.valid(m.Nodes()); err != nil {
			return fmt.Errorf("mesh: Blocks[%d]%w", i, err)
		}
		switch {
		case b.Kind.Dim() > m.Dim:
			return fmt.Errorf("mesh: Blocks[%d]: a %s in %d dimensions", i, b.Kind, m.Dim)
		case slices.Contains(seen, b.Kind):
			return fmt.Errorf("mesh: Blocks[%d]: expected one block for each kind, found a second one of kind %s", i, b.Kind)
		case i > 0 && b.Kind.Dim() > m.Blocks[i-1].Kind.Dim():
			return fmt.Errorf("mesh: Blocks[%d]: expected blocks of higher dimension first, found %s after %s", i, b.Kind, m.Blocks[i-1].Kind)
		}
		seen = append(seen, b.Kind)
	}
	switch {
	case slices.Contains(seen, Polyhedron) && len(m.CellBlocks()) > 1:
		return fmt.Errorf("mesh: polyhedra beside %s\n  hint: Mesh.Polyhedra makes polyhedra of other volumes", plural(m.Blocks[1].Kind))
	case m.polyhedral() && m.Given == nil:
		return errors.New("mesh: Given: expected the faces of the polyhedra, found none\n  hint: NewPolyhedra makes such a mesh")
	}
	for i := range m.Groups {
		if err := m.Groups[i].valid(m); err != nil {
			return fmt.Errorf("mesh: Groups[%d] (%s)%w", i, m.Groups[i].Name, err)
		}
	}
	return nil
}

// valid returns an error unless the block holds whole elements of a kind, with some of that many nodes.
func (b *Block) valid(nodes int) error {
	if b.Kind == Polyhedron {
		return b.validEnds(nodes)
	}
	width := b.Kind.Nodes()
	switch {
	case width == 0:
		return fmt.Errorf(": expected a kind, found %s", b.Kind)
	case len(b.Nodes)%width != 0:
		return fmt.Errorf(": expected %d nodes for each %s, found %d in all", width, b.Kind, len(b.Nodes))
	case b.Len() > math.MaxInt32:
		return fmt.Errorf(": expected at most %d elements, found %d", math.MaxInt32, b.Len())
	}
	return validIndices(b.Nodes, "Nodes", "node", nodes)
}

// validEnds is valid for polyhedra.
func (b *Block) validEnds(nodes int) error {
	last := int32(0)
	for e, end := range b.Ends {
		if end < last || int(end) > len(b.Nodes) {
			return fmt.Errorf(".Ends[%d]: expected an end from %d to %d, found %d", e, last, len(b.Nodes), end)
		}
		last = end
	}
	if int(last) != len(b.Nodes) {
		return fmt.Errorf(".Ends: expected the last polyhedron to end with the %d nodes, found %d", len(b.Nodes), last)
	}
	return validIndices(b.Nodes, "Nodes", "node", nodes)
}

// valid returns an error unless the members of the group are parts of the mesh, of its dimension.
func (g *Group) valid(m *Mesh) error {
	for i, members := range g.Members {
		what, limit, dim := "node", m.Nodes(), 0
		if members.Block < -1 || members.Block >= len(m.Blocks) {
			return fmt.Errorf(": Members[%d].Block: expected an index in [-1,%d), found %d", i, len(m.Blocks), members.Block)
		}
		if members.Block >= 0 {
			b := &m.Blocks[members.Block]
			what, limit, dim = b.Kind.String(), b.Len(), b.Kind.Dim()
		}
		if dim != g.Dim {
			return fmt.Errorf(": Members[%d]: expected elements of dimension %d, found %ss", i, g.Dim, what)
		}
		if err := validIndices(members.Elements, fmt.Sprintf("Members[%d].Elements", i), what, limit); err != nil {
			return err
		}
	}
	return nil
}

// validIndices returns an error unless values are indices of one of limit things, each called what.
func validIndices(values []int32, name, what string, limit int) error {
	for i, v := range values {
		if v < 0 || int(v) >= limit {
			return fmt.Errorf(".%s[%d]: expected a %s index in [0,%d), found %d", name, i, what, limit, v)
		}
	}
	return nil
}

// shaped returns the error with which what needs cells of known shapes refuses polyhedra, or nil.
func (m *Mesh) shaped(what string) error {
	if !m.polyhedral() {
		return nil
	}
	return fmt.Errorf("mesh: %s: the cells are polyhedra, expected cells of known shapes\n"+
		"  hint: polyhedra have Facets, Measures, Check, Mark, Cut, IsoSurface, WithFaces, WithCellFaces and WriteVTU", what)
}

// valid returns an error unless given facets, of a dimension, have nodes of the mesh, and so many cells each, out of all.
func (s *Sides) valid(m *Mesh, dim, each, all int) error {
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if err := b.valid(m.Nodes()); err != nil {
			return fmt.Errorf("mesh: Given: %s%w", plural(b.Kind), err)
		}
		if b.Kind.Dim() != dim {
			return fmt.Errorf("mesh: Given: expected facets of dimension %d, found %s", dim, plural(b.Kind))
		}
	}
	if len(s.Cells) != each*s.Len() {
		return fmt.Errorf("mesh: Given: expected %d cells for each of %d facets, found %d in all", each, s.Len(), len(s.Cells))
	}
	if err := validIndices(s.Cells, "Cells", "cell", all); err != nil {
		return fmt.Errorf("mesh: Given%w", err)
	}
	return nil
}
