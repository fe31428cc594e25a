package vtk

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/vtu"
)

// scalarsIn returns the numbers of a part of each value, dim values for each element: as tuples, and their names if they are
// those of a struct.
func scalarsIn[T any](values []T, dim int, part string) (t tuples, labels []string, err error) {
	layout, err := loop.LayoutOf(reflect.TypeFor[T]())
	if err != nil {
		return t, nil, err
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
			return t, nil, fmt.Errorf("%s has no %s", layout, part)
		}
		for i := range leaves {
			leaves[i].Path = strings.TrimPrefix(leaves[i].Path, path)
		}
	}
	for _, l := range leaves {
		if l.Scalar != leaves[0].Scalar {
			return t, nil, fmt.Errorf("%s has numbers of several types, %s and %s: choose some by Of", layout, leaves[0].Scalar, l.Scalar)
		}
		names = append(names, strings.TrimPrefix(l.Path, "."))
	}
	if dim > 1 || !slices.ContainsFunc(leaves, func(l loop.Leaf) bool { return strings.HasPrefix(l.Path, ".") }) || isVector(names) {
		names = nil
	}
	return tuples{dim * len(leaves), gathered(values, layout.Size, leaves)}, names, nil
}

// isVector reports whether fields are named as coordinates.
func isVector(names []string) bool {
	return slices.Equal(names, []string{"X", "Y", "Z"}[:min(len(names), 3)])
}

// gathered returns a copy of the numbers that leaves select of each value, which has size bytes. Bools become 0 and 1.
func gathered[T any](values []T, size int, leaves []loop.Leaf) any {
	kind := loop.Reflect(leaves[0].Scalar.Type())
	if kind.Kind() == reflect.Bool {
		kind = reflect.TypeFor[uint8]()
	}
	numbers, each := vtu.Make(kind, len(values)*len(leaves)), int(kind.Size())
	from, out := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*size), vtu.Bytes(numbers)
	if size == len(leaves)*each {
		copy(out, from)
		return numbers
	}
	for i := range values {
		for _, l := range leaves {
			copy(out, from[i*size+l.Offset:][:each])
			out = out[each:]
		}
	}
	return numbers
}
