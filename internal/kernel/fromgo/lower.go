package fromgo

import (
	"go/ast"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// lowerer lowers one function that refuser has accepted.
//
// Expressions of the IR are unordered, whereas Go orders calls. So a call that changes something,
// and every call before it, becomes a statement of its own in front of the one that contains it,
// with a variable for its result; all other expressions stay as they are. Each method that lowers
// an expression may therefore emit statements.
type lowerer struct {
	*builder
	decl    *ast.FuncDecl
	fn      *kernel.Func
	vars    map[types.Object]*kernel.Var
	views   map[types.Object]kernel.Expr // the places of variables that are slices
	counts  map[int]*kernel.Var          // the parameters that lead to lengths of slices
	results []*kernel.Var                // if they have names
	out     []kernel.Stmt                // of the current list
	targets []target                     // the loops and switches around the current statement
	label   string                       // of the current statement
	missing map[types.Object]bool        // the kernel's parameters that the call leaves out

	// impure is the number of calls that change something and are still to come in the current
	// expressions.
	impure int
}

// lower lowers a function, with these lengths of the slices among its parameters. Callees that take
// no slices have been lowered.
func (b *builder) lower(d *ast.FuncDecl, lengths [][]kernel.Length) *function {
	obj := b.info.Defs[d.Name].(*types.Func)
	l := &lowerer{
		builder: b,
		decl:    d,
		fn:      &kernel.Func{Name: b.funcName(obj), Pos: b.pos(d.Name.Pos()), End: b.pos(d.Body.Rbrace)},
		vars:    map[types.Object]*kernel.Var{},
		views:   map[types.Object]kernel.Expr{},
		counts:  map[int]*kernel.Var{},
		missing: map[types.Object]bool{},
	}
	l.signature(obj.Signature(), lengths)
	l.nameResults(obj.Signature())
	body := &kernel.Block{Stmts: l.collect(func() { l.list(d.Body.List) })}
	l.fn.Body = &kernel.Block{Stmts: append(l.collect(func() { l.declareResults(body) }), body.Stmts...)}
	return &function{Func: l.fn, pure: kernel.Pure(l.fn), stored: kernel.Stored(l.fn)}
}

// signature creates the parameters, of which the receiver of a method is the first one.
func (l *lowerer) signature(sig *types.Signature, lengths [][]kernel.Length) {
	if r := sig.Recv(); r != nil {
		v := &kernel.Var{Name: r.Name(), Type: l.typ(r.Type()), Pos: l.pos(r.Pos())}
		if v.Name == "" || v.Name == "_" {
			v.Name = "receiver"
		}
		l.vars[r] = v
		l.fn.Params = append(l.fn.Params, v)
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		v := &kernel.Var{Name: paramName(p, i), Pos: l.pos(p.Pos()), Slices: sliceLevels(p.Type())}
		if v.Slices > 0 {
			v.Type = &kernel.Pointer{Elem: l.arrayFor(p.Type(), lengths[i])}
		} else {
			v.Type = l.typ(p.Type())
		}
		l.vars[p] = v
		l.missing[p] = i < len(lengths) && len(lengths[i]) > 0 && lengths[i][0] == kernel.Length{}
		l.fn.Params = append(l.fn.Params, v)
	}
	l.countParams(lengths)
	for i := range sig.Results().Len() {
		l.fn.Results = append(l.fn.Results, l.typ(sig.Results().At(i).Type()))
	}
}

func (l *lowerer) nameResults(sig *types.Signature) {
	for i := range sig.Results().Len() {
		r := sig.Results().At(i)
		if r.Name() == "" {
			return
		}
		v := l.variable(r)
		if v.Name == "_" {
			v.Name = "result"
		}
		l.results = append(l.results, v)
	}
}

// declareResults declares the named results that the body uses: compilers warn about others.
func (l *lowerer) declareResults(body *kernel.Block) {
	used := map[*kernel.Var]bool{}
	for _, do := range kernel.All[*kernel.Do](body) {
		for _, v := range do.Into {
			used[v] = true
		}
	}
	for _, r := range kernel.All[*kernel.Ref](body) {
		used[r.Var] = true
	}
	for _, v := range l.results {
		if used[v] {
			l.emit(&kernel.Decl{Var: v, Pos: v.Pos})
		}
	}
}

func (l *lowerer) variable(obj types.Object) *kernel.Var {
	v := &kernel.Var{Name: obj.Name(), Type: l.typ(obj.Type()), Pos: l.pos(obj.Pos())}
	l.vars[obj] = v
	return v
}

// emit appends a statement to the current list.
func (l *lowerer) emit(s kernel.Stmt) { l.out = append(l.out, s) }

// collect returns the statements that f emits.
func (l *lowerer) collect(f func()) []kernel.Stmt {
	before := l.out
	l.out = nil
	f()
	stmts := l.out
	l.out = before
	return stmts
}

// temporary declares a variable that the source does not have; init may be nil.
func (l *lowerer) temporary(name string, t kernel.Type, init kernel.Expr, pos kernel.Pos) *kernel.Var {
	v := &kernel.Var{Name: name, Type: t, Pos: pos}
	l.emit(&kernel.Decl{Var: v, Init: init, Pos: pos})
	return v
}

// hoist stores the value of e in a temporary.
func (l *lowerer) hoist(name string, e kernel.Expr) kernel.Expr {
	return kernel.NewRef(l.temporary(name, e.Type(), e, e.Pos()), e.Pos())
}

// at returns the position and the lowered type of e.
func (l *lowerer) at(e ast.Expr) kernel.At {
	return kernel.At{T: l.typ(l.info.TypeOf(e)), At: l.pos(e.Pos())}
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

const (
	boolean = kernel.Basic(loop.Bool)
	integer = kernel.Basic(loop.Int64)
)
