package vtu

import (
	"math"
	"reflect"
	"slices"
)

// Read returns the grid that the bytes of a VTU file hold; that of all its pieces, one after the other. Data that only
// some pieces have, and strings, are left out. Errors are of type *[Error]. The points of cells are in range, and
// Offsets ascend.
//
// Progress, which may be nil, is called with the share of the arrays that was decoded since the last call, from several
// goroutines. Shares add up to 1 at most.
func Read(data []byte, progress func(share float64)) (*Grid, error) {
	d, grid, err := open(data)
	if err != nil {
		return nil, err
	}
	if progress != nil {
		arrays := float64(arraysOf(grid))
		d.progress = func(share float64) { progress(share / arrays) }
	}
	whole := func(n int) (lo, hi int) { return 0, n }
	r := reader{pointsOf: whole, cellsOf: whole,
		keep: func(array *node) bool { return array.get("type") != "String" },
		array: func(array *node, w window) (Array, error) {
			return d.array(array, window{size: w.hi - w.lo, hi: w.hi - w.lo})
		}}
	if err := r.read(grid); err != nil {
		return nil, err
	}
	if section := grid.child("FieldData"); section != nil {
		for _, c := range section.children {
			if c.name != "DataArray" || !r.keep(c) {
				continue
			}
			a, err := d.array(c, allTuples)
			if err != nil {
				return nil, err
			}
			r.grid.FieldData = append(r.grid.FieldData, a)
		}
	}
	return &r.grid, nil
}

// ReadPart returns a part of the grid that the bytes of a VTU file hold: the points and cells that pointsOf and cellsOf
// return of so many, from lo up to hi, and those data that keep selects by name. Nodes are the points of all pieces, in order.
// Arrays must be appended raw. It decodes what it returns, and the compressed blocks at its ends.
func ReadPart(data []byte, pointsOf, cellsOf func(n int) (lo, hi int), keep func(name string) bool) (*Grid, error) {
	d, grid, err := open(data)
	if err != nil {
		return nil, err
	}
	r := reader{pointsOf: pointsOf, cellsOf: cellsOf, keep: func(array *node) bool { return keep(array.get("Name")) }, part: true}
	r.array = func(n *node, w window) (Array, error) {
		if _, is := d.appended.(rawBytes); !is || n.get("format") != "appended" {
			return Array{}, errorAt(n.at, "array %q: expected appended raw data, of which a part can be read, found another format; op2 mesh FILE -o NEW.vtu converts it", n.get("Name"))
		}
		return d.array(n, w)
	}
	if err := r.read(grid); err != nil {
		return nil, err
	}
	return &r.grid, nil
}

// open returns a decoder of the arrays of a file, and the element that has the grid.
func open(data []byte) (*decoder, *node, error) {
	root, err := parse(data)
	if err != nil {
		return nil, nil, err
	}
	d, err := newDecoder(root)
	if err != nil {
		return nil, nil, err
	}
	grid := root.child("UnstructuredGrid")
	if grid == nil {
		return nil, nil, errorAt(root.at, "expected an UnstructuredGrid, found a file of type %q", root.get("type"))
	}
	return d, grid, nil
}

// arraysOf returns the number of arrays in the sections of a grid.
func arraysOf(grid *node) (n int) {
	for _, part := range grid.children {
		sections := part.children
		if part.name == "FieldData" {
			sections = []*node{part}
		}
		for _, section := range sections {
			n += len(section.children)
		}
	}
	return n
}

// reader reads a grid, or a part of it.
type reader struct {
	grid              Grid
	pointsOf, cellsOf func(n int) (lo, hi int)           // those of n that are read
	keep              func(array *node) bool             // of the data
	array             func(*node, window) (Array, error) // decodes some tuples; without an end, all
	part              bool                               // of the grid, whose polyhedra have no faces
}

// piece is a piece of a grid, of which some points and cells are read.
type piece struct {
	*node
	points, cells window
}

