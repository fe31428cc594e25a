package vtu

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Read returns the grid that the bytes of a VTU file hold; that of all its pieces, one after the other. Data that only
// some pieces have, and strings, are left out. Errors are of type *[Error]. The points of cells are in range, and
// Offsets ascend.
//
// Progress, which may be nil, is called with the share of the arrays that was decoded since the last call, from several
// goroutines. Shares add up to 1 at most.
func Read(data []byte, progress func(share float64)) (*Grid, error) {
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
	if progress != nil {
		arrays := float64(arraysOf(grid))
		d.progress = func(share float64) { progress(share / arrays) }
	}
	g := new(Grid)
	if g.FieldData, err = d.arrays(grid.child("FieldData"), -1); err != nil {
		return nil, err
	}
	first := true
	for _, piece := range grid.children {
		if piece.name != "Piece" {
			continue
		}
		part, err := d.piece(piece)
		if err != nil {
			return nil, err
		}
		if first {
			g.take(part)
		} else if err := g.join(part, piece.at); err != nil {
			return nil, err
		}
		first = false
	}
	return g, nil
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

// piece returns the grid of a piece.
func (d *decoder) piece(n *node) (*Grid, error) {
	points, err := n.number("NumberOfPoints", 0)
	if err != nil {
		return nil, err
	}
	cells, err := n.number("NumberOfCells", 0)
	if err != nil {
		return nil, err
	}
	if max(points, cells) > math.MaxInt32 {
		return nil, errorAt(n.at, "%d points and %d cells: at most %d are possible", points, cells, math.MaxInt32)
	}
	g := &Grid{PointsAt: n.at, CellsAt: n.at}
	if g.PointData, err = d.arrays(n.child("PointData"), points); err != nil {
		return nil, err
	}
	if g.CellData, err = d.arrays(n.child("CellData"), cells); err != nil {
		return nil, err
	}
	if err := d.points(g, n, points); err != nil {
		return nil, err
	}
	return g, d.cells(g, n, points, cells)
}

func (d *decoder) points(g *Grid, piece *node, points int) error {
	section := piece.child("Points")
	array := section.child("DataArray")
	if array == nil {
		if points == 0 {
			return nil
		}
		return errorAt(piece.at, "expected coordinates of %d points, found none", points)
	}
	g.PointsAt = array.at
	a, err := d.array(array, points)
	if err != nil {
		return err
	}
	if a.Components != 3 {
		return errorAt(array.at, "expected 3 coordinates for each point, found %d", a.Components)
	}
	g.Points = Convert[float64](a.Values)
	return nil
}

func (d *decoder) cells(g *Grid, piece *node, points, cells int) error {
	section := piece.child("Cells")
	if section == nil && cells == 0 {
		return nil
	}
	find := func(name string, tuples int) ([]int64, *node, error) {
		if section != nil {
			for _, c := range section.children {
				if c.name == "DataArray" && c.get("Name") == name {
					a, err := d.array(c, tuples)
					if err != nil {
						return nil, c, err
					}
					if a.Components != 1 {
						return nil, c, errorAt(c.at, "array %q: expected one component, found %d", name, a.Components)
					}
					return Convert[int64](a.Values), c, nil
				}
			}
		}
		return nil, piece, errorAt(piece.at, "expected an array %s for %d cells, found none", name, cells)
	}
	if section != nil {
		g.CellsAt = section.at
	}
	ends, at, err := find("offsets", cells)
	if err != nil {
		return err
	}
	g.Offsets = make([]int, cells)
	last := int64(0)
	for i, end := range ends {
		if end < last || end > min(16*math.MaxInt32, math.MaxInt) {
			return errorAt(at.at, "offsets: cell %d ends at %d, and the one before it at %d", i, end, last)
		}
		last, g.Offsets[i] = end, int(end)
	}
	types, at, err := find("types", cells)
	if err != nil {
		return err
	}
	g.Types = make([]uint8, cells)
	for i, v := range types {
		if v < 0 || v > math.MaxUint8 {
			return errorAt(at.at, "types: %d, of cell %d, is no type", v, i)
		}
		g.Types[i] = uint8(v)
	}
	nodes, at, err := find("connectivity", int(last))
	if err != nil {
		return err
	}
	g.Nodes = make([]int32, len(nodes))
	for i, v := range nodes {
		if v < 0 || v >= int64(points) {
			return errorAt(at.at, "connectivity: expected a point in [0,%d), found %d", points, v)
		}
		g.Nodes[i] = int32(v)
	}
	if !slices.Contains(g.Types, Polyhedron) {
		return nil
	}
	ends, at, err = find("faceoffsets", cells)
	if err != nil {
		return err
	}
	last = 0
	for _, end := range ends {
		last = max(last, end)
	}
	faces, facesAt, err := find("faces", int(last))
	if err != nil {
		return err
	}
	return g.readFaces(ends, faces, points, at.at, facesAt.at)
}

// readFaces enters the faces of polyhedra, after a look at all of them. EndsAt and facesAt are where the file has the arrays.
func (g *Grid) readFaces(ends, faces []int64, points, endsAt, facesAt int) error {
	g.Faces, g.FaceEnds = make([]int32, len(faces)), make([]int, len(ends))
	at, wrong := 0, false
	next := func(least, most int) int {
		if wrong = wrong || at >= len(faces) || faces[at] < int64(least) || faces[at] > int64(most); wrong {
			return 0
		}
		g.Faces[at] = int32(faces[at])
		at++
		return int(faces[at-1])
	}
	for c, end := range ends {
		g.FaceEnds[c] = -1
		if g.Types[c] != Polyhedron {
			continue
		}
		for range next(1, len(faces)) {
			for range next(3, len(faces)) {
				next(0, points-1)
			}
		}
		if wrong {
			return errorAt(facesAt, "faces: cell %d: expected the number of its faces, and for each at least 3, and as many points in [0,%d)", c, points)
		}
		if int64(at) != end {
			return errorAt(endsAt, "faceoffsets: the faces of cell %d end at %d, expected %d", c, end, at)
		}
		g.FaceEnds[c] = at
	}
	return nil
}

// arrays returns the arrays of a section, with so many tuples each; -1: as many as they have.
func (d *decoder) arrays(section *node, tuples int) ([]Array, error) {
	if section == nil {
		return nil, nil
	}
	var arrays []Array
	for _, c := range section.children {
		if c.name != "DataArray" || c.get("type") == "String" {
			continue
		}
		a, err := d.array(c, tuples)
		if err != nil {
			return nil, err
		}
		arrays = append(arrays, a)
	}
	return arrays, nil
}

// take copies a part to g.
func (g *Grid) take(part *Grid) {
	fields := g.FieldData
	*g = *part
	g.FieldData = fields
}

// join appends a part, which starts at an offset of the file.
func (g *Grid) join(part *Grid, at int) error {
	points, nodes := len(g.Points)/3, len(g.Nodes)
	g.joinFaces(part, points)
	if points+len(part.Points)/3 > math.MaxInt32 || len(g.Types)+len(part.Types) > math.MaxInt32 {
		return errorAt(at, "more than %d points or cells", math.MaxInt32)
	}
	g.Points = append(g.Points, part.Points...)
	g.Types = append(g.Types, part.Types...)
	for _, n := range part.Nodes {
		g.Nodes = append(g.Nodes, n+int32(points))
	}
	for _, end := range part.Offsets {
		g.Offsets = append(g.Offsets, end+nodes)
	}
	g.PointData = joined(g.PointData, part.PointData)
	g.CellData = joined(g.CellData, part.CellData)
	return nil
}

// joinFaces appends the faces of the polyhedra of a part, whose points come after so many others.
func (g *Grid) joinFaces(part *Grid, points int) {
	if g.FaceEnds == nil && part.FaceEnds == nil {
		return
	}
	if g.FaceEnds == nil {
		g.FaceEnds = slices.Repeat([]int{-1}, len(g.Types))
	}
	before, at := len(g.Faces), 0
	for c := range part.Types {
		if part.FaceEnds == nil || part.FaceEnds[c] < 0 {
			g.FaceEnds = append(g.FaceEnds, -1)
			continue
		}
		g.Faces = append(g.Faces, part.Faces[at])
		for at++; at < part.FaceEnds[c]; {
			corners := int(part.Faces[at])
			g.Faces = append(g.Faces, part.Faces[at])
			for _, p := range part.Faces[at+1 : at+1+corners] {
				g.Faces = append(g.Faces, p+int32(points))
			}
			at += 1 + corners
		}
		g.FaceEnds = append(g.FaceEnds, before+at)
	}
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

// newDecoder returns a decoder of the arrays of a file.
func newDecoder(root *node) (*decoder, error) {
	if root.name != "VTKFile" {
		return nil, errorAt(root.at, "expected <VTKFile>, found <%.40s>", root.name)
	}
	d := &decoder{order: binary.LittleEndian, header: 4, progress: func(float64) {}}
	switch order := root.get("byte_order"); order {
	case "", "LittleEndian":
	case "BigEndian":
		d.order = binary.BigEndian
	default:
		return nil, errorAt(root.at, "expected the byte order LittleEndian or BigEndian, found %q", order)
	}
	switch header := root.get("header_type"); header {
	case "", "UInt32":
	case "UInt64":
		d.header = 8
	default:
		return nil, errorAt(root.at, "expected headers of type UInt32 or UInt64, found %q", header)
	}
	switch c := root.get("compressor"); c {
	case "":
	case "vtkZLibDataCompressor":
		d.decompress = inflate
	case "vtkLZ4DataCompressor":
		d.decompress = unLZ4
	default:
		return nil, errorAt(root.at, "data compressed by %s: save the file again with zlib or LZ4", strings.TrimPrefix(c, "vtk"))
	}
	if a := root.child("AppendedData"); a != nil {
		if err := d.append(a); err != nil {
			return nil, err
		}
	}
	return d, nil
}
