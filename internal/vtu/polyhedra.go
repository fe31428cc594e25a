package vtu

import (
	"fmt"
	"slices"
)

// finder finds an array of the cells of a piece by its name, and decodes some of its values.
type finder func(name string, w window) ([]int64, *node, error)

// faceStream is the faces of the polyhedra of a piece as VTK wrote them before version 9.4: for each polyhedron the number of its
// faces, and for each of these the number of its points, and these.
type faceStream struct {
	faces, ends     []int64 // ends: of cells
	facesAt, endsAt int     // where the file has what they are made of
}

// polyhedra appends the faces of the polyhedra among cells of the given types.
func (r *reader) polyhedra(p piece, types []int64, find finder) error {
	var s faceStream
	ends, at, err := find("faceoffsets", p.cells)
	if err == nil {
		s.ends, s.endsAt = ends, at.at
		if s.faces, at, err = find("faces", allTuples); err == nil {
			s.facesAt = at.at
		}
	} else if ends, at, newer := find("polyhedron_offsets", p.cells); newer == nil {
		s.endsAt = at.at
		err = s.fromLists(types, ends, find)
	}
	if err != nil {
		return err
	}
	if r.grid.FaceEnds == nil {
		r.grid.FaceEnds = slices.Repeat([]int{-1}, p.cells.before)
	}
	return r.enter(p.points, types, s)
}

// fromLists makes the stream of what VTK writes from version 9.4 on: a list of all faces, of which each polyhedron has some.
func (s *faceStream) fromLists(types, ends []int64, find finder) error {
	of, _, err := find("polyhedron_to_faces", allTuples)
	if err != nil {
		return err
	}
	offsets, _, err := find("face_offsets", allTuples)
	if err != nil {
		return err
	}
	points, at, err := find("face_connectivity", allTuples)
	if err != nil {
		return err
	}
	s.facesAt = at.at
	// span returns the values of a list that ends where ends says for number i, and whether there are such values.
	span := func(list, ends []int64, i int64) ([]int64, bool) {
		if i < 0 || i >= int64(len(ends)) {
			return nil, false
		}
		first, end := int64(0), ends[i]
		if i > 0 {
			first = ends[i-1]
		}
		if first < 0 || first > end || end > int64(len(list)) {
			return nil, false
		}
		return list[first:end], true
	}
	for c := range ends {
		if types[c] == Polyhedron {
			faces, fits := span(of, ends, int64(c))
			if !fits {
				return errorAt(s.endsAt, "polyhedron_offsets: the faces of cell %d end at %d, of %d in polyhedron_to_faces", c, ends[c], len(of))
			}
			s.faces = append(s.faces, int64(len(faces)))
			for _, face := range faces {
				corners, fits := span(points, offsets, face)
				if !fits {
					return errorAt(s.facesAt, "cell %d: expected one of %d faces, with points among %d in face_connectivity, found face %d", c, len(offsets), len(points), face)
				}
				s.faces = append(append(s.faces, int64(len(corners))), corners...)
			}
		}
		s.ends = append(s.ends, int64(len(s.faces)))
	}
	return nil
}

// enter appends the faces of a stream, given the points of the piece.
func (r *reader) enter(points window, types []int64, s faceStream) error {
	g, at, wrong := &r.grid, 0, ""
	next := func(what string, least, most, add int) int {
		switch {
		case wrong != "":
			return 0
		case at >= len(s.faces):
			wrong = fmt.Sprintf("expected %s, found the end", what)
			return 0
		case s.faces[at] < int64(least) || s.faces[at] > int64(most):
			wrong = fmt.Sprintf("expected %s from %d to %d, found %d", what, least, most, s.faces[at])
			return 0
		}
		g.Faces = append(g.Faces, int32(s.faces[at])+int32(add))
		at++
		return int(s.faces[at-1])
	}
	before := len(g.Faces)
	for c, end := range s.ends {
		if types[c] != Polyhedron {
			g.FaceEnds = append(g.FaceEnds, -1)
			continue
		}
		for range next("a number of faces", 4, len(s.faces), 0) {
			for range next("a number of points", 3, len(s.faces), 0) {
				next("a point", 0, points.size-1, points.before)
			}
		}
		if wrong != "" {
			return errorAt(s.facesAt, "faces of cell %d: %s", c, wrong)
		}
		if int64(at) != end {
			return errorAt(s.endsAt, "faceoffsets: the faces of cell %d end at %d, expected %d", c, end, at)
		}
		g.FaceEnds = append(g.FaceEnds, before+at)
	}
	return nil
}
