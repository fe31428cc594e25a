package mesh

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// The text format of OP2's airfoil, new_grid.dat. Fields are separated by spaces, indices count from 0:
//
//	nodes cells edges bedges     one line: the counts
//	x y                          for each node: its coordinates
//	n0 n1 n2 n3                  for each cell: its corners
//	n0 n1 c0 c1                  for each interior edge: its ends, the cells beside it
//	n0 n1 c bound                for each boundary edge: its ends, its cell, 1 wall or 2 far field

// section is one part of the format: lines of one kind.
type section struct {
	plural string // what the lines stand for
	layout string // the names of their fields
	fields int
}

var (
	countSection = section{"counts", "nodes cells edges bedges", 4}
	nodeSection  = section{"nodes", "x y", 2}
	cellSection  = section{"cells", "n0 n1 n2 n3", 4}
	edgeSection  = section{"edges", "n0 n1 c0 c1", 4}
	bedgeSection = section{"boundary edges", "n0 n1 c bound", 4}
)

// ReadAirfoil reads a mesh in the text format of OP2's airfoil, new_grid.dat, to the end of r.
//
// Where the text is not that format, the error is a [*FormatError] with the line: a line missing or one too many, a
// wrong number of fields, a word that is not a number, an index that points nowhere, a coordinate that is not
// finite. The file it names is r.Name() where r has such a method, as an [os.File] does. Blank lines and
// carriage returns are tolerated. Errors of r itself are wrapped.
func ReadAirfoil(r io.Reader) (*Airfoil, error) {
	file := "input"
	if named, ok := r.(interface{ Name() string }); ok {
		file = named.Name()
	}
	s := newScanner(r, file)
	m := new(Airfoil)
	for _, read := range []func(*scanner) error{m.readCounts, m.readNodes, m.readCells, m.readEdges, m.readBedges} {
		if err := read(s); err != nil {
			return nil, err
		}
	}
	if err := s.next(); err == nil {
		return nil, s.errorf("expected the end of the file after %d %s, found %s",
			m.Bedges, bedgeSection.plural, quote(s.fields[0]))
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return m, nil
}

// ReadAirfoilFile reads a mesh from the file at path, as [ReadAirfoil] does.
func ReadAirfoilFile(path string) (*Airfoil, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	defer f.Close()
	return ReadAirfoil(f)
}

func (m *Airfoil) readCounts(s *scanner) error {
	if err := s.nextOf(countSection, 0, 1); err != nil {
		return err
	}
	for k, c := range []struct {
		section section
		count   *int
	}{
		{nodeSection, &m.Nodes}, {cellSection, &m.Cells}, {edgeSection, &m.Edges}, {bedgeSection, &m.Bedges},
	} {
		n, err := s.count(k, c.section.plural)
		if err != nil {
			return err
		}
		*c.count = n
	}
	return nil
}

func (m *Airfoil) readNodes(s *scanner) error {
	for n := range m.Nodes {
		if err := s.nextOf(nodeSection, n, m.Nodes); err != nil {
			return err
		}
		m.XY = room(m.XY, 2, m.Nodes)
		x, err := s.coordinate(0)
		if err != nil {
			return err
		}
		y, err := s.coordinate(1)
		if err != nil {
			return err
		}
		m.XY = append(m.XY, x, y)
	}
	return nil
}

func (m *Airfoil) readCells(s *scanner) error {
	for n := range m.Cells {
		if err := s.nextOf(cellSection, n, m.Cells); err != nil {
			return err
		}
		m.CellNodes = room(m.CellNodes, 4, m.Cells)
		for k := range 4 {
			node, err := s.index(k, "node", m.Nodes)
			if err != nil {
				return err
			}
			m.CellNodes = append(m.CellNodes, node)
		}
	}
	return nil
}

func (m *Airfoil) readEdges(s *scanner) error {
	for n := range m.Edges {
		if err := s.nextOf(edgeSection, n, m.Edges); err != nil {
			return err
		}
		m.EdgeNodes, m.EdgeCells = room(m.EdgeNodes, 2, m.Edges), room(m.EdgeCells, 2, m.Edges)
		for k := range 2 {
			node, err := s.index(k, "node", m.Nodes)
			if err != nil {
				return err
			}
			m.EdgeNodes = append(m.EdgeNodes, node)
		}
		for k := 2; k < 4; k++ {
			cell, err := s.index(k, "cell", m.Cells)
			if err != nil {
				return err
			}
			m.EdgeCells = append(m.EdgeCells, cell)
		}
	}
	return nil
}

func (m *Airfoil) readBedges(s *scanner) error {
	for n := range m.Bedges {
		if err := s.nextOf(bedgeSection, n, m.Bedges); err != nil {
			return err
		}
		m.BedgeNodes = room(m.BedgeNodes, 2, m.Bedges)
		for k := range 2 {
			node, err := s.index(k, "node", m.Nodes)
			if err != nil {
				return err
			}
			m.BedgeNodes = append(m.BedgeNodes, node)
		}
		cell, err := s.index(2, "cell", m.Cells)
		if err != nil {
			return err
		}
		bound, ok := parseInt(s.fields[3])
		if !ok || bound != Wall && bound != FarField {
			return s.errorf("expected %d (wall) or %d (far field), found %s", Wall, FarField, quote(s.fields[3]))
		}
		m.BedgeCell = append(room(m.BedgeCell, 1, m.Bedges), cell)
		m.Bound = append(room(m.Bound, 1, m.Bedges), int32(bound))
	}
	return nil
}

// nextOf moves to the next line, which must be one of the section, of whose total lines done have been read.
func (s *scanner) nextOf(want section, done, total int) error {
	err := s.next()
	switch {
	case errors.Is(err, io.EOF) && want == countSection:
		return s.errorf("expected the counts (%s), found the end of the file", want.layout)
	case errors.Is(err, io.EOF):
		return s.errorf("expected %d %s, found the end of the file after %d", total, want.plural, done)
	case err != nil:
		return err
	case s.found != want.fields:
		return s.errorf("expected a line of the %s with %d fields (%s), found %d fields",
			want.plural, want.fields, want.layout, s.found)
	}
	return nil
}

// room returns values with space for one more line of width values, given the total number of
// lines. The space doubles as lines arrive and ends up exact: a wrong count in the file costs no
// memory.
func room[T any](values []T, width, lines int) []T {
	if cap(values)-len(values) >= width {
		return values
	}
	const first = 4096 // lines
	space := max(2*int64(cap(values)), first*int64(width))
	grown := make([]T, len(values), min(space, int64(lines)*int64(width)))
	copy(grown, values)
	return grown
}
