package fromgo

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// maxCompared is the largest number of values of arrays and structs that may be compared: each
// becomes a comparison of its own.
const maxCompared = 64

// againstNil returns the parameter that e compares with nil; nil if it is another comparison.
func (p *Package) againstNil(e *ast.BinaryExpr) types.Object {
	if e.Op != token.EQL && e.Op != token.NEQ {
		return nil
	}
	x, y := ast.Unparen(e.X), ast.Unparen(e.Y)
	if p.info.Types[x].IsNil() {
		x, y = y, x
	}
	if id, ok := x.(*ast.Ident); ok && p.info.Types[y].IsNil() {
		return p.info.Uses[id]
	}
	return nil
}

// comparison lowers x == y and x != y of arrays or structs to comparisons of their values.
func (l *lowerer) comparison(e *ast.BinaryExpr, x, y kernel.Expr) kernel.Expr {
	pos := l.pos(e.OpPos)
	equal := equality(l.info.TypeOf(e.X), x, y, pos)
	if equal == nil { // they have no values
		equal = kernel.NewBool(true, pos)
	}
	if kernel.BinaryOp(e.Op.String()) == kernel.Ne {
		return kernel.NewNot(equal)
	}
	return equal
}

// equality returns an expression that compares two values of type t, part by part; nil if there are no parts.
// Blank fields do not count, as in Go.
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
				and(&kernel.Binary{At: kernel.At{T: boolean, At: pos}, Op: kernel.Eq, X: kernel.NewSelect(x, i, pos), Y: kernel.NewSelect(y, i, pos)})
			}
			return all
		}
		return &kernel.Binary{At: kernel.At{T: boolean, At: pos}, Op: kernel.Eq, X: x, Y: y}
	case *types.Array:
		for i := range u.Len() {
			and(equality(u.Elem(), kernel.NewIndex(x, number(i, integer, pos), pos), kernel.NewIndex(y, number(i, integer, pos), pos), pos))
		}
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Name() != "_" {
				and(equality(f.Type(), kernel.NewSelect(x, i, pos), kernel.NewSelect(y, i, pos), pos))
			}
		}
	}
	return all
}
