package fromgo

import (
	"go/ast"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// call lowers a call with one result, a conversion or a builtin. A call that is the whole
// expression may stay, even if it changes something; but the value of a Call is never an array.
func (l *lowerer) call(e *ast.CallExpr, whole bool) kernel.Expr {
	if l.info.Types[e.Fun].IsType() {
		return l.conversion(e)
	}
	switch f := l.callee(e).(type) {
	case *types.Builtin:
		return l.builtin(e, f.Name())
	case *types.Func:
		if l.function(e) == nil {
			m := l.mathArgs(e, f.Name())
			if l.impure > 0 {
				return l.Hoist("r", m)
			}
			return m
		}
	}
	if isArray(l.info.TypeOf(e)) {
		return kernel.NewRef(l.into(e)[0], l.pos(e.Pos()))
	}
	c, impure := l.userCall(e)
	if l.impure > 0 || !whole && (impure || kernel.Is[*kernel.Struct](c.T)) {
		return l.Hoist("r", c)
	}
	return c
}

// userCall lowers a call of a function of the kernel.
func (l *lowerer) userCall(e *ast.CallExpr) (c *kernel.Call, impure bool) {
	f := l.called(e)
	at := kernel.At{At: l.pos(e.Pos())}
	if len(f.Results) == 1 {
		at.T = f.Results[0]
	}
	c = &kernel.Call{At: at, Func: f.Func}
	if s := l.method(e); s != nil {
		c.Args = append(c.Args, l.receiver(s, f))
	}
	if call := l.forwarded(e); call != nil {
		c.Args = append(c.Args, refs(l.into(call), at.At)...)
	} else {
		for _, a := range e.Args {
			c.Args = append(c.Args, l.arg(a, f, f.Params[len(c.Args)]))
		}
	}
	for _, p := range f.Params[len(c.Args):] {
		c.Args = append(c.Args, kernel.NewRef(l.counts[p.Count], at.At))
	}
	if !f.pure {
		l.impure--
	}
	return c, !f.pure
}

// forwarded returns the call g() in f(g()) if it has several results.
func (l *lowerer) forwarded(e *ast.CallExpr) *ast.CallExpr {
	if len(e.Args) != 1 || !l.isTuple(e.Args[0]) {
		return nil
	}
	return ast.Unparen(e.Args[0]).(*ast.CallExpr)
}

// arg lowers an argument for parameter p of f. A const that is an array is copied, as it need not
// be in ordinary memory.
func (l *lowerer) arg(a ast.Expr, f *function, p *kernel.Var) kernel.Expr {
	if _, ok := p.Type.(*kernel.Pointer); !ok {
		x := l.expr(a)
		if kernel.Is[*kernel.Array](x.Type()) && isConst(x) {
			return l.Hoist("copy", x)
		}
		return x
	}
	x := l.pointer(a) // or a slice
	if addr, ok := x.(*kernel.AddrOf); ok {
		l.ordinary(addr, a, f, p)
	}
	return x
}

// ordinary makes the address of a const, passed for parameter p of f, that of a copy.
func (l *lowerer) ordinary(addr *kernel.AddrOf, a ast.Expr, f *function, p *kernel.Var) {
	if !isConst(addr.X) {
		return
	}
	if f.stored[p] {
		l.problem(a.Pos(), "make it an argument of the loop, a Global",
			"the package variable %s is changed by %s", constOf(addr.X).Name, f.Name)
	}
	addr.X = l.Hoist("copy", addr.X)
}

// method returns x.f if the call is one of a method; otherwise nil.
func (l *lowerer) method(e *ast.CallExpr) *ast.SelectorExpr {
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || l.info.Selections[s] == nil {
		return nil
	}
	return s
}

// receiver lowers x in a call of the method x.f, for the first parameter of f.
func (l *lowerer) receiver(e *ast.SelectorExpr, f *function) kernel.Expr {
	path := l.info.Selections[e].Index()
	x := l.fields(e, path[:len(path)-1])
	p := f.Params[0]
	byPointer, pointer := kernel.Is[*kernel.Pointer](p.Type), kernel.Is[*kernel.Pointer](x.Type())
	switch {
	case byPointer && !pointer:
		addr := &kernel.AddrOf{At: kernel.At{T: p.Type, At: x.Pos()}, X: x}
		l.ordinary(addr, e.X, f, p)
		return addr
	case pointer && !byPointer:
		return &kernel.Deref{At: kernel.At{T: p.Type, At: x.Pos()}, X: x}
	}
	if kernel.Is[*kernel.Array](x.Type()) && isConst(x) {
		return l.Hoist("copy", x)
	}
	return x
}

// into emits a call with several results or an array, and returns the temporaries that receive
// them.
func (l *lowerer) into(e *ast.CallExpr) []*kernel.Var {
	do, results := l.do(e)
	for _, t := range results {
		do.Into = append(do.Into, l.Temporary("r", t, nil, do.Pos))
	}
	l.Emit(do)
	return do.Into
}

// refs returns references to variables.
func refs(vars []*kernel.Var, pos kernel.Pos) (list []kernel.Expr) {
	for _, v := range vars {
		list = append(list, kernel.NewRef(v, pos))
	}
	return list
}

// do lowers a call with several results or an array; the caller sets its Into.
func (l *lowerer) do(e *ast.CallExpr) (do *kernel.Do, results []kernel.Type) {
	do = &kernel.Do{Pos: l.pos(e.Pos())}
	if l.function(e) != nil {
		do.Call, _ = l.userCall(e)
		return do, do.Call.Func.Results
	}
	do.Math = l.mathArgs(e, l.callee(e).Name())
	for v := range l.info.TypeOf(e).(*types.Tuple).Variables() {
		results = append(results, l.typ(v.Type()))
	}
	return do, results
}

// mathArgs lowers a call of a function of package math.
func (l *lowerer) mathArgs(e *ast.CallExpr, name string) *kernel.Math {
	m := &kernel.Math{At: kernel.At{At: l.pos(e.Pos())}, Name: name}
	if !l.isTuple(e) {
		m.T = l.typ(l.info.TypeOf(e))
	}
	if call := l.forwarded(e); call != nil {
		m.Args = refs(l.into(call), m.At.At)
		return m
	}
	for _, a := range e.Args {
		m.Args = append(m.Args, l.expr(a))
	}
	return m
}

// builtin lowers len and cap of arrays, min and max.
func (l *lowerer) builtin(e *ast.CallExpr, name string) kernel.Expr {
	at := l.at(e)
	if name == "len" || name == "cap" {
		if isSlice(l.info.TypeOf(e.Args[0])) {
			l.effect(e.Args[0])
			return l.length(l.sliced(e.Args[0]), at.At)
		}
		a, _ := array(l.info.TypeOf(e.Args[0]))
		l.effect(e.Args[0])
		return number(a.Len(), at.T, at.At)
	}
	if name == "complex" || name == "real" || name == "imag" {
		return l.complexBuiltin(e, name)
	}
	m := &kernel.Math{At: at, Name: name}
	for _, a := range e.Args {
		m.Args = append(m.Args, l.as(a, at.T.(kernel.Basic)))
	}
	if len(m.Args) == 1 {
		return m.Args[0]
	}
	return m
}

// conversion lowers T(x). One without effect is omitted, unless it rounds a float that may be a
// product, which the target must then not contract with a sum.
func (l *lowerer) conversion(e *ast.CallExpr) kernel.Expr {
	x := l.expr(e.Args[0])
	if isComplex(l.info.TypeOf(e)) {
		return l.complexConversion(e, x)
	}
	t := l.typ(l.info.TypeOf(e))
	to, ok := t.(kernel.Basic)
	if !ok {
		return x
	}
	if x.Type() == t && !(loop.Scalar(to).Float() && mayBeProduct(x)) {
		return x
	}
	return &kernel.Convert{At: l.at(e), X: x}
}

// mayBeProduct reports whether x may be an unrounded product; variables may hold one, too.
func mayBeProduct(x kernel.Expr) bool {
	switch x := x.(type) {
	case *kernel.Lit, *kernel.ConstRef, *kernel.Convert, *kernel.Math:
		return false
	case *kernel.Unary:
		return mayBeProduct(x.X)
	}
	return true
}

// effect evaluates e only for its side effects.
func (l *lowerer) effect(e ast.Expr) {
	e = ast.Unparen(e)
	call, ok := e.(*ast.CallExpr)
	if !ok || l.function(call) == nil {
		switch {
		case ok && (l.builtinOf(call) == "copy" || l.builtinOf(call) == "clear"):
			l.copyOrClear(call)
		case isPointer(l.info.TypeOf(e)), isSlice(l.info.TypeOf(e)):
			l.pointer(e)
		case l.constant(e) != nil:
		case l.isTuple(e):
			l.mathArgs(call, "")
		default:
			l.expr(e)
		}
		return
	}
	c, _ := l.userCall(call)
	do := &kernel.Do{Call: c, Pos: c.At.At}
	if n := len(c.Func.Results); n > 1 || n == 1 && kernel.Is[*kernel.Array](c.T) {
		do.Into = make([]*kernel.Var, n)
	}
	l.Emit(do)
}

func (l *lowerer) isTuple(e ast.Expr) bool { return kernel.Is[*types.Tuple](l.info.TypeOf(e)) }

// called returns the function that is called, for the lengths of the arguments.
func (l *lowerer) called(e *ast.CallExpr) *function {
	obj := l.function(e)
	params := obj.Signature().Params()
	var lengths [][]kernel.Length
	for i := range params.Len() {
		if n := sliceLevels(params.At(i).Type()); n > 0 {
			lengths = append(lengths, make([][]kernel.Length, i+1-len(lengths))...)
			lengths[i] = lengthsOf(l.sliced(e.Args[i]), n)
		}
	}
	return l.instanceOf(obj, lengths)
}

// begin starts the expressions of one statement, which are evaluated together, in the given order.
func (l *lowerer) begin(exprs ...ast.Expr) {
	l.impure = 0
	for _, e := range exprs {
		if e == nil {
			continue
		}
		l.impure += l.impureCalls(e)
	}
}

// impureCalls returns the number of calls in e that change something.
func (l *lowerer) impureCalls(e ast.Expr) int {
	n := 0
	ast.Inspect(e, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok && l.isImpure(call) {
			n++
		}
		return true
	})
	return n
}

// isImpure reports whether a call changes something.
func (l *lowerer) isImpure(call *ast.CallExpr) bool {
	return l.function(call) != nil && !l.called(call).pure
}
