package fromgo

import (
	"fmt"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// of lowers the function for these lengths of its parameters, unless that has been done.
func (b *builder) of(obj types.Object, lengths [][]kernel.Length) *function {
	key := instance{obj, fmt.Sprint(lengths)}
	if b.lowered[key] == nil {
		f := b.lower(b.funcs[obj], lengths)
		b.lowered[key] = f
		b.made = append(b.made, f.Func)
	}
	return b.lowered[key]
}

// funcName returns a name for the next instance of a function. That of a method begins with its
// type, and that of another package's function with the package: gas_State_Add.
func (b *builder) funcName(obj *types.Func) string {
	first := obj.Name()
	if recv := obj.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		first = types.Unalias(t).(*types.Named).Obj().Name() + "_" + first
	}
	if obj.Pkg() != b.pkg {
		first = obj.Pkg().Name() + "_" + first
	}
	name := first
	for n := 2; b.names[name] || (n > 2 || name != obj.Name()) && b.pkg.Scope().Lookup(name) != nil; n++ {
		name = fmt.Sprintf("%s_%d", first, n)
	}
	b.names[name] = true
	return name
}

// lengthsOf returns the lengths of the outermost levels of an array.
func lengthsOf(a *kernel.Array, levels int) []kernel.Length {
	list := []kernel.Length{{Most: a.Len, Count: a.Count}}
	if levels > 1 {
		list = append(list, lengthsOf(a.Elem.(*kernel.Array), levels-1)...)
	}
	return list
}

// arrayFor returns the array that a slice of type t is lowered to.
func (b *builder) arrayFor(t types.Type, lengths []kernel.Length) kernel.Type {
	if len(lengths) == 0 {
		return b.typ(t)
	}
	elem := b.arrayFor(t.Underlying().(*types.Slice).Elem(), lengths[1:])
	return &kernel.Array{Len: lengths[0].Most, Elem: elem, Count: lengths[0].Count}
}
