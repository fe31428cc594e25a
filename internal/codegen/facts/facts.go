// Package facts answers questions of printers and estimates about the types, expressions and statements
// of a kernel, and estimates its work.
package facts

import (
	"go/constant"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// BoolType is the type of conditions.
var BoolType = kernel.Basic(loop.Bool)

// LiteralBetween reports whether e is a constant from lo to hi.
func LiteralBetween(e kernel.Expr, lo, hi int64) bool {
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

// IsArray reports whether values of t are arrays, which C cannot assign.
func IsArray(t kernel.Type) bool { return kernel.Is[*kernel.Array](t) }

// Outs reports whether f returns its results through pointers: more than one, or an array.
func Outs(f *kernel.Func) bool {
	return len(f.Results) > 1 || len(f.Results) == 1 && IsArray(f.Results[0])
}

// IsComposite reports whether e is a literal.
func IsComposite(e kernel.Expr) bool { return kernel.Is[*kernel.Composite](e) }

// Returns reports whether s contains a return.
func Returns(s kernel.Stmt) bool { return kernel.Has[*kernel.Return](s) }

// Changes reports whether e contains a call with side effects.
func Changes(e kernel.Expr) bool {
	return slices.ContainsFunc(kernel.All[*kernel.Call](e), func(c *kernel.Call) bool { return !kernel.Pure(c.Func) })
}

// Bounds returns the bounds of a loop of the form for i := from; i < to; i++; nil for other loops.
func Bounds(s *kernel.For) (from, to int64, v *kernel.Var) {
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
	from, fromOK := kernel.IntOf(d.Init)
	to, toOK := kernel.IntOf(c.Y)
	by, byOK := kernel.IntOf(post.R)
	if !fromOK || !toOK || !byOK || by != 1 {
		return 0, 0, nil
	}
	return from, to, d.Var
}

// MayDivideByZero reports whether x / y must be guarded: against zero, and against the smallest
// integer over -1.
func MayDivideByZero(x, y kernel.Expr, fits bool) bool {
	return kernel.Scalar(x.Type()).Integer() && !fits && !LiteralBetween(y, 1, math.MaxInt64) && !LiteralBetween(y, math.MinInt64, -2)
}

// OnlyAssign returns the only statement of b, if that is an assignment.
func OnlyAssign(b *kernel.Block) *kernel.Assign {
	if b == nil || len(b.Stmts) != 1 {
		return nil
	}
	a, _ := b.Stmts[0].(*kernel.Assign)
	return a
}

// Updated returns the value of L Op R. In C, that may be computed in a larger type.
func Updated(s *kernel.Assign) kernel.Expr {
	t := s.R.Type()
	shift := s.Op == kernel.Shl || s.Op == kernel.Shr
	if kernel.Scalar(t) == kernel.Scalar(s.L.Type()) || shift {
		return &kernel.Binary{At: kernel.At{T: s.L.Type(), At: s.Pos}, Op: s.Op, X: s.L, Y: s.R}
	}
	x := &kernel.Convert{At: kernel.At{T: t, At: s.Pos}, X: s.L}
	return &kernel.Convert{At: kernel.At{T: s.L.Type(), At: s.Pos}, X: &kernel.Binary{At: kernel.At{T: t, At: s.Pos}, Op: s.Op, X: x, Y: s.R}}
}

// Continued reports whether something in b continues a loop.
func Continued(b *kernel.Block, loop kernel.Stmt) bool {
	return slices.ContainsFunc(kernel.All[*kernel.Branch](b), func(b *kernel.Branch) bool { return b.Continue && b.Target == loop })
}

// ContinuedFromWithin reports whether a loop is continued from a loop within it, which C cannot
// express.
func ContinuedFromWithin(s *kernel.For) bool {
	return slices.ContainsFunc(kernel.All[*kernel.For](s.Body), func(inner *kernel.For) bool { return Continued(inner.Body, s) })
}

// NeedsFloat64 reports whether a loop has float64 values, or its kernel computes with them.
func NeedsFloat64(l *loop.Loop, k *kernel.Kernel) bool {
	for _, d := range l.Data {
		if d.Type == loop.Float64 || d.Value != nil && slices.ContainsFunc(d.Value.Leaves(), func(l loop.Leaf) bool { return l.Scalar == loop.Float64 }) {
			return true
		}
	}
	is := func(t kernel.Type) bool { return kernel.Leaf(t) == loop.Float64 }
	return !k.Captured() || slices.ContainsFunc(kernel.All[*kernel.Decl](k), func(d *kernel.Decl) bool { return is(d.Var.Type) }) ||
		slices.ContainsFunc(kernel.All[kernel.Expr](k), func(e kernel.Expr) bool { return is(e.Type()) })
}
