package ckernel

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Ctype returns the C type of a value of t without its array dimensions; with each, there is a
// value for each element of a pack.
func (p *Printer) Ctype(t kernel.Type, each bool) string {
	switch t := t.(type) {
	case kernel.Basic:
		if each {
			return p.vec.Name(loop.Scalar(t))
		}
		return loop.Scalar(t).C()
	case *kernel.Array:
		return p.Ctype(t.Elem, each)
	case *kernel.Struct:
		return p.structs[t]
	case *kernel.Pointer:
		return p.Ctype(t.Elem, each)
	}
	panic(fmt.Sprintf("codegen: no C type for %T", t))
}

// dims returns the array dimensions of t, as they follow a name: "[3][2]".
func dims(t kernel.Type) string {
	var b strings.Builder
	for {
		a, ok := t.(*kernel.Array)
		if !ok {
			return b.String()
		}
		fmt.Fprintf(&b, "[%d]", a.Len)
		t = a.Elem
	}
}

// Decl declares name as a variable of type t: "double q[4]".
func (p *Printer) Decl(t kernel.Type, name string, each bool) string {
	return p.Ctype(t, each) + " " + name + dims(t)
}

// param declares name as a parameter of type t. A pointer to an array is written as that array,
// which in C is a pointer to its first element. Only values reached through a single level of
// arrays can be const without a cast at the call.
func (p *Printer) param(t kernel.Type, name string, readOnly, each bool) string {
	pointer, isPointer := t.(*kernel.Pointer)
	elem := kernel.Elem(t)
	array, isArray := elem.(*kernel.Array)
	prefix := ""
	if readOnly && (isPointer || isArray) {
		if !isArray || dims(array.Elem) == "" {
			prefix = "const "
		}
	}
	if isPointer && !isArray {
		return prefix + p.Ctype(pointer.Elem, each) + " *" + name
	}
	if isArray { // a C kernel may leave its length open, and its elements may be pointers
		if _, pointers := array.Elem.(*kernel.Pointer); pointers {
			return p.Ctype(elem, each) + " **" + name
		}
		if array.Len == 0 {
			return prefix + p.Ctype(elem, each) + " " + name + "[]" + dims(array.Elem)
		}
	}
	return prefix + p.Ctype(elem, each) + " " + name + dims(elem)
}
