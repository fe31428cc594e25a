package hdf5

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// Classes of types.
const (
	integerClass  = 0
	floatClass    = 1
	stringClass   = 3
	compoundClass = 6
	enumClass     = 8
	arrayClass    = 10
)

// natives are the names of the library's types for those of numbers.
var natives = map[loop.Scalar]string{
	loop.Int8: "INT8", loop.Int16: "INT16", loop.Int32: "INT32", loop.Int64: "INT64", loop.Uint8: "UINT8", loop.Uint16: "UINT16",
	loop.Uint32: "UINT32", loop.Uint64: "UINT64", loop.Float32: "FLOAT", loop.Float64: "DOUBLE",
}

// numeric returns the type of numbers, which is not to be closed.
func (s *session) numeric(of loop.Scalar) id { return s.known("H5T_NATIVE_" + natives[of] + "_g") }

// typeOf returns the type of values that are laid out like Go's. Bools are enumerations and complex numbers compounds, as
// h5py has them.
func (s *session) typeOf(of *loop.Layout) id {
	switch {
	case of.Scalar == loop.Bool:
		return s.boolean()
	case of.Scalar != loop.Invalid:
		return s.open(s.H5Tclose, s.H5Tcopy, uintptr(s.numeric(of.Scalar)))
	case of.Elem != nil:
		elem, length := s.typeOf(of.Elem), uint64(of.Len)
		return s.open(s.H5Tclose, s.H5Tarray_create2, uintptr(elem), 1, uintptr(unsafe.Pointer(&length)))
	}
	compound := s.open(s.H5Tclose, s.H5Tcreate, compoundClass, uintptr(of.Size))
	for i, f := range of.Fields {
		if f.Name != "_" {
			member := s.typeOf(f.Layout)
			s.do(s.H5Tinsert, uintptr(compound), uintptr(cString(fieldName(of, i))), uintptr(f.Offset), uintptr(member))
		}
	}
	return compound
}

// fieldName returns the name of a field in files.
func fieldName(of *loop.Layout, i int) string {
	if of.Complex {
		return [...]string{"r", "i"}[i]
	}
	return of.Fields[i].Name
}

// boolean returns an enumeration of FALSE and TRUE.
func (s *session) boolean() id {
	enum := s.open(s.H5Tclose, s.H5Tenum_create, uintptr(s.numeric(loop.Int8)))
	for value, name := range []string{"FALSE", "TRUE"} {
		v := int8(value)
		s.do(s.H5Tenum_insert, uintptr(enum), uintptr(cString(name)), uintptr(unsafe.Pointer(&v)))
	}
	return enum
}

// packed returns the type without the padding of values in memory.
func (s *session) packed(of *loop.Layout) id {
	t := s.typeOf(of)
	if of.Fields != nil {
		s.do(s.H5Tpack, uintptr(t))
	}
	return t
}

// Describe returns the type of values as text, which is that of a dataset with such values: "float64",
// "{Rho float64; Velocity [2]float64}".
func Describe(of *loop.Layout) string {
	switch {
	case of.Scalar != loop.Invalid:
		return of.Scalar.String()
	case of.Elem != nil:
		return fmt.Sprintf("[%d]%s", of.Len, Describe(of.Elem))
	}
	var fields []string
	for i, f := range of.Fields {
		if f.Name != "_" {
			fields = append(fields, fieldName(of, i)+" "+Describe(f.Layout))
		}
	}
	return compoundText(fields)
}

func compoundText(fields []string) string {
	switch text := "{" + strings.Join(fields, "; ") + "}"; text {
	case "{r float64; i float64}":
		return "complex128"
	case "{r float32; i float32}":
		return "complex64"
	default:
		return text
	}
}

// describe returns the text of a file's type.
func (s *session) describe(t id) string {
	class, size := s.number(s.H5Tget_class, uintptr(t)), s.number(s.H5Tget_size, uintptr(t))
	if s.err != nil {
		return ""
	}
	switch class {
	case integerClass:
		signed := s.number(s.H5Tget_sign, uintptr(t))
		return fmt.Sprintf("%s%d", [...]string{"uint", "int"}[min(signed, 1)], 8*size)
	case floatClass:
		return fmt.Sprintf("float%d", 8*size)
	case stringClass:
		return "string"
	case compoundClass:
		fields := s.memberNames(t)
		for i := range fields {
			fields[i] += " " + s.describe(s.open(s.H5Tclose, s.H5Tget_member_type, uintptr(t), uintptr(i)))
		}
		return compoundText(fields)
	case enumClass:
		if text := strings.Join(s.memberNames(t), ", "); text != "FALSE, TRUE" {
			return "an enumeration of " + text
		}
		return "bool"
	case arrayClass:
		return s.describeArray(t)
	}
	return fmt.Sprintf("a type of class %d", class)
}

// memberNames returns the names of the members of a compound or an enumeration.
func (s *session) memberNames(t id) []string {
	names := make([]string, s.number(s.H5Tget_nmembers, uintptr(t)))
	for i := range names {
		at := s.H5Tget_member_name.Call(uintptr(t), uintptr(i))
		if at == 0 {
			s.fail(s.failure(s.H5Tget_member_name.Name))
			break
		}
		names[i] = native.TextAt(at)
		s.H5free_memory.Call(at)
	}
	return names
}

func (s *session) describeArray(t id) string {
	lengths := make([]uint64, s.number(s.H5Tget_array_ndims, uintptr(t)))
	s.do(s.H5Tget_array_dims2, uintptr(t), uintptr(unsafe.Pointer(unsafe.SliceData(lengths))))
	text := ""
	for _, n := range lengths {
		text += fmt.Sprintf("[%d]", n)
	}
	return text + s.describe(s.open(s.H5Tclose, s.H5Tget_super, uintptr(t)))
}
