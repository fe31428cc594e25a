package fromc

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// none is the type of values that have no type in the IR.
const none = kernel.Basic(loop.Invalid)

// scalar returns the scalar of an arithmetic C type. Long double counts as double: arithmetic need
// not be exact here.
func scalar(t cc.Type) loop.Scalar {
	if t.VectorSize() > 0 {
		return loop.Invalid
	}
	switch t.Kind() {
	case cc.Bool:
		return loop.Bool
	case cc.Float:
		return loop.Float32
	case cc.Double, cc.LongDouble:
		return loop.Float64
	case cc.Char:
		return loop.Int8
	case cc.Enum:
		if e, ok := t.(*cc.EnumType); ok && e.UnderlyingType().Kind() != cc.Enum {
			return scalar(e.UnderlyingType())
		}
	case cc.SChar, cc.Short, cc.Int, cc.Long, cc.LongLong:
		return integer(t.Size(), loop.Int8, loop.Int16, loop.Int32, loop.Int64)
	case cc.UChar, cc.UShort, cc.UInt, cc.ULong, cc.ULongLong:
		return integer(t.Size(), loop.Uint8, loop.Uint16, loop.Uint32, loop.Uint64)
	}
	return loop.Invalid
}

// replacesTypes reports whether something in n has a type that scalar replaces by another: long double, or
// char, which is unsigned on some processors.
func replacesTypes(n cc.Node) bool {
	found := false
	nodes(n, func(n cc.Node) {
		var t cc.Type
		switch n := n.(type) {
		case *cc.PrimaryExpression:
			if n.Case != cc.PrimaryExpressionString {
				t = n.Type()
			}
		case cc.ExpressionNode:
			t = n.Type()
		case *cc.Declarator:
			if n.Name() != "__func__" { // which every function has
				t = n.Type()
			}
		}
		if t != nil {
			k := leaf(t).Kind()
			found = found || k == cc.LongDouble || k == cc.Char
		}
	})
	return found
}

func integer(size int64, sizes ...loop.Scalar) loop.Scalar {
	for _, s := range sizes {
		if int64(s.Size()) == size {
			return s
		}
	}
	return loop.Invalid
}

// value returns the IR type of a variable of type t; nil if there is none: pointers, unions, bit
// fields, complex numbers, variable-length arrays.
func (u *unit) value(t cc.Type) kernel.Type {
	switch t := t.(type) {
	case *cc.ArrayType:
		elem := u.value(t.Elem())
		if elem == nil || t.IsVLA() || t.Len() <= 0 || t.VectorSize() > 0 {
			return nil
		}
		return &kernel.Array{Len: int(t.Len()), Elem: elem}
	case *cc.StructType:
		return u.structure(t)
	}
	if s := scalar(t); s != loop.Invalid {
		return kernel.Basic(s)
	}
	return nil
}

// structure returns the struct t, the same one for each mention of it; nil as in value.
func (u *unit) structure(t *cc.StructType) kernel.Type {
	if t.IsIncomplete() || t.NumFields() == 0 || t.HasFlexibleArrayMember() {
		return nil
	}
	name, key := structName(t), structKey(t)
	if s, ok := u.structs[key]; ok {
		if s == nil {
			return nil
		}
		return s
	}
	u.structs[key] = nil // until its fields are known to have types
	s := &kernel.Struct{Name: name}
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		ft := u.value(f.Type())
		if ft == nil || f.Name() == "" || f.IsBitfield() {
			return nil
		}
		s.Fields = append(s.Fields, kernel.Var{Name: f.Name(), Type: ft})
	}
	u.structs[key] = s
	u.order = append(u.order, s)
	return s
}

// structName returns a struct's name for messages.
func structName(t *cc.StructType) string {
	if tag := t.Tag(); tag.SrcStr() != "" {
		return tag.SrcStr()
	}
	if d := t.Typedef(); d != nil {
		return d.Name()
	}
	return "struct"
}

// structKey returns the same key for all mentions of a struct, by its tag or a typedef.
func structKey(t *cc.StructType) string {
	tag := t.Tag()
	key := tag.SrcStr() + "{"
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		key += f.Name() + " " + f.Type().String() + ";"
	}
	return key
}

