package vtu

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// ReadPart returns a part of the grid that the bytes of a VTU file hold: the points and cells that pointsOf and cellsOf
// return of so many, from lo up to hi, and those data that keep selects by name. Nodes are the points of all pieces, in order.
// Arrays must be appended raw. It decodes what it returns, and at most a compressed block beside it.
func ReadPart(data []byte, pointsOf, cellsOf func(n int) (lo, hi int), keep func(name string) bool) (*Grid, error) {
	root, err := parse(data)
	if err != nil {
		return nil, err
	}
	d, err := newDecoder(root)
	if err != nil {
		return nil, err
	}
	grid := root.child("UnstructuredGrid")
	if grid == nil {
		return nil, errorAt(root.at, "expected an UnstructuredGrid, found a file of type %q", root.get("type"))
	}
	var pieces []windowed
	var total windowed
	for _, n := range grid.children {
		if n.name != "Piece" {
			continue
		}
		w := windowed{node: n, points: window{before: total.points.size}, cells: window{before: total.cells.size}}
		if w.points.size, err = n.number("NumberOfPoints", 0); err != nil {
			return nil, err
		}
		if w.cells.size, err = n.number("NumberOfCells", 0); err != nil {
			return nil, err
		}
		total.points.size += w.points.size
		total.cells.size += w.cells.size
		if max(total.points.size, total.cells.size) > math.MaxInt32 {
			return nil, errorAt(n.at, "%d points and %d cells: at most %d are possible", total.points.size, total.cells.size, math.MaxInt32)
		}
		pieces = append(pieces, w)
	}
	g := new(Grid)
	for i, w := range pieces {
		w.points.limit(pointsOf(total.points.size))
		w.cells.limit(cellsOf(total.cells.size))
		if err := d.addPart(g, w, i == 0, keep); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// window is some of the tuples of an array of a piece.
type window struct{ before, size, lo, hi int }

// limit sets the window to what the piece has of a range over all pieces.
func (w *window) limit(lo, hi int) {
	w.lo = min(max(lo-w.before, 0), w.size)
	w.hi = max(min(hi-w.before, w.size), w.lo)
}

// windowed is a piece, of which some points and cells are read.
type windowed struct {
	node          *node
	points, cells window
}

// addPart appends a part of a piece.
func (d *decoder) addPart(g *Grid, p windowed, first bool, keep func(name string) bool) error {
	g.PointsAt, g.CellsAt = p.node.at, p.node.at
	if array := p.node.child("Points").child("DataArray"); array != nil {
		a, err := d.window(array, p.points)
		if err != nil {
			return err
		}
		if a.Components != 3 {
			return errorAt(array.at, "expected 3 coordinates for each point, found %d", a.Components)
		}
		g.Points = append(g.Points, Convert[float64](a.Values)...)
	} else if p.points.size > 0 {
		return errorAt(p.node.at, "expected coordinates of %d points, found none", p.points.size)
	}
	if err := d.addCells(g, p); err != nil {
		return err
	}
	for _, of := range []struct {
		section string
		arrays  *[]Array
		window  window
	}{{"PointData", &g.PointData, p.points}, {"CellData", &g.CellData, p.cells}} {
		var arrays []Array
		section := p.node.child(of.section)
		if section == nil {
			section = &node{}
		}
		for _, c := range section.children {
			if c.name != "DataArray" || !keep(c.get("Name")) {
				continue
			}
			a, err := d.window(c, of.window)
			if err != nil {
				return err
			}
			arrays = append(arrays, a)
		}
		if *of.arrays = joined(*of.arrays, arrays); first {
			*of.arrays = arrays
		}
	}
	return nil
}

// addCells appends the cells of a part of a piece.
func (d *decoder) addCells(g *Grid, p windowed) error {
	if p.cells.size == 0 {
		return nil
	}
	cells := p.node.child("Cells")
	if cells == nil {
		cells = p.node
	}
	find := func(name string, w window) ([]int64, *node, error) {
		for _, c := range cells.children {
			if c.name == "DataArray" && c.get("Name") == name {
				a, err := d.window(c, w)
				if err == nil && a.Components != 1 {
					err = errorAt(c.at, "array %q: expected one component, found %d", name, a.Components)
				}
				return Convert[int64](a.Values), c, err
			}
		}
		return nil, nil, errorAt(p.node.at, "expected an array %s for %d cells, found none", name, p.cells.size)
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
	return nil
}

// window decodes some tuples of an array, which has so many; -1: any number.
func (d *decoder) window(n *node, w window) (Array, error) {
	a, t, err := typed(n)
	if err != nil {
		return a, err
	}
	appended, is := d.appended.(raw)
	if n.get("format") != "appended" || !is {
		return a, errorAt(n.at, "array %q: expected appended raw data, of which a part can be read, found another format; op2 mesh FILE -o NEW.vtu converts it", a.Name)
	}
	offset, err := n.number("offset", 0)
	if err != nil {
		return a, err
	}
	row := int(t.Size()) * a.Components
	most := appended.most()
	if d.decompress != nil {
		most *= mostExpanded
	}
	if (w.hi-w.lo)*row > most { // before there is memory for it
		return a, errorAt(n.at, "array %q: %v", a.Name, errShort)
	}
	a.Values = Make(t, (w.hi-w.lo)*a.Components)
	to := Bytes(a.Values)
	if len(to) == 0 {
		return a, nil
	}
	read := d.plainWindow
	if d.decompress != nil {
		read = d.compressedWindow
	}
	if err := read(appended.from(offset), w.size*row, w.lo*row, to); err != nil {
		return a, errorAt(n.at, "array %q: %v", a.Name, err)
	}
	if d.order.Uint16([]byte{0, 1}) != binary.NativeEndian.Uint16([]byte{0, 1}) {
		swapBytes(to, int(t.Size()))
	}
	return a, nil
}

// plainWindow copies the bytes at a place of data that is not compressed, which has so many; negative: any number.
func (d *decoder) plainWindow(from source, want, at int, to []byte) error {
	size, err := d.numbers(from, 0, 1)
	if err != nil {
		return err
	}
	if want >= 0 && size[0] != want || at+len(to) > size[0] {
		return fmt.Errorf("expected %d bytes, found %d", max(want, at+len(to)), size[0])
	}
	if size[0] > from.most()-d.header {
		return errShort
	}
	data, err := from.from(d.header + at).first(len(to))
	copy(to, data)
	return err
}

// compressedWindow decodes the blocks that hold the bytes at a place.
func (d *decoder) compressedWindow(from source, want, at int, to []byte) error {
	head, err := d.numbers(from, 0, 3)
	if err != nil {
		return err
	}
	blocks, each, last := head[0], head[1], head[2]
	ends, err := d.ends(from, blocks, each, last)
	if err != nil {
		return err
	}
	size := blocks * each
	if last > 0 {
		size -= each - last
	}
	if want >= 0 && size != want || at+len(to) > size {
		return fmt.Errorf("expected %d bytes, found %d", max(want, at+len(to)), size)
	}
	var block []byte
	for b := at / each; b*each < at+len(to); b++ {
		data, err := from.from(ends[b]).first(ends[b+1] - ends[b])
		if err != nil {
			return err
		}
		here := min(each, size-b*each)
		if here > mostExpanded*len(data) { // see compressed
			return fmt.Errorf("a block of %d bytes in %d compressed ones is impossible", here, len(data))
		}
		block = slices.Grow(block, here)
		of := block[:here]
		if err := d.decompress(of, data); err != nil {
			return err
		}
		copy(to[max(b*each-at, 0):], of[max(at-b*each, 0):])
	}
	return nil
}
