package codegen

import (
	"math"

	"github.com/go-op2/op2/internal/kernel"
)

// Code that no element of a pack reaches is executed all the same, under an empty mask. This file
// finds what must not be: code that may fault, access beyond an array or not terminate.

// count finds the counters of f: variables of loops over literal numbers that nothing else changes.
func (l *lanes) count(f *kernel.Func) {
	kernel.Walk(f.Body, func(s kernel.Stmt) {
		loop, ok := s.(*kernel.For)
		if !ok {
			return
		}
		from, to, v := bounds(loop)
		if v != nil && !kernel.Stored(&kernel.Func{Body: loop.Body})[v] {
			l.counted[v] = span{from, to - 1}
		}
	}, nil)
}

// span returns the possible values of an integer, whether or not an element gets there.
func (l *lanes) span(e kernel.Expr) (s span, known bool) {
	switch e := e.(type) {
	case *kernel.Lit:
		i, ok := intLit(e)
		return span{i, i}, ok
	case *kernel.Ref:
		s, ok := l.counted[e.Var]
		return s, ok
	case *kernel.Convert:
		s, ok := l.span(e.X)
		t := kernel.Scalar(e.Type())
		return s, ok && kernel.Scalar(e.X.Type()).Integer() && t.Integer() && 0 <= s.first && s.last <= math.MaxInt8
	case *kernel.Binary:
		x, xOK := l.span(e.X)
		y, yOK := l.span(e.Y)
		const small = 1 << 20
		if !xOK || !yOK || max(-x.first, x.last, -y.first, y.last) > small || kernel.Scalar(e.Type()).Size() < 4 {
			return span{}, false
		}
		switch e.Op {
		case kernel.Add:
			return span{x.first + y.first, x.last + y.last}, true
		case kernel.Sub:
			return span{x.first - y.last, x.last - y.first}, true
		case kernel.Mul:
			a, b, c, d := x.first*y.first, x.first*y.last, x.last*y.first, x.last*y.last
			return span{min(a, b, c, d), max(a, b, c, d)}, true
		}
	}
	return span{}, false
}

// safe reports whether the subscript of e is within its array even if no element gets there.
func (l *lanes) safe(e *kernel.Index) bool {
	s, known := l.span(e.I)
	return known && 0 <= s.first && s.last < int64(l.length(e))
}

// length returns the number of elements of what e indexes; 0 if unknown.
func (l *lanes) length(e *kernel.Index) int {
	if a, ok := kernel.Elem(e.X.Type()).(*kernel.Array); ok && a.Len > 0 {
		return a.Len
	}
	ref, ok := e.X.(*kernel.Ref)
	if !ok {
		return 0
	}
	for i, a := range l.in.Loop.Args {
		if v := l.in.param(i); v == ref.Var {
			if _, scalar := kernel.Elem(v.Type).(kernel.Basic); scalar || !a.Packed() {
				return l.in.Loop.Arity(a) * l.in.Loop.Dim(a)
			}
			return l.in.Loop.Arity(a)
		}
	}
	return 0
}

// hazard reports whether statements may fault, access beyond an array or not terminate if no
// element reaches them.
func (l *lanes) hazard(stmts ...kernel.Stmt) bool {
	found := false
	for _, s := range stmts {
		kernel.Walk(s, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.For:
				_, _, counter := bounds(s)
				_, counts := l.counted[counter]
				found = found || !counts
			case *kernel.Assign:
				found = found || mayFault(s.Op, s.L, s.R)
			}
		}, func(e kernel.Expr) {
			switch e := e.(type) {
			case *kernel.Index:
				found = found || !l.safe(e)
			case *kernel.Binary:
				found = found || mayFault(e.Op, e.X, e.Y)
			case *kernel.Call:
				found = found || l.hazard(e.Func.Body)
			}
		})
	}
	return found
}

// mayFault reports whether x op y is a division by something that may be zero or a shift by a count
// that may be too large.
func mayFault(op kernel.Op, x, y kernel.Expr) bool {
	t := kernel.Scalar(x.Type())
	switch op {
	case kernel.Div, kernel.Rem:
		return t.Integer() && !literalBetween(y, 1, math.MaxInt64)
	case kernel.Shl, kernel.Shr:
		return !literalBetween(y, 0, int64(8*t.Size()-1))
	}
	return false
}
