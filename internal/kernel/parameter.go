package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Fits reports whether a parameter of type t can take values of the given shape and type. WholeMap
// means that they come through a whole map, and so in two levels if there is more than one value
// per target. The scalar is the values' type, unless the shape has a Value.
func (k *Kernel) Fits(t Type, s Shape, wholeMap bool, scalar loop.Scalar) bool {
	if parts, ok := Elem(t).(*Struct); ok && len(s.Parts) > 0 && !s.Matrix {
		return k.fitsParts(parts, s.Parts, scalar)
	}
	if k.IsC() {
		if flat, ok := s.flat(); ok && fitsC(Elem(t), flat, wholeMap, Basic(scalar)) {
			return true
		}
		return fitsC(Elem(t), s, wholeMap, s.valueType(scalar))
	}
	want := paramElem(s, wholeMap, scalar)
	got := Elem(t)
	if a, ok := got.(*Array); ok && !wholeMap && s.Cols == 1 && a.Len == 1 && !Same(got, want) {
		got = a.Elem // *[1]T is equivalent to *T
	}
	return Same(got, want)
}

func (s Shape) valueType(scalar loop.Scalar) Type {
	if s.Value != nil {
		return TypeOf(s.Value)
	}
	return Basic(scalar)
}

// flat returns the shape of the scalars that values consist of, if these have one type.
func (s Shape) flat() (_ Shape, ok bool) {
	if s.Value == nil {
		return s, false
	}
	_, n := s.Value.Uniform()
	s.Cols, s.Value = s.Cols*n, nil
	return s, n > 0
}

// fitsParts reports whether a struct has a field for each of the parts, in their order.
func (k *Kernel) fitsParts(t *Struct, parts []Part, scalar loop.Scalar) bool {
	if k.IsC() || len(t.Fields) != len(parts) {
		return false
	}
	for i, p := range parts {
		field := &Pointer{t.Fields[i].Type}
		if !k.Fits(field, p.Shape, true, scalar) && (p.Rows > 1 || !k.Fits(field, p.Shape, false, scalar)) {
			return false
		}
	}
	return true
}

// paramElem returns what the pointer parameter for a shape points to.
func paramElem(s Shape, wholeMap bool, scalar loop.Scalar) Type {
	t := s.valueType(scalar)
	if s.Cols > 1 || s.Matrix {
		t = &Array{Len: s.Cols, Elem: t}
	}
	if wholeMap {
		t = &Array{Len: s.Rows, Elem: t}
	}
	return t
}

// fitsC checks the forms that C kernels may use: elem is what the parameter points to, value the type
// of each value. The outermost length says nothing in C.
func fitsC(elem Type, s Shape, wholeMap bool, value Type) bool {
	if Same(elem, value) {
		return true // double *x: contiguous values
	}
	if s.isStruct(elem, value) {
		return true // struct { double x, y, z; } *x for three values
	}
	a, isArray := elem.(*Array)
	if !isArray {
		return false
	}
	if Same(a.Elem, value) { // double x[3]
		return true
	}
	switch inner := a.Elem.(type) {
	case *Pointer: // double *x[3]
		return wholeMap && Same(inner.Elem, value)
	case *Array: // double x[3][2]
		return wholeMap && Same(inner.Elem, value) && inner.Len == s.Cols
	}
	return false
}

// isStruct reports whether a struct has as many fields of the values' type as there are values.
func (s Shape) isStruct(elem, value Type) bool {
	t, ok := elem.(*Struct)
	scalar := Scalar(value)
	return ok && s.Rows == 1 && scalar != loop.Invalid && len(t.Fields) == s.Cols && !slices.ContainsFunc(Scalars(t), func(f loop.Scalar) bool { return f != scalar })
}

// Behind returns the type of the pointee of a C kernel's parameter of type t: with the lengths that
// values of shape s have, whatever its source says. Pointers to rows remain what they are.
func (s Shape) Behind(t Type) Type {
	unit := Elem(t)
	a, array := unit.(*Array)
	if TakesRows(unit) {
		return unit
	}
	if array {
		unit = a.Elem
	}
	n := s.Rows * s.Cols * s.scalars() / Count(unit)
	if n == 1 && !array {
		return unit
	}
	return &Array{Len: n, Elem: unit}
}

// Declaration returns how the kernel's source should declare a parameter for a shape, as a hint:
// "*[4]float64" in Go, "double q[4]" in C.
func (k *Kernel) Declaration(name string, s Shape, wholeMap bool, scalar loop.Scalar) string {
	elem := paramElem(s, wholeMap, scalar)
	if !k.IsC() {
		return "*" + elem.String()
	}
	if wholeMap && !s.Matrix {
		return fmt.Sprintf("%s *%s[%d]", cName(s.valueType(scalar)), name, s.Rows)
	}
	return CString(&Pointer{elem}, name)
}

// cName returns the name of a scalar or a struct in C.
func cName(t Type) string {
	if _, ok := t.(Basic); ok {
		return Scalar(t).C()
	}
	return t.String()
}

// Describe returns a parameter's type in the notation of the kernel's language.
func (k *Kernel) Describe(v *Var) string {
	if k.IsC() {
		return CString(v.Type, v.Name)
	}
	if v.Slices > 0 {
		return sliceString(v)
	}
	return v.Type.String()
}

// Declared returns a parameter with its name and type, in the notation of the kernel's language.
func (k *Kernel) Declared(v *Var) string {
	if k.IsC() {
		return k.Describe(v)
	}
	return v.Name + " " + k.Describe(v)
}

// CString returns the C declaration of name as a parameter of pointer type t: "double *x[3]".
func CString(t Type, name string) string {
	if Is[*Array](Elem(t)) {
		t = Elem(t)
	}
	return CDeclaration(t, name)
}

// CDeclaration returns the C declaration of name as a variable of type t: "double x[3]".
func CDeclaration(t Type, name string) string {
	stars, dims := "", ""
	for {
		switch u := t.(type) {
		case *Array:
			length := ""
			if u.Len > 0 {
				length = fmt.Sprint(u.Len)
			}
			dims += "[" + length + "]"
			t = u.Elem
		case *Pointer:
			stars += "*"
			t = u.Elem
		default:
			return cName(t) + " " + stars + name + dims
		}
	}
}

// sliceString returns the type that v, which is a slice, has in Go.
func sliceString(v *Var) string {
	return strings.Repeat("[]", v.Slices) + sliceElem(v).String()
}

// sliceElem returns the type of the values of v, which is a slice.
func sliceElem(v *Var) Type {
	t := Elem(v.Type)
	for range v.Slices {
		t = t.(*Array).Elem
	}
	return t
}
