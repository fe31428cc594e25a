package fromc

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

// maxRange limits the number of values that `case a ... b` may stand for.
const maxRange = 256

// switchStatement lowers a switch whose cases are on the top level of its block. A label deeper in, as in Duff's device,
// jumps into a block, for which the IR has no means.
func (f *lowering) switchStatement(s *cc.SelectionStatement) {
	if s.Statement == nil || s.Statement.Case != cc.StatementCompound {
		f.lost = true
		return
	}
	sw := &kernel.Switch{Pos: f.at(s)}
	sw.Tag = promoted(f.expr(s.ExpressionList))
	if !kernel.Scalar(sw.Tag.Type()).Integer() {
		f.u.problem(s.ExpressionList, "convert it, or write if and else", "a switch over %s, which is no integer", cc.NodeSource(s.ExpressionList))
		f.lost = true
		return
	}
	var declared []kernel.Stmt
	f.within(&scope{leave: sw}, func() { declared = f.cases(sw, s.Statement.CompoundStatement.BlockItemList) })
	f.Emit(append(declared, sw)...)
	for i, c := range sw.Cases {
		finishCase(sw, c, i == len(sw.Cases)-1)
	}
}

// cases fills sw and returns the declarations on its top level, whose scope is the whole switch. A case gets what
// follows its labels up to the next ones; whether it falls through into them is seen at its end, by finishCase.
func (f *lowering) cases(sw *kernel.Switch, l *cc.BlockItemList) (declared []kernel.Stmt) {
	var current *kernel.Case
	add := func(stmts []kernel.Stmt) {
		if current != nil { // what precedes the first case is never executed
			current.Body.Stmts = append(current.Body.Stmts, stmts...)
		}
	}
	for ; l != nil; l = l.BlockItemList {
		i := l.BlockItem
		if i.Case == cc.BlockItemDecl {
			stmts := f.Collect(func() { f.declaration(i.Declaration) })
			decls, rest := splitDecls(stmts)
			declared = append(declared, decls...)
			add(rest)
			continue
		}
		if i.Case != cc.BlockItemStmt {
			continue
		}
		s, labels := f.labels(sw, i.Statement)
		if labels != nil {
			labels.Body = &kernel.Block{}
			sw.Cases = append(sw.Cases, labels)
			current = labels
		}
		add(f.Collect(func() { f.statement(s) }))
	}
	return declared
}

// splitDecls separates declarations, without values, from their initializations as assignments: a later case may use
// the variable of an earlier one, whose initialization the jump has skipped (C99 6.8.4.2).
func splitDecls(stmts []kernel.Stmt) (decls, rest []kernel.Stmt) {
	for _, s := range stmts {
		d, ok := s.(*kernel.Decl)
		if !ok {
			rest = append(rest, s)
			continue
		}
		decls = append(decls, &kernel.Decl{Var: d.Var, Pos: d.Pos})
		if d.Init != nil {
			rest = append(rest, &kernel.Assign{L: kernel.NewRef(d.Var, d.Pos), R: d.Init, Pos: d.Pos})
		}
	}
	return decls, rest
}

// labels strips the case labels from s, of which several in a row are one case with several values. The case is nil if
// there are none.
func (f *lowering) labels(sw *kernel.Switch, s *cc.Statement) (*cc.Statement, *kernel.Case) {
	var c *kernel.Case
	for s != nil && s.Case == cc.StatementLabeled {
		l := s.LabeledStatement
		if l.Case == cc.LabeledStatementLabel {
			s = l.Statement
			continue
		}
		if c == nil {
			c = &kernel.Case{}
		}
		switch l.Case {
		case cc.LabeledStatementDefault:
			f.notTwice(sw, c, l, nil)
			c.Default = true
		case cc.LabeledStatementCaseLabel:
			f.caseValues(sw, c, l.ConstantExpression, l.ConstantExpression)
		case cc.LabeledStatementRange:
			f.caseValues(sw, c, l.ConstantExpression, l.ConstantExpression2)
		}
		s = l.Statement
	}
	return s, c
}

// caseValues adds the values of a label: one, or the range of GNU C's case 1 ... 3.
func (f *lowering) caseValues(sw *kernel.Switch, c *kernel.Case, first, last cc.ExpressionNode) {
	lo, ok1 := kernel.IntOf(folded(first))
	hi, ok2 := kernel.IntOf(folded(last))
	if !ok1 || !ok2 || hi < lo || uint64(hi-lo) >= maxRange {
		f.lost = true
		return
	}
	for i := lo; i <= hi; i++ {
		v := number(i, kernel.Scalar(sw.Tag.Type()), f.at(first))
		f.notTwice(sw, c, first, v)
		c.Values = append(c.Values, v)
	}
}

// notTwice refuses a value that the switch has a case for already; nil is the default.
func (f *lowering) notTwice(sw *kernel.Switch, current *kernel.Case, n cc.Node, v *kernel.Lit) {
	for _, c := range append(slices.Clone(sw.Cases), current) {
		switch {
		case v == nil && c.Default:
			f.u.problem(n, "leave one of them", "the switch has a default already")
			return
		case v != nil && slices.ContainsFunc(c.Values, func(w kernel.Expr) bool { return kernel.SameExpr(v, w) }):
			f.u.problem(n, "leave one of them", "the switch has a case for %s already", v.Value)
			return
		}
	}
}

// finishCase removes the break at the end of c; without one c falls through.
func finishCase(sw *kernel.Switch, c *kernel.Case, last bool) {
	c.Fallthrough = !last && !kernel.Ends(c.Body)
	if n := len(c.Body.Stmts); n > 0 {
		if b, ok := c.Body.Stmts[n-1].(*kernel.Branch); ok && b.Target == sw {
			c.Body.Stmts = c.Body.Stmts[:n-1]
		}
	}
}
