package fromgo

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// maxCompared is the largest number of values of arrays and structs that may be compared: each
// becomes a comparison of its own.
const maxCompared = 64

// comparison lowers x == y and x != y of arrays or structs to comparisons of their values.
func (l *lowerer) comparison(e *ast.BinaryExpr, x, y kernel.Expr) kernel.Expr {
	pos := l.pos(e.OpPos)
	equal := equality(l.info.TypeOf(e.X), x, y, pos)
	if equal == nil { // they have no values
		equal = literal(constant.MakeBool(true), boolean, pos)
	}
	if operators[e.Op] == kernel.Ne {
		return kernel.NewNot(equal)
	}
	return equal
}

// equality returns an expression that compares two values of type t, part by part; nil if there are
// no parts.
func equality(t types.Type, x, y kernel.Expr, pos kernel.Pos) kernel.Expr {
	var all kernel.Expr
	and := func(part kernel.Expr) {
		switch {
		case all == nil:
			all = part
		case part != nil:
			all = &kernel.Binary{At: kernel.At{T: boolean, At: pos}, Op: kernel.LAnd, X: all, Y: part}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isComplex(u) {
			for i := range 2 {
				and(&kernel.Binary{At: kernel.At{T: boolean, At: pos}, Op: kernel.Eq, X: field(x, i, pos), Y: field(y, i, pos)})
			}
			return all
		}
		return &kernel.Binary{At: kernel.At{T: boolean, At: pos}, Op: kernel.Eq, X: x, Y: y}
	case *types.Array:
		for i := range u.Len() {
			and(equality(u.Elem(), elementAt(x, i, pos), elementAt(y, i, pos), pos))
		}
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Name() != "_" {
				and(equality(f.Type(), field(x, i, pos), field(y, i, pos), pos))
			}
		}
	}
	return all
}

// elementAt returns element i of an array.
func elementAt(x kernel.Expr, i int64, pos kernel.Pos) kernel.Expr {
	elem := x.Type().(*kernel.Array).Elem
	return &kernel.Index{At: kernel.At{T: elem, At: pos}, X: pointed(x), I: number(i, kernel.Basic(loop.Int64), pos)}
}

// field returns field i of a struct.
func field(x kernel.Expr, i int, pos kernel.Pos) kernel.Expr {
	f := x.Type().(*kernel.Struct).Fields[i]
	return &kernel.Select{At: kernel.At{T: f.Type, At: pos}, X: pointed(x), Field: f.Name}
}

// pointed returns x as the operand of an Index or Select: p for *p.
func pointed(x kernel.Expr) kernel.Expr {
	if d, ok := x.(*kernel.Deref); ok {
		return d.X
	}
	return x
}
