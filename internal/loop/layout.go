package loop

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Layout is how one value of a dat, a global or a const lies in memory: a scalar, an array, or a
// struct, as Go lays out its type and generated C has to.
type Layout struct {
	Name   string // of the Go type: "float64", "State"; "" for an array or a struct without one
	Size   int    // in bytes, with padding
	Align  int
	Scalar Scalar // Invalid unless the value is a scalar

	Len  int     // of an array; 0 for other values
	Elem *Layout // of an array

	Fields  []Field // of a struct, or the real and the imaginary part of a complex number
	Complex bool
}

// Field is a field of a struct.
type Field struct {
	Name   string
	Offset int
	*Layout
}

// Leaf is a scalar within a value.
type Leaf struct {
	Path   string // as it follows the value in Go: ".Velocity[1].X"; "" for the value itself
	Offset int
	Scalar Scalar
}

// maxLeaves is the number of scalars that one value may have.
const maxLeaves = 1 << 16

// LayoutOf returns the layout of a plain type: a number, a bool, a complex number, or an array or a
// struct of plain types. The error says what is not plain about any other type, with the path of
// the field that is.
func LayoutOf(t reflect.Type) (*Layout, error) {
	l, err := layoutOf(t, "")
	if err == nil && l.count() > maxLeaves {
		err = fmt.Errorf("%s holds %d numbers, at most %d are possible", t, l.count(), maxLeaves)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

func layoutOf(t reflect.Type, path string) (*Layout, error) {
	l := &Layout{Name: t.Name(), Size: int(t.Size()), Align: t.Align()}
	what := t.String()
	if path != "" {
		what = strings.TrimPrefix(path, ".") + " is " + what + ", which"
	}
	switch t.Kind() {
	case reflect.Array:
		if t.Len() == 0 {
			return nil, fmt.Errorf("%s holds nothing", what)
		}
		elem, err := layoutOf(t.Elem(), path+"[0]")
		l.Len, l.Elem = t.Len(), elem
		return l, err
	case reflect.Struct:
		if t.NumField() == 0 {
			return nil, fmt.Errorf("%s holds nothing", what)
		}
		for i := range t.NumField() {
			f := t.Field(i)
			field, err := layoutOf(f.Type, path+"."+f.Name)
			if err != nil {
				return nil, err
			}
			l.Fields = append(l.Fields, Field{f.Name, int(f.Offset), field})
		}
		return l, nil
	case reflect.Complex64, reflect.Complex128:
		part := &Layout{Name: "float32", Size: 4, Align: 4, Scalar: Float32}
		if t.Kind() == reflect.Complex128 {
			part = &Layout{Name: "float64", Size: 8, Align: reflect.TypeFor[float64]().Align(), Scalar: Float64}
		}
		l.Complex = true
		l.Fields = []Field{{"re", 0, part}, {"im", part.Size, part}}
		return l, nil
	}
	l.Scalar = ScalarOf(t.Kind())
	switch {
	case l.Scalar == Invalid:
		return nil, fmt.Errorf("%s is not plain: values are numbers, bools, and arrays and structs of these", what)
	case l.Size != l.Scalar.Size():
		return nil, fmt.Errorf("%s has %d bytes on this platform, %d in kernels: use a sized type", what, l.Size, l.Scalar.Size())
	}
	return l, nil
}

// HasBlank reports whether some struct in a value has a blank field.
func (l *Layout) HasBlank() bool {
	if l.Elem != nil {
		return l.Elem.HasBlank()
	}
	return slices.ContainsFunc(l.Fields, func(f Field) bool { return f.Name == "_" || f.HasBlank() })
}

// count returns the number of scalars in a value.
func (l *Layout) count() int {
	n := 0
	switch {
	case l.Elem != nil:
		return l.Len * l.Elem.count()
	case l.Fields != nil:
		for _, f := range l.Fields {
			n += f.count()
		}
		return n
	}
	return 1
}

// Leaves are the scalars in a value, in order of their offsets.
type Leaves []Leaf

// Leaves returns the scalars in a value, in order of their offsets.
func (l *Layout) Leaves() Leaves { return l.leaves(nil, "", 0) }

func (l *Layout) leaves(found []Leaf, path string, offset int) []Leaf {
	switch {
	case l.Elem != nil:
		for i := range l.Len {
			found = l.Elem.leaves(found, fmt.Sprintf("%s[%d]", path, i), offset+i*l.Elem.Size)
		}
		return found
	case l.Fields != nil:
		for _, f := range l.Fields {
			found = f.leaves(found, path+"."+f.Name, offset+f.Offset)
		}
		return found
	}
	return append(found, Leaf{path, offset, l.Scalar})
}

// Load returns the bits of the scalars of a value, integers extended to 64 bits.
func (leaves Leaves) Load(from unsafe.Pointer) []uint64 {
	bits := make([]uint64, len(leaves))
	for i, leaf := range leaves {
		size := leaf.Scalar.Size()
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&bits[i])), size), unsafe.Slice((*byte)(unsafe.Add(from, leaf.Offset)), size))
		if leaf.Scalar.Signed() {
			shift := 64 - 8*size
			bits[i] = uint64(int64(bits[i]<<shift) >> shift)
		}
	}
	return bits
}