// read reads the pieces, one after the other.
func (r *reader) read(grid *node) (err error) {
	var pieces []piece
	points, cells := 0, 0
	for _, n := range grid.children {
		if n.name != "Piece" {
			continue
		}
		p := piece{node: n, points: window{before: points}, cells: window{before: cells}}
		if p.points.size, err = n.number("NumberOfPoints", 0); err != nil {
			return err
		}
		if p.cells.size, err = n.number("NumberOfCells", 0); err != nil {
			return err
		}
		points, cells = points+p.points.size, cells+p.cells.size
		if max(points, cells) > math.MaxInt32 {
			return errorAt(n.at, "%d points and %d cells: at most %d are possible", points, cells, math.MaxInt32)
		}
		pieces = append(pieces, p)
	}
	for i, p := range pieces {
		p.points.limit(r.pointsOf(points))
		p.cells.limit(r.cellsOf(cells))
		if err := r.points(p); err != nil {
			return err
		}
		if err := r.cells(p); err != nil {
			return err
		}
		if err := r.data(&r.grid.PointData, p.child("PointData"), p.points, i == 0); err != nil {
			return err
		}
		if err := r.data(&r.grid.CellData, p.child("CellData"), p.cells, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// points appends the points of a piece.
func (r *reader) points(p piece) error {
	r.grid.PointsAt = p.at
	array := p.child("Points").child("DataArray")
	if array == nil {
		if p.points.size == 0 {
			return nil
		}
		return errorAt(p.at, "expected coordinates of %d points, found none", p.points.size)
	}
	r.grid.PointsAt = array.at
	a, err := r.array(array, p.points)
	if err != nil {
		return err
	}
	if a.Components != 3 {
		return errorAt(array.at, "expected 3 coordinates for each point, found %d", a.Components)
	}
	if points := Convert[float64](a.Values); r.grid.Points == nil {
		r.grid.Points = points
	} else {
		r.grid.Points = append(r.grid.Points, points...)
	}
	return nil
}

// cells appends the cells of a piece. Their nodes are the points of all pieces, in order.
func (r *reader) cells(p piece) error {
	g, section := &r.grid, p.child("Cells")
	g.CellsAt = p.at
	if section == nil && p.cells.size == 0 {
		return nil
	}
	find := func(name string, w window) ([]int64, *node, error) {
		if section != nil {
			g.CellsAt = section.at
			for _, c := range section.children {
				if c.name == "DataArray" && c.get("Name") == name {
					a, err := r.array(c, w)
					if err == nil && a.Components != 1 {
						err = errorAt(c.at, "array %q: expected one component, found %d", name, a.Components)
					}
					if err != nil {
						return nil, nil, err
					}
					return Convert[int64](a.Values), c, nil
				}
			}
		}
		return nil, nil, errorAt(p.at, "expected an array %s for %d cells, found none", name, p.cells.size)
	}
	w := p.cells
	w.lo = max(w.lo-1, 0) // where the first cell starts
	ends, at, err := find("offsets", w)
	if err != nil {
		return err
	}
	start := int64(0)
	if p.cells.lo > 0 && len(ends) > 0 {
		start, ends = ends[0], ends[1:]
		if start < 0 || start > min(16*math.MaxInt32, math.MaxInt) {
			return errorAt(at.at, "offsets: cell %d ends at %d", p.cells.lo-1, start)
		}
	}
	last := start
	g.Offsets = slices.Grow(g.Offsets, len(ends))
	for i, end := range ends {
		if end < last || end > min(16*math.MaxInt32, math.MaxInt) {
			return errorAt(at.at, "offsets: cell %d ends at %d, and the one before it at %d", p.cells.lo+i, end, last)
		}
		last = end
		g.Offsets = append(g.Offsets, len(g.Nodes)+int(end-start))
	}
	types, at, err := find("types", p.cells)
	if err != nil {
		return err
	}
	g.Types = slices.Grow(g.Types, len(types))
	for i, v := range types {
		if v < 0 || v > math.MaxUint8 {
			return errorAt(at.at, "types: %d, of cell %d, is no type", v, p.cells.lo+i)
		}
		g.Types = append(g.Types, uint8(v))
	}
	nodes, at, err := find("connectivity", window{size: -1, lo: int(start), hi: int(last)})
	if err != nil {
		return err
	}
	g.Nodes = slices.Grow(g.Nodes, len(nodes))
	for _, v := range nodes {
		if v < 0 || v >= int64(p.points.size) {
			return errorAt(at.at, "connectivity: expected a point in [0,%d), found %d", p.points.size, v)
		}
		g.Nodes = append(g.Nodes, int32(v)+int32(p.points.before))
	}
	if r.part || !slices.Contains(types, Polyhedron) {
		if g.FaceEnds != nil {
			g.FaceEnds = append(g.FaceEnds, slices.Repeat([]int{-1}, len(types))...)
		}
		return nil
	}
	return r.polyhedra(p, types, find)
}

// data appends the tuples of a section of a piece to arrays: those that all pieces have.
func (r *reader) data(to *[]Array, section *node, w window, first bool) error {
	var arrays []Array
	if section != nil {
		for _, c := range section.children {
			if c.name != "DataArray" || !r.keep(c) {
				continue
			}
			a, err := r.array(c, w)
			if err != nil {
				return err
			}
			arrays = append(arrays, a)
		}
	}
	if first {
		*to = arrays
	} else {
		*to = joined(*to, arrays)
	}
	return nil
}

// joined returns those of arrays that the others have, too, with their tuples appended.
func joined(arrays, others []Array) []Array {
	var out []Array
	for _, a := range arrays {
		for _, b := range others {
			if a.Name == b.Name && a.Components == b.Components && appendValues(&a, b) {
				out = append(out, a)
				break
			}
		}
	}
	return out
}

// appendValues appends the values of b to those of a, and reports whether they have one type.
func appendValues(a *Array, b Array) bool {
	to, more := reflect.ValueOf(a.Values), reflect.ValueOf(b.Values)
	if to.Type() != more.Type() {
		return false
	}
	a.Values = reflect.AppendSlice(to, more).Interface()
	return true
}
