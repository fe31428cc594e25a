package mesh

import (
	"bufio"
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

// ReadAirfoil reads a mesh in the text format of OP2's airfoil, new_grid.dat, to the end of r. [Mesh.Given] holds its
// edges in the order of the file, the ends of each swapped: the first cell lies to the left. The boundary edges
// are the groups "wall" and "far". The nodes of the cut behind the airfoil are there twice, once for each side:
// [Mesh.Joined] has them once.
//
// Where the text is not that format, the error is a [*FormatError] with the line. The file it names is r.Name() where r
// has such a method, as an [os.File] does. Errors of r itself are wrapped.
func ReadAirfoil(r io.Reader, options ...ReadOption) (*Mesh, error) {
	o := readOptions(options)
	data, name, err := o.readAll(r)
	if err != nil {
		return nil, err
	}
	f := &fileReader{name: name, data: data}
	var nodes, cells, edges, bedges int
	f.rows(1, "the counts: nodes cells edges bedges", func(r *lineReader) {
		for _, n := range []*int{&nodes, &cells, &edges, &bedges} {
			if *n = int(r.integer()); r.ok && (*n < 0 || *n > len(data)/4) { // a line has four bytes or more
				f.fail(f.pos, "expected counts for which the file has room, found %d", *n)
			}
		}
	})
	if f.err != nil {
		return nil, f.err
	}
	node := func(r *lineReader) int32 { return int32(f.index(r, "node index", nodes)) }
	cell := func(r *lineReader) int32 { return int32(f.index(r, "cell index", cells)) }
	a := &airfoilArrays{points: make([]float64, 0, 2*nodes), cells: make([]int32, 0, 4*cells),
		edgeNodes: make([]int32, 0, 2*edges), edgeCells: make([]int32, 0, 2*edges),
		bedgeNodes: make([]int32, 0, 2*bedges), bedgeCell: make([]int32, 0, bedges), bound: make([]int32, 0, bedges)}
	f.rows(nodes, "a node: x y, both finite", func(r *lineReader) {
		a.points = append(a.points, r.number(), r.number())
	})
	f.rows(cells, "a cell: n0 n1 n2 n3", func(r *lineReader) {
		a.cells = append(a.cells, node(r), node(r), node(r), node(r))
	})
	f.rows(edges, "an edge: n0 n1 c0 c1", func(r *lineReader) {
		from, to := node(r), node(r)
		a.edgeNodes, a.edgeCells = append(a.edgeNodes, to, from), append(a.edgeCells, cell(r), cell(r))
	})
	f.rows(bedges, "a boundary edge: n0 n1 c bound", func(r *lineReader) {
		from, to := node(r), node(r)
		a.bedgeNodes, a.bedgeCell = append(a.bedgeNodes, to, from), append(a.bedgeCell, cell(r))
		bound := r.integer()
		if r.ok && (bound < 1 || bound > int64(len(boundNames))) {
			f.fail(f.pos, "expected 1 (wall) or 2 (far field), found %d", bound)
		}
		a.bound = append(a.bound, int32(bound))
	})
	if at := f.spaces(); f.err == nil && at < len(data) {
		f.fail(at, "expected the end of the file after %d boundary edges, found %s", bedges, f.lineAt(at))
	}
	if f.err != nil {
		return nil, f.err
	}
	o.progress(1)
	return a.mesh(), nil
}

// rows calls read for each of n lines, in the form that layout describes. Blank lines between them are
// skipped.
func (f *fileReader) rows(n int, layout string, read func(r *lineReader)) {
	r := lineReader{data: f.data}
	for i := 0; i < n && f.err == nil; i++ {
		at := f.spaces()
		if at == len(f.data) {
			f.fail(at, "expected %s, found the end of the file after %d of %d", layout, i, n)
			return
		}
		r.pos, r.ok = at, true
		read(&r)
		if r.end(); !r.ok {
			f.fail(at, "expected %s, found %s", layout, f.lineAt(at))
		}
		f.pos = r.pos
	}
}

// index reads an integer from 0 to limit-1, or returns 0.
func (f *fileReader) index(r *lineReader, what string, limit int) int {
	n := r.integer()
	if r.ok && (n < 0 || n >= int64(limit)) {
		f.fail(f.pos, "expected a %s in [0,%d), found %d", what, limit, n)
	}
	if !r.ok || f.err != nil {
		return 0
	}
	return int(n)
}

// WriteAirfoil writes the mesh in the text format of OP2's airfoil, new_grid.dat, with the edges in the order of
// [Mesh.Facets]. Coordinates keep six decimals, no more.
//
// It is an error, and nothing is written, unless the cells are quadrilaterals in the plane and each edge of the boundary
// belongs to one of the groups "wall" and "far". Errors of w are wrapped.
func (m *Mesh) WriteAirfoil(w io.Writer) error {
	if err := m.Valid(); err != nil {
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
		text := strconv.AppendFloat(out.AvailableBuffer(), m.Point(n)[0], 'f', 6, 64)
		text = strconv.AppendFloat(append(text, ' '), m.Point(n)[1], 'f', 6, 64)
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
