package fromgo

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

func (l *lowerer) list(stmts []ast.Stmt) {
	for _, s := range stmts {
		l.stmt(s)
	}
}

func (l *lowerer) block(b *ast.BlockStmt) *kernel.Block {
	return l.Block(func() { l.list(b.List) })
}

func (l *lowerer) stmt(s ast.Stmt) {
	label := l.label
	l.label = ""
	switch s := s.(type) {
	case *ast.LabeledStmt:
		l.label = s.Label.Name
		l.stmt(s.Stmt)
	case *ast.BlockStmt:
		l.Emit(l.block(s))
	case *ast.ExprStmt:
		l.begin(s.X)
		if x := ast.Unparen(s.X); l.printing(x) != "" {
			l.print(x.(*ast.CallExpr))
		} else {
			l.effect(x)
		}
	case *ast.DeclStmt:
		l.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.AssignStmt:
		l.assignStmt(s)
	case *ast.IncDecStmt:
		l.increment(s)
	case *ast.IfStmt:
		l.scope(s.Init, func() { l.ifStmt(s) })
	case *ast.ForStmt:
		l.forStmt(s, label)
	case *ast.RangeStmt:
		l.rangeStmt(s, label)
	case *ast.SwitchStmt:
		l.scope(s.Init, func() { l.switchStmt(s, label) })
	case *ast.BranchStmt:
		l.branch(s)
	case *ast.ReturnStmt:
		l.returnStmt(s)
	}
}

// scope lowers a statement with an init statement, in a block.
func (l *lowerer) scope(init ast.Stmt, f func()) {
	if init == nil {
		f()
		return
	}
	l.Emit(l.Block(func() {
		l.stmt(init)
		f()
	}))
}

// ifStmt lowers an if without its init statement.
func (l *lowerer) ifStmt(s *ast.IfStmt) {
	l.begin(s.Cond)
	k := &kernel.If{Cond: l.whole(s.Cond), Pos: l.pos(s.Pos())}
	k.Then = l.block(s.Body)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		k.Else = l.block(e)
	case *ast.IfStmt:
		k.Else = elseOf(l.Collect(func() { l.stmt(e) }))
	}
	l.Emit(k)
}

func elseOf(stmts []kernel.Stmt) kernel.Stmt {
	if len(stmts) == 1 {
		switch s := stmts[0].(type) {
		case *kernel.If, *kernel.Block:
			return s
		}
	}
	return &kernel.Block{Stmts: stmts}
}

func (l *lowerer) branch(s *ast.BranchStmt) {
	proceed := s.Tok == token.CONTINUE
	for _, t := range slices.Backward(l.targets) {
		if s.Label != nil && s.Label.Name != t.label || s.Label == nil && proceed && !kernel.Is[*kernel.For](t.stmt) {
			continue
		}
		if proceed && t.post != nil {
			l.stmt(t.post)
		}
		l.Emit(&kernel.Branch{Continue: proceed, Target: t.stmt, Pos: l.pos(s.Pos())})
		return
	}
}

func (l *lowerer) returnStmt(s *ast.ReturnStmt) {
	k := &kernel.Return{Pos: l.pos(s.Pos())}
	l.begin(s.Results...)
	switch {
	case len(s.Results) == 0:
		k.Results = refs(l.results, k.Pos)
	case len(s.Results) == 1 && l.isTuple(s.Results[0]):
		k.Results = refs(l.into(ast.Unparen(s.Results[0]).(*ast.CallExpr)), k.Pos)
	case len(s.Results) == 1 && !l.isArrayLiteral(s.Results[0]):
		k.Results = []kernel.Expr{l.whole(s.Results[0])}
	default:
		for _, r := range s.Results {
			if l.isArrayLiteral(r) { // needs no temporary: what it is stored in is new
				k.Results = append(k.Results, l.compositeValue(ast.Unparen(r).(*ast.CompositeLit)))
			} else {
				k.Results = append(k.Results, l.expr(r))
			}
		}
	}
	l.Emit(k)
}

// isArrayLiteral reports whether e is the literal of an array whose elements are numbers, structs, or such literals.
func (l *lowerer) isArrayLiteral(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok && isArray(l.info.TypeOf(e)) && !l.holdsArrays(c)
}
