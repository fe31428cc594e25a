package codegen

import (
	"fmt"
	"go/constant"
	"math"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// What printers and decisions alike ask about types, expressions and statements of a kernel.

const boolScalar = loop.Bool

var (
	boolType     = kernel.Basic(boolScalar)
	constantTrue = constant.MakeBool(true)
)

// intLit returns the value of e if that is an integer constant.
func intLit(e kernel.Expr) (int64, bool) {
	lit, ok := e.(*kernel.Lit)
	if !ok {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(lit.Value))
}

// literalBetween reports whether e is a constant from lo to hi.
func literalBetween(e kernel.Expr, lo, hi int64) bool {
	lit, ok := e.(*kernel.Lit)
	if !ok {
		return false
	}
	if v, exact := constant.Int64Val(constant.ToInt(lit.Value)); exact {
		return lo <= v && v <= hi
	}
	_, exact := constant.Uint64Val(constant.ToInt(lit.Value))
	return exact && hi == math.MaxInt64 // an unsigned one above every int64
}

// isArray reports whether values of t are arrays, which C cannot assign.
func isArray(t kernel.Type) bool {
	_, ok := t.(*kernel.Array)
	return ok
}

func elemType(t kernel.Type, i int) kernel.Type {
	switch t := t.(type) {
	case *kernel.Array:
		return t.Elem
	case *kernel.Struct:
		return t.Fields[i].Type
	}
	panic(fmt.Sprintf("codegen: %s has no elements", t))
}

// outs reports whether f returns its results through pointers: more than one, or an array.
func outs(f *kernel.Func) bool {
	return len(f.Results) > 1 || len(f.Results) == 1 && isArray(f.Results[0])
}

// isComposite reports whether e is a literal.
func isComposite(e kernel.Expr) bool {
	_, ok := e.(*kernel.Composite)
	return ok
}

// returns reports whether s contains a return.
func returns(s kernel.Stmt) bool {
	found := false
	kernel.Walk(s, func(s kernel.Stmt) {
		_, is := s.(*kernel.Return)
		found = found || is
	}, nil)
	return found
}

// visit calls f for e and what is below it.
func visit(e kernel.Expr, f func(kernel.Expr)) {
	kernel.Walk(&kernel.Do{X: e}, nil, f)
}

// changes reports whether e contains a call with side effects.
func changes(e kernel.Expr) bool {
	found := false
	visit(e, func(x kernel.Expr) {
		if c, ok := x.(*kernel.Call); ok {
			found = found || !kernel.Pure(c.Func)
		}
	})
	return found
}

// bounds returns the bounds of a loop of the form for i := from; i < to; i++; nil for other loops.
func bounds(s *kernel.For) (from, to int64, v *kernel.Var) {
	d, ok := s.Init.(*kernel.Decl)
	if !ok || d.Init == nil {
		return 0, 0, nil
	}
	c, ok := s.Cond.(*kernel.Binary)
	if !ok || c.Op != kernel.Lt {
		return 0, 0, nil
	}
	counter, ok := c.X.(*kernel.Ref)
	post, steps := s.Post.(*kernel.Assign)
	if !ok || counter.Var != d.Var || !steps || post.Op != kernel.Add || kernel.Root(post.L) != d.Var {
		return 0, 0, nil
	}
	from, fromOK := intLit(d.Init)
	to, toOK := intLit(c.Y)
	by, byOK := intLit(post.R)
	if !fromOK || !toOK || !byOK || by != 1 {
		return 0, 0, nil
	}
	return from, to, d.Var
}

// mayDivideByZero reports whether x / y must be guarded: against zero, and against the smallest
// integer over -1.
func mayDivideByZero(x, y kernel.Expr, fits bool) bool {
	return kernel.Scalar(x.Type()).Integer() && !fits && !literalBetween(y, 1, math.MaxInt64) && !literalBetween(y, math.MinInt64, -2)
}

// divides reports whether a division in a kernel is guarded.
func divides(k *kernel.Kernel) bool {
	found := false
	divide := func(op kernel.Op, x, y kernel.Expr, known bool) {
		found = found || (op == kernel.Div || op == kernel.Rem) && mayDivideByZero(x, y, known)
	}
	for _, f := range k.Funcs {
		kernel.Walk(f.Body, func(s kernel.Stmt) {
			if a, ok := s.(*kernel.Assign); ok {
				divide(a.Op, a.L, a.R, a.Fits)
			}
		}, func(e kernel.Expr) {
			if b, ok := e.(*kernel.Binary); ok {
				divide(b.Op, b.X, b.Y, b.Fits)
			}
		})
	}
	return found
}

// onlyAssign returns the only statement of b, if that is an assignment.
func onlyAssign(b *kernel.Block) *kernel.Assign {
	if b == nil || len(b.Stmts) != 1 {
		return nil
	}
	a, _ := b.Stmts[0].(*kernel.Assign)
	return a
}

// updated returns the value of L Op R. In C, that may be computed in a larger type.
func updated(s *kernel.Assign) kernel.Expr {
	t := s.R.Type()
	shift := s.Op == kernel.Shl || s.Op == kernel.Shr
	if kernel.Scalar(t) == kernel.Scalar(s.L.Type()) || shift {
		return &kernel.Binary{At: kernel.At{T: s.L.Type(), At: s.Pos}, Op: s.Op, X: s.L, Y: s.R}
	}
	x := &kernel.Convert{At: kernel.At{T: t, At: s.Pos}, X: s.L}
	return &kernel.Convert{At: kernel.At{T: s.L.Type(), At: s.Pos}, X: &kernel.Binary{At: kernel.At{T: t, At: s.Pos}, Op: s.Op, X: x, Y: s.R}}
}

// continuedFromWithin reports whether a loop is continued from a loop within it, which C cannot
// express.
func continuedFromWithin(s *kernel.For) bool {
	found := false
	kernel.Walk(s.Body, func(inner kernel.Stmt) {
		if l, ok := inner.(*kernel.For); ok {
			kernel.Walk(l.Body, func(b kernel.Stmt) {
				branch, ok := b.(*kernel.Branch)
				found = found || ok && branch.Continue && branch.Target == kernel.Stmt(s)
			}, nil)
		}
	}, nil)
	return found
}

// MayFail reports whether a kernel may fail on some values, as Go panics.
func MayFail(k *kernel.Kernel) bool {
	p := newPrinter(k)
	p.findFailing(k)
	return p.failing[k.Entry()]
}
