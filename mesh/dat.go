package mesh

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The text format of OP2's airfoil, new_grid.dat. Fields are separated by spaces, indices count from 0:
//
//	nodes cells edges bedges     one line: the counts
//	x y                          for each node: its coordinates
//	n0 n1 n2 n3                  for each cell: its corners
//	n0 n1 c0 c1                  for each interior edge: its ends, the cells to its right and left
//	n0 n1 c bound                for each boundary edge: its ends, the cell to its right, 1 wall or 2 far field

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

// ReadAirfoil reads a mesh in the text format of OP2's airfoil, new_grid.dat, to the end of r. [Mesh.Given] holds its
// edges in the order of the file, the ends of each swapped: the first cell lies to the left. The boundary edges
// are the groups "wall" and "far". Of the two nodes that OP2's mesh has at each place of the cut behind the airfoil, one
// for each side, the mesh has the later one alone.
//
// Where the text is not that format, the error is a [*FormatError] with the line: a line missing or one too many, a
// wrong number of fields, a word that is not a number, an index that points nowhere, a coordinate that is not
// finite. The file it names is r.Name() where r has such a method, as an [os.File] does. Blank lines and
// carriage returns are tolerated. Errors of r itself are wrapped.
func ReadAirfoil(r io.Reader) (*Mesh, error) {
	file := "input"
	if named, ok := r.(interface{ Name() string }); ok {
		file = named.Name()
	}
	s := newScanner(r, file)
	var nodes, cells, edges, bedges int
	s.lines(countSection, 1, func() (err error) {
		for k, of := range []struct {
			section section
			count   *int
		}{{nodeSection, &nodes}, {cellSection, &cells}, {edgeSection, &edges}, {bedgeSection, &bedges}} {
			if *of.count, err = s.count(k, of.section.plural); err != nil {
				return err
			}
		}
		return nil
	})
	a := &airfoilArrays{}
	s.lines(nodeSection, nodes, func() error {
		x, err := s.coordinate(0)
		if err != nil {
			return err
		}
		y, err := s.coordinate(1)
		a.points = append(room(a.points, 2, nodes), x, y)
		return err
	})
	node, cell, bound := column{"node", nodes}, column{"cell", cells}, column{"bound", 0}
	s.rows(cellSection, cells, [4]column{node, node, node, node}, func(row [4]int32) {
		a.cells = append(room(a.cells, 4, cells), row[:]...)
	})
	s.rows(edgeSection, edges, [4]column{node, node, cell, cell}, func(row [4]int32) {
		a.edgeNodes = append(room(a.edgeNodes, 2, edges), row[1], row[0])
		a.edgeCells = append(room(a.edgeCells, 2, edges), row[2], row[3])
	})
	s.rows(bedgeSection, bedges, [4]column{node, node, cell, bound}, func(row [4]int32) {
		a.bedgeNodes = append(room(a.bedgeNodes, 2, bedges), row[1], row[0])
		a.bedgeCell = append(room(a.bedgeCell, 1, bedges), row[2])
		a.bound = append(room(a.bound, 1, bedges), row[3])
	})
	if s.err == nil {
		if s.err = s.next(); s.err == nil {
			s.err = s.errorf("expected the end of the file after %d %s, found %s", bedges, bedgeSection.plural, quote(s.fields[0]))
		}
	}
	if !errors.Is(s.err, io.EOF) {
		return nil, s.err
	}
	a.mergeCut()
	return a.mesh(), nil
}

// lines calls read for each of the lines of a section. After an error, which s.err keeps, it does nothing.
func (s *scanner) lines(of section, total int, read func() error) {
	for n := 0; n < total && s.err == nil; n++ {
		err := s.next()
		switch {
		case errors.Is(err, io.EOF) && of == countSection:
			s.err = s.errorf("expected the counts (%s), found the end of the file", of.layout)
		case errors.Is(err, io.EOF):
			s.err = s.errorf("expected %d %s, found the end of the file after %d", total, of.plural, n)
		case err != nil:
			s.err = err
		case s.found != of.fields:
			s.err = s.errorf("expected a line of the %s with %d fields (%s), found %d fields", of.plural, of.fields, of.layout, s.found)
		default:
			s.err = read()
		}
	}
}

