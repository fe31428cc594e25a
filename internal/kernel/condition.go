package kernel

import "github.com/go-op2/op2/internal/loop"

// branch executes the condition e, and returns the states where it holds and where it does not; nil
// if that is impossible. It takes ownership of a.s.
func (a *analysis) branch(e Expr) (yes, no *state) {
	switch e := e.(type) {
	case *Unary:
		if e.Op == Not {
			yes, no = a.branch(e.X)
			return no, yes
		}
	case *Binary:
		switch {
		case e.Op == LAnd:
			// The second operand runs only in states where the first one holds.
			var no2 *state
			a.s, no = a.branch(e.X)
			yes, no2 = a.branch(e.Y)
			return yes, a.merge(no, no2)
		case e.Op == LOr:
			var yes2 *state
			yes, a.s = a.branch(e.X)
			yes2, no = a.branch(e.Y)
			return a.merge(yes, yes2), no
		case e.Op.Compares():
			x := a.eval(e.X)
			y := a.eval(e.Y)
			return a.compare(e.Op, e.X, x, e.Y, y)
		}
	}
	v := a.eval(e)
	return a.compare(Ne, e, v, nil, interval{})
}

// compare returns the states in which the condition ex op ey holds and does not, where ex is in x
// and ey in y. Either expression may be nil.
func (a *analysis) compare(op Op, ex Expr, x interval, ey Expr, y interval) (yes, no *state) {
	s := a.s
	a.s = nil
	if s == nil || ex == nil || !counts(Scalar(ex.Type())) {
		if s != nil {
			s.maybe = true
			yes = a.clone(s)
		}
		return yes, s
	}
	if result, known := decide(op, x, y); known {
		if result {
			return s, nil
		}
		return nil, s
	}
	s.maybe = true
	yes, no = a.clone(s), s
	a.narrow(yes, op, ex, x, ey, y)
	a.narrow(no, negated[op], ex, x, ey, y)
	return yes, no
}

// narrow records in s what ex op ey implies for the variables ex and ey.
func (a *analysis) narrow(s *state, op Op, ex Expr, x interval, ey Expr, y interval) {
	a.narrowOne(s, op, ex, y)
	a.narrowOne(s, mirrored[op], ey, x)
}

func (a *analysis) narrowOne(s *state, op Op, e Expr, other interval) {
	inner := e
	for {
		c, ok := inner.(*Convert)
		if !ok || !keeps(Scalar(c.T), Scalar(c.X.Type())) {
			break
		}
		inner = c.X
	}
	if v := a.scalar(inner); v != nil {
		s.values[v.slot] = cut(op, Scalar(e.Type()), s.values[v.slot], other)
	}
}

// keeps reports whether a conversion to a type preserves every value of from.
func keeps(to, from loop.Scalar) bool {
	return to == from ||
		from.Integer() && to.Integer() && from != loop.Uint64 && rangeOf(to).contains(rangeOf(from))
}
