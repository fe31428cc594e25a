package mesh

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteOption is an option of [Mesh.WriteGmsh] and [Mesh.WriteFile].
type WriteOption func(*writing)

// WriteGmsh writes the mesh in the format of Gmsh, .msh: version 4.1, binary, unless options say otherwise.
//
// Groups become physical groups. One whose tag is not positive, or that of an earlier group of its dimension, gets
// the first free one. Elements that belong to the same groups are on one entity. In two dimensions z is 0.
//
// It is an error if the parts of the mesh do not fit together, or a name holds a quotation mark or a line break. Errors
// of w are wrapped.
func (m *Mesh) WriteGmsh(w io.Writer, options ...WriteOption) error {
	var o writing
	for _, option := range options {
		if option != nil {
			option(&o)
		}
	}
	return m.writeGmsh(w, o, binary.LittleEndian)
}

func (m *Mesh) writeGmsh(to io.Writer, o writing, order binary.AppendByteOrder) error {
	if err := m.Valid(); err != nil {
		return err
	}
	m, err := m.Joined()
	if err != nil {
		return err
	}
	for _, g := range m.Groups {
		if strings.ContainsAny(g.Name, "\"\r\n") {
			return fmt.Errorf("mesh: group %q: Gmsh's format has no names with quotation marks or line breaks", g.Name)
		}
	}
	for i := range m.Blocks {
		if k := m.Blocks[i].Kind; gmshTypes[k] == 0 {
			hint := "VTK's, .vtu, and HDF5, .h5, have polygons"
			if k == Polyhedron {
				hint = "VTK's, .vtu, has them"
			}
			return fmt.Errorf("mesh: Gmsh's format has no %s\n  hint: %s", plural(k), hint)
		}
	}
	w := &gmshWriter{mesh: m, to: to, text: o.text, order: order}
	w.tags = physicalTags(m.Groups)
	w.gather()
	if o.gmsh22 {
		w.write2()
	} else {
		w.write4()
	}
	w.flush()
	if w.err != nil {
		return fmt.Errorf("mesh: %w", w.err)
	}
	return nil
}

// physicalTags returns a tag for each group, different from those of all others of its dimension.
func physicalTags(groups []Group) []int {
	tags := make([]int, len(groups))
	taken := map[[2]int]bool{}
	for i, g := range groups {
		if key := [2]int{g.Dim, g.Tag}; g.Tag > 0 && g.Tag <= math.MaxInt32 && !taken[key] {
			tags[i] = g.Tag
			taken[key] = true
		}
	}
	var free [4]int
	for i, g := range groups {
		for tags[i] == 0 {
			free[g.Dim]++
			if key := [2]int{g.Dim, free[g.Dim]}; !taken[key] {
				tags[i], taken[key] = free[g.Dim], true
			}
		}
	}
	return tags
}

// WithText writes numbers as text rather than in binary. They are read back exactly.
func WithText() WriteOption {
	return func(w *writing) { w.text = true }
}

// WithGmsh22 writes Gmsh's format in version 2.2 rather than 4.1, for programs that do not read the newer one.
func WithGmsh22() WriteOption {
	return func(w *writing) { w.gmsh22 = true }
}

// writing holds the options of writing a file.
type writing struct{ text, gmsh22 bool }