// column is what one of the integers of a line is: the index of one of limit nodes or cells, or a bound.
type column struct {
	what  string
	limit int
}

// rows calls add for each of the lines of a section with four integers.
func (s *scanner) rows(of section, total int, columns [4]column, add func(row [4]int32)) {
	s.lines(of, total, func() (err error) {
		var row [4]int32
		for k, c := range columns {
			if c.what == "bound" {
				row[k], err = s.bound(k)
			} else {
				row[k], err = s.index(k, c.what, c.limit)
			}
			if err != nil {
				return err
			}
		}
		add(row)
		return nil
	})
}

// bound returns field k of the line as a bound: the number of a name in boundNames, from 1.
func (s *scanner) bound(k int) (int32, error) {
	bound, ok := parseInt(s.fields[k])
	if !ok || bound < 1 || bound > int64(len(boundNames)) {
		return 0, s.errorf("expected 1 (wall) or 2 (far field), found %s", quote(s.fields[k]))
	}
	return int32(bound), nil
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

// WriteAirfoil writes the mesh in the text format of OP2's airfoil, new_grid.dat, with the edges in the order of
// [Mesh.Facets]. Coordinates keep six decimals, no more.
//
// It is an error, and nothing is written, unless the cells are quadrilaterals in the plane and each edge of the boundary
// belongs to one of the groups "wall" and "far". Errors of w are wrapped.
func (m *Mesh) WriteAirfoil(w io.Writer) error {
	if err := m.valid(); err != nil {
		return err
	}
	cells := m.CellBlocks()
	if m.CellDim() > 0 && (m.Dim != 2 || len(cells) != 1 || cells[0].Kind != Quadrilateral) {
		return fmt.Errorf("mesh: expected quadrilaterals in the plane for OP2's airfoil, found %s in %d dimensions", kindsOf(cells), m.Dim)
	}
	f, err := m.Facets()
	if err != nil {
		return err
	}
	bound, err := f.BoundaryGroups(boundNames...)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10) // it keeps its first error for Flush
	line := func(a, b, c, d int32) {
		text := strconv.AppendInt(out.AvailableBuffer(), int64(a), 10)
		text = strconv.AppendInt(append(text, ' '), int64(b), 10)
		text = strconv.AppendInt(append(text, ' '), int64(c), 10)
		text = strconv.AppendInt(append(text, ' '), int64(d), 10)
		out.Write(append(text, '\n'))
	}
	line(int32(m.Nodes()), int32(m.Cells()), int32(f.Interior.Len()), int32(f.Boundary.Len()))
	for n := range int32(m.Nodes()) {
		text := appendFixed6(out.AvailableBuffer(), m.Point(n)[0])
		text = appendFixed6(append(text, ' '), m.Point(n)[1])
		out.Write(append(text, '\n'))
	}
	for c := range m.Cells() {
		corners := cells[0].Element(c)
		line(corners[0], corners[1], corners[2], corners[3])
	}
	edges, bedges := f.Interior.Reversed(), f.Boundary.Reversed()
	for e := range f.Interior.Len() {
		line(edges[2*e], edges[2*e+1], f.Interior.Cells[2*e], f.Interior.Cells[2*e+1])
	}
	for e := range f.Boundary.Len() {
		line(bedges[2*e], bedges[2*e+1], f.Boundary.Cells[e], bound[e])
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
}

// kindsOf lists the kinds of blocks.
func kindsOf(blocks []Block) string {
	var kinds []string
	for _, b := range blocks {
		kinds = append(kinds, plural(b.Kind))
	}
	return strings.Join(kinds, " and ")
}
