package vtu

import "math"

// Block holds cells of one type.
type Block struct {
	Type  uint8
	Arity int     // points of a cell
	Nodes []int32 // Shape [cells][Arity]
}

// Geometry returns a file with the given points and cells and without data. Points have dim coordinates, from 1 to 3;
// those that are missing are 0.
func (f Format) Geometry(dim int, points []float64, blocks []Block) (*File, error) {
	file := new(File)
	cells, nodes := 0, 0
	for _, b := range blocks {
		cells += len(b.Nodes) / b.Arity
		nodes += len(b.Nodes)
	}
	all, ends, types := make([]int32, 0, nodes), make([]int64, 0, cells), make([]uint8, 0, cells)
	for _, b := range blocks {
		for c := range len(b.Nodes) / b.Arity {
			ends = append(ends, int64(len(all)+(c+1)*b.Arity))
			types = append(types, b.Type)
		}
		all = append(all, b.Nodes...)
	}
	for _, a := range []struct {
		array Array
		to    **Encoded
	}{
		{Array{Name: "Points", Components: 3, Values: Pad(points, dim, 3)}, &file.Points},
		{Array{Name: "connectivity", Values: all}, &file.Nodes},
		{Array{Name: "offsets", Values: narrow(ends)}, &file.Offsets},
		{Array{Name: "types", Values: types}, &file.Types},
	} {
		e, err := f.Encode(a.array)
		if err != nil {
			return nil, err
		}
		*a.to = e
	}
	return file, nil
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

// Pad returns tuples of width values instead of dim, with zeros after the others.
func Pad[T Scalar](values []T, dim, width int) []T {
	if dim == width {
		return values
	}
	out := make([]T, len(values)/dim*width)
	for i := range len(values) / dim {
		copy(out[i*width:], values[i*dim:(i+1)*dim])
	}
	return out
}
