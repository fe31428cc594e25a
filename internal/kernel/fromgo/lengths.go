package fromgo

import (
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

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
