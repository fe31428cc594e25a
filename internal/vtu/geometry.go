package vtu

import "math"

// Block holds cells of one type.
type Block struct {
	Type  uint8
	Arity int     // points of a cell
	Nodes []int32 // Shape [cells][Arity]

	// Of polyhedra, whose points differ in number:
	Ends     []int32 // where the points of each end
	Faces    []int32 // for one after the other, the number of its faces, and for each the number of its points, and these
	FaceEnds []int64 // where the faces of each end
}

// FacesOf returns the faces of polyhedra as a [Block] has them, given the points of each face of a cell.
func FacesOf(cells int, of func(cell int) [][]int32) (faces []int32, ends []int64) {
	for c := range cells {
		all := of(c)
		faces = append(faces, int32(len(all)))
		for _, face := range all {
			faces = append(append(faces, int32(len(face))), face...)
		}
		ends = append(ends, int64(len(faces)))
	}
	return faces, ends
}

// cells returns the number of cells.
func (b *Block) cells() int {
	if b.Type == Polyhedron {
		return len(b.Ends)
	}
	return len(b.Nodes) / b.Arity
}

// Geometry returns a file with the given points and cells and without data. Points have dim coordinates, from 1 to 3;
// those that are missing are 0. They are of type []float64 or []float32.
func (f Format) Geometry(dim int, points any, blocks []Block) *File {
	cells, nodes := 0, 0
	for _, b := range blocks {
		cells += b.cells()
		nodes += len(b.Nodes)
	}
	all, ends, types := make([]int32, 0, nodes), make([]int64, 0, cells), make([]uint8, 0, cells)
	var faces []int32
	var faceEnds []int64 // -1: no polyhedron
	for _, b := range blocks {
		for c := range b.cells() {
			types = append(types, b.Type)
			if b.Type != Polyhedron {
				ends, faceEnds = append(ends, int64(len(all)+(c+1)*b.Arity)), append(faceEnds, -1)
				continue
			}
			ends, faceEnds = append(ends, int64(len(all))+int64(b.Ends[c])), append(faceEnds, int64(len(faces))+b.FaceEnds[c])
		}
		all, faces = append(all, b.Nodes...), append(faces, b.Faces...)
	}
	file := &File{
		Points:  f.Points(dim, points),
		Nodes:   f.Encode(Array{Name: "connectivity", Values: all}),
		Offsets: f.Encode(Array{Name: "offsets", Values: narrow(ends)}),
		Types:   f.Encode(Array{Name: "types", Values: types}),
	}
	if faces != nil {
		file.Polyhedra = []*Encoded{f.Encode(Array{Name: "faces", Values: faces}), f.Encode(Array{Name: "faceoffsets", Values: faceEnds})}
	}
	return file
}

// Points encodes the points of a [Format.Geometry].
func (f Format) Points(dim int, points any) *Encoded {
	switch p := points.(type) {
	case []float64:
		points = Padded(p, dim)
	case []float32:
		points = Padded(p, dim)
	}
	return f.Encode(Array{Name: "Points", Components: 3, Values: points})
}

// narrow returns values as int32 if they fit: VTK keeps offsets and connectivity together, in the wider of their two
// types.
func narrow(values []int64) any {
	if n := len(values); n > 0 && values[n-1] > math.MaxInt32 {
		return values
	}
	out := make([]int32, len(values))
	for i, v := range values {
		out[i] = int32(v)
	}
	return out
}

// Padded returns points with three coordinates instead of dim.
func Padded[T Scalar](points []T, dim int) []T {
	if dim == 3 {
		return points
	}
	out := make([]T, len(points)/dim*3)
	for i := range len(points) / dim {
		copy(out[i*3:], points[i*dim:(i+1)*dim])
	}
	return out
}
