package vtk

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/loop"
)

// Of returns the field of a part of each value, where values are structs or arrays: of Rho of a struct with such a field,
// or of "Velocity.X" or "Ends[1]" within one. Name it by its own name, or [Nodes] and [Cells] name it by the dat and the
// part, as "q.Rho".
func (f Field) Of(part string) Field {
	if f.unnamed {
		f.name += "." + part
	}
	f.part = part
	return f
}

// numbers returns the numbers of a part of each value, dim values for each element: as tuples, and their names if they are
// those of a struct.
func numbers[T any](values []T, dim int, part string) (tuples, []string, error) {
	layout, err := loop.LayoutOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, nil, err
	}
	leaves, names := layout.Leaves(), []string(nil)
	if part != "" {
		path := part
		if !strings.HasPrefix(path, "[") {
			path = "." + path
		}
		leaves = slices.DeleteFunc(leaves, func(l loop.Leaf) bool {
			rest, within := strings.CutPrefix(l.Path, path)
			return !within || rest != "" && rest[0] != '.' && rest[0] != '['
		})
		if len(leaves) == 0 {
			return nil, nil, fmt.Errorf("%s has no %s", layout, part)
		}
		for i := range leaves {
			leaves[i].Path = strings.TrimPrefix(leaves[i].Path, path)
		}
	}
	for _, l := range leaves {
		if l.Scalar != leaves[0].Scalar {
			return nil, nil, fmt.Errorf("%s has numbers of several types, %s and %s: choose some by Of", layout, leaves[0].Scalar, l.Scalar)
		}
		names = append(names, strings.TrimPrefix(l.Path, "."))
	}
	if dim > 1 || !slices.ContainsFunc(leaves, func(l loop.Leaf) bool { return strings.HasPrefix(l.Path, ".") }) || isVector(names) {
		names = nil
	}
	base := unsafe.Pointer(unsafe.SliceData(values))
	rows := taken{base, len(values), layout.Size, leaves, dim}
	switch leaves[0].Scalar {
	case loop.Float64:
		return take[float64](rows), names, nil
	case loop.Float32:
		return take[float32](rows), names, nil
	case loop.Int64:
		return take[int64](rows), names, nil
	case loop.Int32:
		return take[int32](rows), names, nil
	case loop.Int16:
		return take[int16](rows), names, nil
	case loop.Int8:
		return take[int8](rows), names, nil
	case loop.Uint64:
		return take[uint64](rows), names, nil
	case loop.Uint32:
		return take[uint32](rows), names, nil
	case loop.Uint16:
		return take[uint16](rows), names, nil
	}
	return take[uint8](rows), names, nil // of bools, too
}

// isVector reports whether fields are named as coordinates.
func isVector(names []string) bool {
	return slices.Equal(names, []string{"X", "Y", "Z"}[:min(len(names), 3)])
}

// taken says where numbers are among values.
type taken struct {
	base   unsafe.Pointer
	count  int
	size   int // of a value
	leaves []loop.Leaf
	dim    int
}

// take returns a copy of the numbers.
func take[S op2.Scalar](from taken) tuples {
	width := from.dim * len(from.leaves)
	if from.size == len(from.leaves)*int(unsafe.Sizeof(*new(S))) {
		return rowsOf[S]{width, slices.Clone(unsafe.Slice((*S)(from.base), from.count*len(from.leaves)))}
	}
	out := make([]S, 0, from.count*len(from.leaves))
	for i := range from.count {
		for _, l := range from.leaves {
			out = append(out, *(*S)(unsafe.Add(from.base, i*from.size+l.Offset)))
		}
	}
	return rowsOf[S]{width, out}
}
