package kernel

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Fits reports whether a parameter of type t can take values of the given shape and type. Packed
// means that they come through a whole map, and so in two levels if there is more than one value
// per target.
func (k *Kernel) Fits(t Type, s Shape, packed bool, scalar loop.Scalar) bool {
	if parts, ok := Elem(t).(*Struct); ok && len(s.Parts) > 0 && !s.Matrix {
		return k.fitsParts(parts, s.Parts, scalar)
	}
	if Leaf(t) != scalar {
		return false
	}
	if k.IsC() {
		return fitsC(Elem(t), s, packed)
	}
	want := paramElem(s, packed, scalar)
	got := Elem(t)
	if a, ok := got.(*Array); ok && !packed && s.Cols == 1 && a.Len == 1 {
		got = a.Elem // *[1]T is equivalent to *T
	}
	return got.String() == want.String()
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
func paramElem(s Shape, packed bool, scalar loop.Scalar) Type {
	var t Type = Basic(scalar)
	if s.Cols > 1 || s.Matrix {
		t = &Array{Len: s.Cols, Elem: t}
	}
	if packed {
		t = &Array{Len: s.Rows, Elem: t}
	}
	return t
}

// fitsC checks the forms that C kernels may use: elem is what the parameter points to. The outermost
// length says nothing in C.
func fitsC(elem Type, s Shape, packed bool) bool {
	a, isArray := elem.(*Array)
	if !isArray {
		return true // double *x: contiguous values
	}
	switch inner := a.Elem.(type) {
	case Basic: // double x[3]
		return true
	case *Pointer: // double *x[3]
		_, scalar := inner.Elem.(Basic)
		return packed && scalar
	case *Array: // double x[3][2]
		_, scalar := inner.Elem.(Basic)
		return packed && scalar && inner.Len == s.Cols
	}
	return false
}

// Declaration returns how the kernel's source should declare a parameter for a shape, as a hint:
// "*[4]float64" in Go, "double q[4]" in C.
func (k *Kernel) Declaration(name string, s Shape, packed bool, scalar loop.Scalar) string {
	elem := paramElem(s, packed, scalar)
	if !k.IsC() {
		return "*" + elem.String()
	}
	if packed && !s.Matrix {
		return fmt.Sprintf("%s *%s[%d]", scalar.C(), name, s.Rows)
	}
	return CString(&Pointer{elem}, name)
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

// CString returns the C declaration of name as a parameter of pointer type t: "double *x[3]".
func CString(t Type, name string) string {
	var b strings.Builder
	elem := Elem(t)
	if _, isArray := elem.(*Array); !isArray {
		b.WriteByte('*')
	}
	rest := ""
	for {
		switch e := elem.(type) {
		case *Array:
			length := ""
			if e.Len > 0 {
				length = fmt.Sprint(e.Len)
			}
			rest += "[" + length + "]"
			elem = e.Elem
			continue
		case *Pointer:
			b.WriteByte('*')
			elem = e.Elem
			continue
		}
		return Leaf(elem).C() + " " + b.String() + name + rest
	}
}
