package kernel

import "github.com/go-op2/op2/internal/loop"

// eval executes e and returns the interval of its value.
func (a *analysis) eval(e Expr) interval {
	t := Scalar(e.Type())
	switch e := e.(type) {
	case *Lit:
		return literal(t, e.Value)
	case *Ref, *Index, *Select, *Deref:
		if v := Root(e); v != nil && v.Count > 0 {
			return interval{0, int64(v.Most)}
		}
		if v := a.scalar(e); v != nil && a.s != nil {
			return a.s.values[v.slot]
		}
		l := a.locate(e)
		if a.isPointer(e.Type()) {
			a.escape(l, e.Pos())
			return rangeOf(t)
		}
		return a.load(l, e.Type(), e.Pos(), false)
	case *AddrOf:
		a.escape(a.locate(e), e.Pos())
	case *Unary:
		x := a.eval(e.X)
		if e.Op == Neg {
			a.markWrap(&e.Fits, Sub, t, interval{}, x)
		}
		return unaryInterval(e.Op, t, x)
	case *Binary:
		return a.binary(e, t)
	case *Convert:
		return convertInterval(t, Scalar(e.X.Type()), a.eval(e.X))
	case *Call:
		if results := a.call(e); len(results) > 0 {
			return results[0]
		}
	case *Math:
		return a.math(e, t)
	case *Composite:
		a.aggregate(e)
	case *Opaque:
		for _, part := range e.Parts {
			a.eval(part)
		}
		if e.Reach != nil {
			a.locate(e.Reach)
		}
		if e.Stores != nil && a.s != nil {
			if l := a.locate(e.Stores); l.parameter() {
				a.note(&a.uses[l.root].Write, l, e.Pos())
			}
		}
	}
	return rangeOf(t)
}

// scalar returns the local variable that e refers to, if it is a single tracked value.
func (a *analysis) scalar(e Expr) *variable {
	if r, ok := e.(*Ref); ok {
		if v := a.vars[r.Var]; v != nil && v.slot >= 0 && v.count == 1 {
			return v
		}
	}
	return nil
}

func (a *analysis) binary(e *Binary, t loop.Scalar) interval {
	switch {
	case e.Op == LAnd || e.Op == LOr:
		maybe := a.s != nil && a.s.maybe
		yes, no := a.branch(e)
		if a.s = a.merge(yes, no); a.s != nil {
			a.s.maybe = maybe
		}
		return boolean(yes != nil, yes == nil || no == nil)
	case e.Op.Compares():
		x := a.eval(e.X)
		y := a.eval(e.Y)
		if !counts(Scalar(e.X.Type())) {
			return rangeOf(loop.Bool)
		}
		return boolean(decide(e.Op, x, y))
	}
	x := a.eval(e.X)
	y := a.eval(e.Y)
	a.markWrap(&e.Fits, e.Op, t, x, y)
	return binaryInterval(e.Op, t, x, y)
}

func (a *analysis) math(e *Math, t loop.Scalar) interval {
	v := rangeOf(t)
	for i, arg := range e.Args {
		x := a.eval(arg)
		switch {
		case !counts(t) || e.Name != "min" && e.Name != "max":
		case i == 0:
			v = x
		case e.Name == "min":
			v = interval{min(v.lo, x.lo), min(v.hi, x.hi)}
		default:
			v = interval{max(v.lo, x.lo), max(v.hi, x.hi)}
		}
	}
	return v
}

// aggregate executes e, an array or a struct, and returns the intervals of its scalars; nil if
// nothing is known.
func (a *analysis) aggregate(e Expr) []interval {
	switch e := e.(type) {
	case *Composite:
		return a.composite(e)
	case *Ref, *Index, *Select, *Deref:
		l := a.locate(e)
		if a.s == nil {
			return nil
		}
		if l.parameter() {
			a.load(l, e.Type(), e.Pos(), false)
			return nil
		}
		if from, to, ok := l.slots(); ok && from == to {
			return append([]interval(nil), a.s.values[from:from+l.size]...)
		}
		return nil
	}
	a.eval(e)
	return nil
}

func (a *analysis) composite(e *Composite) []interval {
	var values []interval
	all := followed(e.T, a.c) > 0
	for i, x := range e.Elems {
		switch {
		case x == nil:
			values = append(values, make([]interval, Count(PartType(e.T, i)))...)
		case Scalar(x.Type()) != loop.Invalid:
			values = append(values, a.eval(x))
		default:
			inner := a.aggregate(x)
			all = all && inner != nil
			values = append(values, inner...)
		}
	}
	if !all || len(values) != Count(e.T) {
		return nil
	}
	return values
}

// argument is the location or the value of one argument of a call.
type argument struct {
	target location   // of a pointer
	value  interval   // of a scalar
	values []interval // of an array
}

// call executes a call in place, and returns the intervals of its scalar results. The callee is executed anew
// for each call, with these arguments; kernels have no recursion, so that this ends.
func (a *analysis) call(c *Call) []interval {
	args := make([]argument, len(c.Func.Params))
	for i, p := range c.Func.Params[:min(len(c.Args), len(args))] {
		args[i] = a.argument(p, c.Args[i])
	}
	if a.s == nil {
		return nil
	}
	for i, p := range c.Func.Params {
		a.bind(p, args[i])
	}
	return a.body(c.Func)
}

// argument executes the argument e for parameter p.
func (a *analysis) argument(p *Var, e Expr) argument {
	v := a.vars[p]
	if v.pointer {
		l := a.locate(e)
		if pos := e.Pos(); l.parameter() && l.via == nil && pos.Known() {
			l.via = &pos
		}
		if v.moves {
			a.escape(l, e.Pos())
			l = location{root: nowhere}
		}
		return argument{target: l.part(0, 0, a.count(Elem(p.Type), l))}
	}
	if Scalar(p.Type) != loop.Invalid {
		return argument{value: a.eval(e)}
	}
	return argument{values: a.aggregate(e)}
}

// bind sets parameter p to its argument.
func (a *analysis) bind(p *Var, arg argument) {
	v := a.vars[p]
	here := location{root: local, local: v, size: v.count}
	switch {
	case v.pointer:
		v.target = arg.target
	case Scalar(p.Type) != loop.Invalid:
		a.store(here, arg.value, Pos{}, false)
	default:
		a.storeAll(here, arg.values, Pos{})
	}
}

// body executes the body of a callee.
func (a *analysis) body(f *Func) []interval {
	caller, c := a.frame, a.c
	a.frame, a.c = &frame{targets: len(a.targets)}, f.C
	maybe, jumps := a.s.maybe, a.jumps
	a.block(f.Body)
	a.leave(f.End)
	for _, x := range a.frame.exits {
		a.s = a.merge(a.s, x.state)
	}
	if a.jumps = jumps; a.s != nil {
		a.s.maybe = maybe
	}
	results := a.frame.results
	a.frame, a.c = caller, c
	return results
}
