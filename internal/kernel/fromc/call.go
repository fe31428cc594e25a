package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// call lowers a call, and returns the result, if wanted; a call that changes something becomes a
// preceding statement.
func (f *lowering) call(n *cc.PostfixExpression, wanted bool) kernel.Expr {
	name, user := f.target(n)
	args := arguments(n)
	result := f.u.value(n.Type())
	if user == nil && !wanted && f.memory(n, name, args) {
		return opaque(none, f.at(n))
	}
	if user == nil || !f.fits(n, name, user, args) || user.fun == nil {
		if e := f.library(n, name, user, args); e != nil {
			return f.finish(e, wanted)
		}
		return f.finish(f.opaqueCall(n, name, user, args), wanted)
	}
	c := &kernel.Call{At: kernel.At{T: result, At: f.at(n)}, Func: user.fun}
	if result == nil {
		c.T = none
	}
	known := true
	before := f.Collect(func() {
		for i, a := range args {
			e := f.argument(a, user.def, i)
			known = known && e != nil
			c.Args = append(c.Args, e)
		}
	})
	if !known { // a pointer to anywhere
		return f.finish(f.opaqueCall(n, name, user, args), wanted)
	}
	f.Emit(before...)
	switch {
	case !wanted || result == nil:
		f.Emit(&kernel.Do{Call: c, Pos: f.at(n)})
		return opaque(none, f.at(n))
	case user.pure:
		return c
	}
	return f.temp(c)
}

// finish emits a call of a function that is not the user's, if its result is not wanted.
func (f *lowering) finish(e kernel.Expr, wanted bool) kernel.Expr {
	if wanted {
		return e
	}
	switch e := e.(type) {
	case *kernel.Opaque:
		if e.T = none; len(e.Parts) > 0 {
			f.Emit(&kernel.Do{X: e, Pos: e.Pos()})
		}
	case *kernel.Math:
		f.Emit(&kernel.Do{Math: e, Pos: e.Pos()})
	default:
		f.Emit(&kernel.Do{X: e, Pos: e.Pos()})
	}
	return nil
}

// target returns the name of the function that n calls, and its lowered form if it is in the
// source.
func (f *lowering) target(n *cc.PostfixExpression) (string, *callee) {
	d := declared(base(n.PostfixExpression))
	if d == nil || d.Type().Kind() != cc.Function || !atFileScope(d) {
		return "", nil
	}
	return d.Name(), f.u.lowered[d.Name()]
}

// fits checks the number of arguments, which the parser does not.
func (f *lowering) fits(n *cc.PostfixExpression, name string, user *callee, args []cc.ExpressionNode) bool {
	t, ok := user.def.Declarator.Type().(*cc.FunctionType)
	if !ok || t.IsVariadic() || user.def.DeclarationList != nil {
		return false
	}
	want := len(t.Parameters())
	if want == 1 && t.Parameters()[0].Type().Kind() == cc.Void {
		want = 0
	}
	if len(args) != want {
		f.u.problem(n, "", "%s takes %s, and gets %d", name, problem.Count(want, "argument"), len(args))
		return false
	}
	return true
}

// argument returns a as argument i of def; nil if it is a pointer to anywhere, or into something of
// another type.
func (f *lowering) argument(a cc.ExpressionNode, def *cc.FunctionDefinition, i int) kernel.Expr {
	t := def.Declarator.Type().(*cc.FunctionType).Parameters()[i].Type()
	if t.Kind() != cc.Ptr {
		e := f.as(a, f.u.value(t))
		if _, isCall := e.(*kernel.Call); isCall && kernel.Scalar(e.Type()) == loop.Invalid {
			return f.temp(e)
		}
		return e
	}
	if !isPointer(a) || !samePointee(t, a.Type()) {
		return nil
	}
	return f.pointer(a).argument()
}

// opaqueCall returns a call that the IR cannot express: its arguments, and the pointer to the
// function, if it is one.
func (f *lowering) opaqueCall(n *cc.PostfixExpression, name string, user *callee, args []cc.ExpressionNode) *kernel.Opaque {
	var parts, stored []kernel.Expr
	if target, _ := f.target(n); target == "" {
		parts = f.partsOf(n.PostfixExpression)
	}
	for i, a := range args {
		p := f.partsOf(a)
		if i == 0 && user == nil && storesFirst[name] {
			stored = p
		}
		parts = append(parts, p...)
	}
	return storing(opaque(f.u.value(n.Type()), f.at(n), parts...), stored)
}
