package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2/mesh"
)

// programKind is a kind of program that new writes.
type programKind struct {
	name                   string
	about, kernels, checks string      // for its README
	ranks                  bool        // it runs on several
	shapes                 []cellShape // of the cells it is for; nil: it takes no mesh
	several                bool        // it is for cells of several shapes, too
}

// cellShape is a kind of cell in a space.
type cellShape struct {
	kind mesh.Kind
	dim  int
}

var (
	triangles      = cellShape{mesh.Triangle, 2}
	quadrilaterals = cellShape{mesh.Quadrilateral, 2}
	tetrahedra     = cellShape{mesh.Tetrahedron, 3}
)

// programKinds is what new writes: the first where neither a kind nor a mesh is given, the second for a mesh alone.
var programKinds = []programKind{{
	name: "heat", about: "Heat that spreads over a square", kernels: "the work for one triangle and for one node",
	checks: "no heat is lost", ranks: true,
}, {
	name: "fem", about: "The temperature that a body settles to, by finite elements", kernels: "the work for one cell: its part of the matrix",
	checks: "the temperature between a cold and a hot side is linear", ranks: true, shapes: []cellShape{triangles, tetrahedra},
}, {
	name: "fv", about: "A tracer that the wind carries, by finite volumes", kernels: "the work for one edge and for one cell",
	checks: "each cell gets what the wind brings, and none more", ranks: true, shapes: []cellShape{triangles, quadrilaterals}, several: true,
}, {
	name: "particles", about: "Particles that move through the cells of a mesh", kernels: "the work for one particle",
	checks: "each particle is in its cell, and none is lost", shapes: []cellShape{triangles},
}}

// choose gives the skeleton its kind, and what it needs to know of the mesh in a file; both may be "".
func (s *skeleton) choose(name, file string) error {
	var names []string
	for _, k := range programKinds {
		names = append(names, k.name)
	}
	if name == "" {
		name = names[0]
		if file != "" {
			name = names[1]
		}
	}
	at := slices.Index(names, name)
	if at < 0 {
		return fmt.Errorf("-kind %s: expected one of %s", name, strings.Join(names, ", "))
	}
	k := programKinds[at]
	s.Kind, s.About, s.Kernels, s.Checks, s.Ranks = k.name, k.about, k.kernels, k.checks, k.ranks
	s.Corners, s.Dim, s.Groups = 3, 2, []string{"left", "right", "bottom", "top"}
	s.Result = "draws " + s.Name + ".png"
	if file == "" {
		return nil
	}
	if k.shapes == nil {
		return fmt.Errorf("-mesh: the kind %s has a mesh of its own: use one of %s", k.name, strings.Join(names[1:], ", "))
	}
	m, err := mesh.ReadFile(file)
	if err != nil {
		return fmt.Errorf("-mesh: %w", err)
	}
	found, err := k.takes(m)
	if err != nil {
		return fmt.Errorf("-mesh %s: %w", file, err)
	}
	s.Mesh, s.file = filepath.Base(file), file
	s.Corners, s.Dim, s.Volume = found.kind.Nodes(), found.dim, found.dim == 3
	if s.Volume {
		s.Result = "writes " + s.Name + ".vtu"
	}
	s.Groups = nil
	for _, g := range m.Groups {
		if g.Dim == m.CellDim()-1 && g.Name != "" {
			s.Groups = append(s.Groups, g.Name)
		}
	}
	if s.Mark = len(s.Groups) == 0; s.Mark {
		s.Groups = []string{"boundary"}
	}
	return nil
}

// takes returns the shape of the cells of a mesh, the last where there are several; or an error if the kind of
// program is not for them.
func (k programKind) takes(m *mesh.Mesh) (found cellShape, err error) {
	blocks := m.CellBlocks()
	for i, b := range blocks {
		if found = (cellShape{b.Kind, m.Dim}); slices.Contains(k.shapes, found) && (i == 0 || k.several) {
			continue
		}
		var wanted []string
		for _, s := range k.shapes {
			wanted = append(wanted, s.String())
		}
		if i > 0 {
			return found, fmt.Errorf("the kind %s is for cells of one kind, the mesh has several", k.name)
		}
		return found, fmt.Errorf("the kind %s is for cells that are a %s, the mesh has a %s", k.name, strings.Join(wanted, " or a "), found)
	}
	if len(blocks) == 0 {
		return found, errors.New("the mesh has no cells")
	}
	return found, nil
}

func (s cellShape) String() string { return fmt.Sprintf("%s in %d dimensions", s.kind, s.dim) }
