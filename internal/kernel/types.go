package kernel

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

func (b Basic) String() string    { return loop.Scalar(b).String() }
func (a *Array) String() string   { return fmt.Sprintf("[%d]%s", a.Len, a.Elem) }
func (s *Struct) String() string  { return s.Name }
func (p *Pointer) String() string { return "*" + p.Elem.String() }

// TypeOf returns the type that a kernel sees values of the layout as: a complex number is a struct
// of re and im, like every other struct with the layout's names. Named numbers and arrays are what
// they consist of. A parameter fits if its type is Same.
func TypeOf(l *loop.Layout) Type {
	switch {
	case l.Elem != nil:
		return &Array{Len: l.Len, Elem: TypeOf(l.Elem)}
	case l.Fields != nil:
		s := &Struct{Name: l.String()}
		if l.Complex {
			s.Name = ComplexName(l.Fields[0].Scalar)
		}
		for i, f := range l.Fields {
			s.Fields = append(s.Fields, Var{Name: FieldName(f.Name, i), Type: TypeOf(f.Layout)})
		}
		return s
	}
	return Basic(l.Scalar)
}

// ComplexName returns the name of the struct for complex numbers with parts of a scalar type.
func ComplexName(part loop.Scalar) string {
	if part == loop.Float32 {
		return "complex64"
	}
	return "complex128"
}

// FieldName returns the name of field i of a struct, even if it is blank.
func FieldName(name string, i int) string {
	if name != "_" {
		return name
	}
	return fmt.Sprintf("_%d", i)
}

// isBlank reports whether scalar number offset of a value of type t, or behind a pointer, is in a
// blank field of a struct.
func isBlank(t Type, offset int) bool {
	switch t := t.(type) {
	case *Pointer:
		return isBlank(t.Elem, offset)
	case *Array:
		n := Count(t.Elem)
		return n > 0 && isBlank(t.Elem, offset%n)
	case *Struct:
		offset %= Count(t) // a pointer may lead to several
		for i, f := range t.Fields {
			if n := Count(f.Type); offset >= n {
				offset -= n
				continue
			}
			return f.Name == FieldName("_", i) || isBlank(f.Type, offset)
		}
	}
	return false
}

// Same reports whether values of two types have the same structure: scalars, lengths and the names
// and order of fields, and so the same layout. The names of structs do not matter.
func Same(t, u Type) bool {
	switch t := t.(type) {
	case *Array:
		u, ok := u.(*Array)
		return ok && t.Len == u.Len && Same(t.Elem, u.Elem)
	case *Pointer:
		u, ok := u.(*Pointer)
		return ok && Same(t.Elem, u.Elem)
	case *Struct:
		u, ok := u.(*Struct)
		return ok && slices.EqualFunc(t.Fields, u.Fields, func(f, g Var) bool { return f.Name == g.Name && Same(f.Type, g.Type) })
	}
	return t == u
}

// bottom returns the type at the bottom of arrays and pointers of t.
func bottom(t Type) Type {
	for {
		switch u := t.(type) {
		case *Array:
			t = u.Elem
		case *Pointer:
			t = u.Elem
		default:
			return t
		}
	}
}

// HoldsStructs reports whether values of type t, or their pointees, are structs or arrays of structs.
func HoldsStructs(t Type) bool { return Is[*Struct](bottom(t)) }

// Leaf returns the scalar type at the bottom of arrays and pointers of t.
func Leaf(t Type) loop.Scalar { return Scalar(bottom(t)) }

// Scalar returns the scalar that t is; loop.Invalid if it is none.
func Scalar(t Type) loop.Scalar {
	if b, ok := t.(Basic); ok {
		return loop.Scalar(b)
	}
	return loop.Invalid
}

// TakesRows reports whether a parameter of type t is an array of pointers to rows, which a C kernel may have.
func TakesRows(t Type) bool {
	a, ok := Elem(t).(*Array)
	return ok && Is[*Pointer](a.Elem)
}

// Elem returns what a pointer points to; other types are returned unchanged.
func Elem(t Type) Type {
	if p, ok := t.(*Pointer); ok {
		return p.Elem
	}
	return t
}

// Count returns the number of scalars in a value of type t.
func Count(t Type) int {
	switch t := t.(type) {
	case *Array:
		return t.Len * Count(t.Elem)
	case *Struct:
		n := 0
		for _, f := range t.Fields {
			n += Count(f.Type)
		}
		return n
	case *Pointer:
		return Count(t.Elem)
	}
	return 1
}

// Scalars returns the types of the scalars in a value of type t, or behind a pointer, in order.
func Scalars(t Type) []loop.Scalar {
	switch t := t.(type) {
	case *Array:
		return slices.Repeat(Scalars(t.Elem), t.Len)
	case *Struct:
		return concat(t.Fields, func(f Var) []loop.Scalar { return Scalars(f.Type) })
	case *Pointer:
		return Scalars(t.Elem)
	}
	return []loop.Scalar{Scalar(t)}
}

// PartType returns the type of element or field i of an array or a struct.
func PartType(t Type, i int) Type {
	if s, ok := t.(*Struct); ok {
		return s.Fields[i].Type
	}
	return t.(*Array).Elem
}

// LayoutOf returns how Go lays out values of type t on a platform of 64 bits, as generated code has
// to: each scalar at a multiple of its size.
func LayoutOf(t Type) *loop.Layout {
	switch t := t.(type) {
	case *Array:
		elem := LayoutOf(t.Elem)
		return &loop.Layout{Len: t.Len, Elem: elem, Size: t.Len * elem.Size, Align: elem.Align}
	case *Struct:
		l := &loop.Layout{Name: t.Name, Align: 1}
		for _, f := range t.Fields {
			field := LayoutOf(f.Type)
			at := (l.Size + field.Align - 1) / field.Align * field.Align
			l.Fields = append(l.Fields, loop.Field{Name: f.Name, Offset: at, Layout: field})
			l.Size, l.Align = at+field.Size, max(l.Align, field.Align)
		}
		l.Size = (l.Size + l.Align - 1) / l.Align * l.Align
		return l
	}
	s := Scalar(t)
	return &loop.Layout{Name: s.String(), Scalar: s, Size: s.Size(), Align: s.Size()}
}

// Field returns the type of the named field and the number of scalars before it.
func (s *Struct) Field(name string) (t Type, offset int) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Type, offset
		}
		offset += Count(f.Type)
	}
	return nil, 0
}
