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
func (l *Library) numeric(s loop.Scalar) (id, error) {
	return l.known("H5T_NATIVE_" + natives[s] + "_g")
}

// typeOf returns the type of values that are laid out like Go's. Bools are enumerations and complex numbers compounds, as
// h5py has them.
func (l *Library) typeOf(of *loop.Layout) (id, error) {
	switch {
	case of.Scalar == loop.Bool:
		return l.boolean()
	case of.Scalar != loop.Invalid:
		base, err := l.numeric(of.Scalar)
		if err != nil {
			return 0, err
		}
		return l.id(l.H5Tcopy, uintptr(base))
	case of.Elem != nil:
		elem, err := l.typeOf(of.Elem)
		if err != nil {
			return 0, err
		}
		defer l.close(l.H5Tclose, elem)
		length := uint64(of.Len)
		return l.id(l.H5Tarray_create2, uintptr(elem), 1, uintptr(unsafe.Pointer(&length)))
	}
	compound, err := l.id(l.H5Tcreate, compoundClass, uintptr(of.Size))
	if err != nil {
		return 0, err
	}
	for i, f := range of.Fields {
		if f.Name == "_" {
			continue
		}
		member, err := l.typeOf(f.Layout)
		if err == nil {
			err = l.do(l.H5Tinsert, uintptr(compound), uintptr(unsafe.Pointer(unsafe.StringData(fieldName(of, i)+"\x00"))), uintptr(f.Offset), uintptr(member))
			l.close(l.H5Tclose, member)
		}
		if err != nil {
			l.close(l.H5Tclose, compound)
			return 0, err
		}
	}
	return compound, nil
}

// fieldName returns the name of a field in files.
func fieldName(of *loop.Layout, i int) string {
	if of.Complex {
		return [...]string{"r", "i"}[i]
	}
	return of.Fields[i].Name
}

// boolean returns an enumeration of FALSE and TRUE.
func (l *Library) boolean() (id, error) {
	base, err := l.numeric(loop.Int8)
	if err != nil {
		return 0, err
	}
	enum, err := l.id(l.H5Tenum_create, uintptr(base))
	for value, name := range []string{"FALSE", "TRUE"} {
		if v := int8(value); err == nil {
			err = l.do(l.H5Tenum_insert, uintptr(enum), uintptr(unsafe.Pointer(unsafe.StringData(name+"\x00"))), uintptr(unsafe.Pointer(&v)))
		}
	}
	return enum, err
}

// packed returns the type without the padding of values in memory.
func (l *Library) packed(of *loop.Layout) (id, error) {
	t, err := l.typeOf(of)
	if err == nil && of.Fields != nil {
		err = l.do(l.H5Tpack, uintptr(t))
	}
	return t, err
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
func (l *Library) describe(t id) (string, error) {
	class, err := l.number(l.H5Tget_class, uintptr(t))
	if err != nil {
		return "", err
	}
	size := int(l.H5Tget_size.Call(uintptr(t)))
	switch class {
	case integerClass:
		signed, err := l.number(l.H5Tget_sign, uintptr(t))
		return fmt.Sprintf("%s%d", [...]string{"uint", "int"}[min(signed, 1)], 8*size), err
	case floatClass:
		return fmt.Sprintf("float%d", 8*size), nil
	case stringClass:
		return "string", nil
	case compoundClass:
		return l.describeCompound(t)
	case enumClass:
		return l.describeEnum(t)
	case arrayClass:
		return l.describeArray(t)
	}
	return fmt.Sprintf("a type of class %d", class), nil
}

func (l *Library) describeCompound(t id) (string, error) {
	n, err := l.number(l.H5Tget_nmembers, uintptr(t))
	if err != nil {
		return "", err
	}
	fields := make([]string, n)
	for i := range fields {
		name, err := l.memberName(t, i)
		if err != nil {
			return "", err
		}
		err = l.with(func() (id, error) { return l.id(l.H5Tget_member_type, uintptr(t), uintptr(i)) }, l.H5Tclose, func(member id) error {
			text, err := l.describe(member)
			fields[i] = name + " " + text
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return compoundText(fields), nil
}

func (l *Library) memberName(t id, i int) (string, error) {
	at := l.H5Tget_member_name.Call(uintptr(t), uintptr(i))
	if at == 0 {
		return "", l.failure(l.H5Tget_member_name.Name)
	}
	defer l.H5free_memory.Call(at)
	return native.TextAt(at), nil
}

func (l *Library) describeEnum(t id) (string, error) {
	n, err := l.number(l.H5Tget_nmembers, uintptr(t))
	if err != nil {
		return "", err
	}
	names := make([]string, n)
	for i := range names {
		if names[i], err = l.memberName(t, i); err != nil {
			return "", err
		}
	}
	if text := strings.Join(names, ", "); text != "FALSE, TRUE" {
		return "an enumeration of " + text, nil
	}
	return "bool", nil
}

func (l *Library) describeArray(t id) (text string, err error) {
	n, err := l.number(l.H5Tget_array_ndims, uintptr(t))
	if err != nil {
		return "", err
	}
	lengths := make([]uint64, max(n, 1))
	if err := l.do(l.H5Tget_array_dims2, uintptr(t), uintptr(unsafe.Pointer(&lengths[0]))); err != nil {
		return "", err
	}
	err = l.with(func() (id, error) { return l.id(l.H5Tget_super, uintptr(t)) }, l.H5Tclose, func(elem id) error {
		text, err = l.describe(elem)
		return err
	})
	for i := n - 1; i >= 0; i-- {
		text = fmt.Sprintf("[%d]%s", lengths[i], text)
	}
	return text, err
}
