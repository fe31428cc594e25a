package fromgo

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// composite lowers a composite literal into a temporary.
func (l *lowerer) composite(e *ast.CompositeLit) kernel.Expr {
	at := l.at(e)
	v := &kernel.Var{Name: "t", Type: at.T, Pos: at.At}
	l.declare(v, e)
	return kernel.NewRef(v, at.At)
}

// declare declares v with the value of e. A composite literal that holds other arrays than literals is
// assigned element by element, since C cannot initialize an array with another; a call stores an array where
// it is.
func (l *lowerer) declare(v *kernel.Var, e ast.Expr) {
	d := &kernel.Decl{Var: v, Pos: v.Pos}
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		if l.holdsArrays(x) {
			l.Emit(d)
			l.fill(kernel.NewRef(v, v.Pos), x)
			return
		}
		d.Init = l.compositeValue(x)
	case *ast.CallExpr:
		if l.function(x) != nil && kernel.Is[*kernel.Array](v.Type) {
			do, _ := l.do(x)
			do.Into = []*kernel.Var{v}
			l.Emit(d)
			l.Emit(do)
			return
		}
		d.Init = l.whole(e)
	default:
		d.Init = l.expr(e)
	}
	l.Emit(d)
}

// element is an element of a composite literal: its index and its value.
type element struct {
	i int
	x ast.Expr
}

// elements returns the elements that a composite literal specifies.
func (l *lowerer) elements(e *ast.CompositeLit) []element {
	var list []element
	u, isStruct := l.info.TypeOf(e).Underlying().(*types.Struct)
	next := 0
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if isStruct {
				next = fieldIndex(u, l.info.ObjectOf(kv.Key.(*ast.Ident)))
			} else {
				n, _ := constant.Int64Val(constant.ToInt(l.info.Types[kv.Key].Value))
				next = int(n)
			}
			x = kv.Value
		}
		list = append(list, element{next, x})
		next++
	}
	return list
}

func fieldIndex(u *types.Struct, field types.Object) int {
	for i := range u.NumFields() {
		if u.Field(i) == field {
			return i
		}
	}
	return 0
}

// holdsArrays reports whether some element is an array that is not itself a composite literal, so
// that the whole cannot be a C initializer.
func (l *lowerer) holdsArrays(e *ast.CompositeLit) bool {
	for _, el := range l.elements(e) {
		if c, ok := el.x.(*ast.CompositeLit); ok {
			if l.holdsArrays(c) {
				return true
			}
		} else if isArray(l.info.TypeOf(el.x)) {
			return true
		}
	}
	return false
}

// compositeValue lowers a composite literal whose arrays are all literals.
func (l *lowerer) compositeValue(e *ast.CompositeLit) *kernel.Composite {
	c := &kernel.Composite{At: l.at(e)}
	elements := l.elements(e)
	switch t := c.T.(type) {
	case *kernel.Struct:
		c.Elems = make([]kernel.Expr, len(t.Fields))
	case *kernel.Array:
		c.Elems = make([]kernel.Expr, t.Len)
	}
	for _, el := range elements {
		if inner, ok := el.x.(*ast.CompositeLit); ok {
			c.Elems[el.i] = l.compositeValue(inner)
		} else {
			c.Elems[el.i] = l.expr(el.x)
		}
	}
	return c
}

// fill assigns the elements of a composite literal to place, which is zero.
func (l *lowerer) fill(place kernel.Expr, e *ast.CompositeLit) {
	for _, el := range l.elements(e) {
		pos := l.pos(el.x.Pos())
		var part kernel.Expr
		if kernel.Is[*kernel.Struct](place.Type()) {
			part = kernel.NewSelect(place, el.i, pos)
		} else {
			part = kernel.NewIndex(place, number(int64(el.i), integer, pos), pos)
		}
		if inner, ok := el.x.(*ast.CompositeLit); ok {
			l.fill(part, inner)
			continue
		}
		value := l.expr(el.x)
		l.Emit(&kernel.Assign{L: part, R: value, Pos: pos})
	}
}

// constantElements reports whether a composite contains nothing but constants, so that it may be
// assigned element by element.
func constantElements(c *kernel.Composite) bool {
	for _, e := range c.Elems {
		switch e := e.(type) {
		case nil, *kernel.Lit:
		case *kernel.Composite:
			if !constantElements(e) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