// Store sets the scalars of a value to bits as Load returns them.
func (leaves Leaves) Store(to unsafe.Pointer, bits []uint64) {
	for i, leaf := range leaves {
		size := leaf.Scalar.Size()
		copy(unsafe.Slice((*byte)(unsafe.Add(to, leaf.Offset)), size), unsafe.Slice((*byte)(unsafe.Pointer(&bits[i])), size))
	}
}

// Uniform returns the scalar that all of a value consists of, without padding, and their number;
// Invalid if there is none. Loops treat such a value as that many scalars.
func (l *Layout) Uniform() (Scalar, int) {
	leaves := l.Leaves()
	s := leaves[0].Scalar
	for _, leaf := range leaves {
		if leaf.Scalar != s {
			return Invalid, 0
		}
	}
	if len(leaves)*s.Size() != l.Size {
		return Invalid, 0
	}
	return s, len(leaves)
}

// IsUniform reports whether a value consists of scalars of one type, without padding.
func (l *Layout) IsUniform() bool {
	s, _ := l.Uniform()
	return s != Invalid
}

// Carrier returns the scalar that a value is moved as, and their number: what it is made of, if it
// is Uniform, or else unsigned integers as large as its alignment.
func (l *Layout) Carrier() (Scalar, int) {
	if s, n := l.Uniform(); s != Invalid {
		return s, n
	}
	word := map[int]Scalar{1: Uint8, 2: Uint16, 4: Uint32, 8: Uint64}[l.Align]
	return word, l.Size / word.Size()
}

// Words returns the number of scalars that a value is stored as: of the Carrier, or 1 for a plain scalar,
// whose layout is nil.
func (l *Layout) Words() int {
	if l == nil {
		return 1
	}
	_, n := l.Carrier()
	return n
}

// Record returns the layout of values that are stored as words, rather than as the scalars that they
// consist of; nil for other values.
func (l *Layout) Record() *Layout {
	if l != nil && !l.IsUniform() {
		return l
	}
	return nil
}

// String returns the type as Go writes it, structs without a name by their fields.
func (l *Layout) String() string {
	switch {
	case l.Name != "":
		return l.Name
	case l.Elem != nil:
		return fmt.Sprintf("[%d]%s", l.Len, l.Elem)
	}
	fields := make([]string, len(l.Fields))
	for i, f := range l.Fields {
		fields[i] = f.Name + " " + f.Layout.String()
	}
	return "struct{" + strings.Join(fields, "; ") + "}"
}

// Meaning returns a text that two layouts share if the values mean the same to a loop: the scalars
// and where they are. Names do not matter.
func (l *Layout) Meaning() string {
	leaves := l.Leaves()
	texts := make([]string, len(leaves))
	for i, leaf := range leaves {
		texts[i] = fmt.Sprintf("%s@%d", leaf.Scalar, leaf.Offset)
	}
	return fmt.Sprintf("{%s; %d}", strings.Join(texts, " "), l.Size)
}