// parameter returns the IR type of a pointer parameter; nil if it has none of the forms in the
// package comment.
func (u *unit) parameter(t cc.Type) kernel.Type {
	var elem kernel.Type
	n := 0
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		elem, n = u.rows(t.Elem()), length(t)
	case *cc.PointerType:
		switch elem = u.rows(t.Elem()); elem.(type) {
		case kernel.Basic, *kernel.Struct:
			return &kernel.Pointer{Elem: elem}
		}
	}
	if elem == nil {
		return nil
	}
	return &kernel.Pointer{Elem: &kernel.Array{Len: n, Elem: elem}}
}

// rows returns the type of the elements of a pointer or an array parameter.
func (u *unit) rows(t cc.Type) kernel.Type {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		elem := u.rows(t.Elem())
		if elem == nil || kernel.Is[*kernel.Pointer](elem) {
			return nil
		}
		return &kernel.Array{Len: length(t), Elem: elem}
	case *cc.PointerType:
		switch elem := u.value(t.Elem()).(type) {
		case kernel.Basic, *kernel.Struct:
			return &kernel.Pointer{Elem: elem}
		}
		return nil
	}
	return u.value(t)
}

// length returns the length of an array, 0 if unknown.
func length(t *cc.ArrayType) int {
	if t.IsVLA() || t.Len() < 0 {
		return 0
	}
	return int(t.Len())
}

// element returns the element type of e or of its pointee.
func element(e kernel.Expr) kernel.Type {
	t := e.Type()
	if p, ok := t.(*kernel.Pointer); ok {
		t = p.Elem
		if _, array := t.(*kernel.Array); !array {
			return t
		}
	}
	if a, ok := t.(*kernel.Array); ok {
		return a.Elem
	}
	return none
}

// sameLayout reports whether values of both types have the same layout in memory.
func sameLayout(a, b cc.Type) bool {
	a, b = a.Undecay(), b.Undecay()
	switch x := a.(type) {
	case *cc.ArrayType:
		y, ok := b.(*cc.ArrayType)
		return ok && sameLayout(x.Elem(), y.Elem()) && (length(x) == length(y) || length(x) == 0 || length(y) == 0)
	case *cc.PointerType:
		y, ok := b.(*cc.PointerType)
		return ok && sameLayout(x.Elem(), y.Elem())
	case *cc.StructType:
		y, ok := b.(*cc.StructType)
		return ok && !x.IsIncomplete() && !y.IsIncomplete() && structKey(x) == structKey(y)
	}
	return scalar(a) != loop.Invalid && scalar(a) == scalar(b)
}

// cName returns a type as a C programmer writes it.
func cName(t cc.Type) string {
	switch u := t.Undecay().(type) {
	case *cc.ArrayType:
		dims := ""
		for {
			dim := "[]"
			if n := length(u); n > 0 {
				dim = fmt.Sprintf("[%d]", n)
			}
			dims += dim
			inner, ok := u.Elem().(*cc.ArrayType)
			if !ok {
				return cName(u.Elem()) + dims
			}
			u = inner
		}
	case *cc.PointerType:
		if _, array := u.Elem().(*cc.ArrayType); array {
			return "pointer to " + cName(u.Elem())
		}
		return cName(u.Elem()) + "*"
	case *cc.StructType:
		if tag := u.Tag(); tag.SrcStr() != "" {
			return "struct " + tag.SrcStr()
		}
		return structName(u)
	case *cc.EnumType:
		return "enum"
	case *cc.FunctionType:
		return "function"
	}
	return t.String()
}

func pointee(t cc.Type) cc.Type {
	if p, ok := t.Decay().(*cc.PointerType); ok {
		return p.Elem()
	}
	return t
}

// leaf returns the type below all pointers and arrays.
func leaf(t cc.Type) cc.Type {
	for {
		switch u := t.Undecay().(type) {
		case *cc.ArrayType:
			t = u.Elem()
		case *cc.PointerType:
			t = u.Elem()
		default:
			return t
		}
	}
}

func isConst(t cc.Type) bool {
	a := t.Attributes()
	return a != nil && a.IsConst()
}

// isConstant reports whether t, or its element type, is const.
func isConstant(t cc.Type) bool {
	for {
		if isConst(t) {
			return true
		}
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return false
		}
		t = a.Elem()
	}
}

// samePointee reports whether two pointers step through memory in the same way.
func samePointee(a, b cc.Type) bool {
	p, ok1 := a.Decay().(*cc.PointerType)
	q, ok2 := b.Decay().(*cc.PointerType)
	return ok1 && ok2 && sameLayout(p.Elem(), q.Elem())
}
