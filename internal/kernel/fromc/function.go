package fromc

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

// function lowers def, whose callees have been lowered. If the IR has no means for it, f.lost is set, and
// analysis assumes the worst: the body of the kernel is one Opaque with all parameters, and other functions
// have no IR, so that their calls are Opaque.
func (u *unit) function(def *cc.FunctionDefinition) *callee {
	name := def.Declarator.NameTok()
	f := &lowering{
		u:   u,
		def: def,
		fun: &kernel.Func{
			C:    true,
			Name: name.SrcStr(),
			Pos:  u.at(name),
			End:  u.at(def.CompoundStatement.Token2),
		},
		vars:    map[*cc.Declarator]*kernel.Var{},
		null:    map[*kernel.Var]bool{},
		files:   map[string]*kernel.Var{},
		aliases: map[*cc.Declarator]pointer{},
		moving:  map[*cc.Declarator]*kernel.Var{},
	}
	f.signature(def)
	switch n, what := unsupported(def); {
	case n == nil:
	case what == nestedFunction:
		f.u.problem(n, "define it outside", "%s", what)
	default:
		f.lost = true
		f.u.untracked = append(f.u.untracked, kernel.Problem{Pos: u.at(n), Msg: what + ": what " + f.fun.Name + " reads and changes is not seen"})
	}
	if !f.lost {
		body := f.Collect(func() {
			f.moveParameters()
			f.items(def.CompoundStatement.BlockItemList)
		})
		f.fun.Body = &kernel.Block{Stmts: append(f.copies, body...)}
		if !kernel.Has[*kernel.Opaque](f.fun.Body) {
			ownCounters(f.fun.Body)
		}
	}
	c := &callee{def: def, fun: f.fun}
	switch {
	case !f.lost:
		c.pure = harmless(f.fun)
	case f.fun.Name == u.name:
		f.fun.Body = f.unknownBody()
	default:
		c.fun = nil
	}
	return c
}

// signature declares the parameters and results.
func (f *lowering) signature(def *cc.FunctionDefinition) {
	t, ok := def.Declarator.Type().(*cc.FunctionType)
	if !ok || t.IsVariadic() || def.DeclarationList != nil {
		f.lost = true
		return
	}
	if t.Result().Kind() != cc.Void {
		result := f.u.value(t.Result())
		f.lost = f.lost || result == nil
		f.fun.Results = []kernel.Type{result}
	}
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		kt := f.u.value(p.Type())
		if p.Type().Kind() == cc.Ptr {
			kt = f.u.parameter(p.Type())
		}
		f.lost = f.lost || kt == nil
		v := &kernel.Var{Name: p.Name(), Type: kt, Pos: f.at(p), Const: isConst(leaf(p.Type()))}
		if p.Declarator != nil {
			f.vars[p.Declarator] = v
		}
		if f.fun.Name == f.u.name {
			n := len(f.fun.Params)
			f.null[v] = n < len(f.u.in.shapes) && f.u.in.shapes[n].LeftOut
		}
		f.fun.Params = append(f.fun.Params, v)
	}
}

// unknownBody returns the body of a kernel that may do anything.
func (f *lowering) unknownBody() *kernel.Block {
	all := &kernel.Opaque{At: kernel.At{T: none, At: f.fun.Pos}}
	for _, p := range f.fun.Params {
		all.Parts = append(all.Parts, kernel.NewRef(p, p.Pos))
	}
	return &kernel.Block{Stmts: []kernel.Stmt{&kernel.Do{X: all, Pos: f.fun.Pos}}}
}

const nestedFunction = "a function in a function"

// unsupported returns the first place in def that the IR has no means for, and a word for it: a goto,
// assembly, or an extension of C. The node is nil if there is none.
func unsupported(def *cc.FunctionDefinition) (first cc.Node, what string) {
	nodes(def.CompoundStatement, func(n cc.Node) {
		found := ""
		switch n := n.(type) {
		case *cc.JumpStatement:
			if n.Case == cc.JumpStatementGoto || n.Case == cc.JumpStatementGotoExpr {
				found = "goto"
			}
		case *cc.PrimaryExpression:
			if n.Case == cc.PrimaryExpressionStmt {
				found = "a statement as an expression"
			}
		case *cc.BlockItem:
			if n.Case == cc.BlockItemFuncDef {
				found = nestedFunction
			}
		case *cc.AsmStatement:
			found = "asm"
		}
		if found != "" && first == nil {
			first, what = n, found
		}
	})
	return first, what
}

// harmless reports whether a call of f changes nothing but f's own variables: such a call may stay in the middle of an
// expression, where others become statements in front of it.
func harmless(f *kernel.Func) bool {
	pointer := func(e kernel.Expr) bool { return kernel.Is[*kernel.Pointer](e.Type()) }
	leaks := func(o *kernel.Opaque) bool { return slices.ContainsFunc(o.Parts, pointer) }
	return !slices.ContainsFunc(kernel.All[*kernel.Opaque](f.Body), leaks) && kernel.Pure(f)
}
