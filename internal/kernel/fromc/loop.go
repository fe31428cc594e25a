package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

// iteration lowers the loops of C99 6.8.5 to For: a while loop is one without a first and a last part.
func (f *lowering) iteration(s *cc.IterationStatement) {
	switch s.Case {
	case cc.IterationStatementWhile:
		f.forLoop(s, nil, s.ExpressionList, nil)
	case cc.IterationStatementDo:
		f.doWhile(s)
	case cc.IterationStatementFor:
		f.forLoop(s, func() {
			if s.ExpressionList != nil {
				f.effect(s.ExpressionList)
			}
		}, s.ExpressionList2, s.ExpressionList3)
	case cc.IterationStatementForDecl:
		f.forLoop(s, func() { f.declaration(s.Declaration) }, s.ExpressionList, s.ExpressionList2)
	}
}

// forLoop lowers for and while. Statements that the condition needs go to the start of the body,
// with the condition; a post statement that is more than one assignment goes to the end of the
// body.
//
// The order of C is kept (C99 6.8.5.3): the condition is evaluated before each iteration, also after a continue,
// which goes on with Post and then the start of the body. A post statement at the end of the body would be jumped
// over by a continue; continuable prevents that.
func (f *lowering) forLoop(s *cc.IterationStatement, init func(), cond, post cc.ExpressionNode) {
	pos := f.at(s)
	loop := &kernel.For{Body: &kernel.Block{}, Pos: pos}
	outer := f.Block(func() {
		if init != nil {
			init()
		}
		if len(f.Out) == 1 && startsLoop(f.Out[0]) {
			loop.Init, f.Out = f.Out[0], nil
		}
		head := f.Collect(func() { loop.Cond = f.loopCond(loop, cond) })
		var tail []kernel.Stmt
		if post != nil {
			tail = f.Collect(func() { f.effect(post) })
		}
		if len(tail) == 1 {
			if a, ok := tail[0].(*kernel.Assign); ok {
				loop.Post, tail = a, nil
			}
		}
		var body []kernel.Stmt
		if len(tail) == 0 {
			f.within(&scope{leave: loop, next: loop}, func() { body = f.body(s.Statement).Stmts })
		} else {
			body = append(f.continuable(loop, s.Statement), tail...)
		}
		loop.Body.Stmts = append(head, body...)
		f.Emit(loop)
	})
	if len(outer.Stmts) == 1 {
		f.Emit(outer.Stmts[0])
	} else {
		f.Emit(outer)
	}
}

// startsLoop reports whether a statement can be the Init of a loop in the IR.
func startsLoop(s kernel.Stmt) bool {
	switch s.(type) {
	case *kernel.Decl, *kernel.Assign:
		return true
	}
	return false
}

// loopCond returns the condition of loop. If it needs statements, they are emitted with it, as a
// break; it is nil then, or if it is always true.
func (f *lowering) loopCond(loop *kernel.For, cond cc.ExpressionNode) kernel.Expr {
	if cond == nil {
		return nil
	}
	var c kernel.Expr
	before := f.Collect(func() { c = f.cond(cond) })
	if value, known := kernel.Truth(c); known && value && len(before) == 0 {
		return nil
	}
	if len(before) == 0 {
		return c
	}
	f.Emit(before...)
	f.Emit(kernel.NewLeave(loop, c))
	return nil
}

// continuable returns the body of loop such that continue goes on with what comes after it: if there is a
// continue, the body is wrapped in a Switch of one case, which continue leaves. The IR has no other jump to the end of
// a block; break still leaves the loop, since its target is the loop itself.
func (f *lowering) continuable(loop *kernel.For, s *cc.Statement) []kernel.Stmt {
	body := &kernel.Switch{Pos: f.at(s)}
	var stmts []kernel.Stmt
	in := f.within(&scope{leave: loop, next: body, once: true}, func() { stmts = f.body(s).Stmts })
	if !in.continued {
		return stmts
	}
	body.Cases = []*kernel.Case{{Default: true, Body: &kernel.Block{Stmts: stmts}}}
	return []kernel.Stmt{body}
}

// doWhile lowers do to a loop without a condition that breaks at its end. If the condition is always false,
// as in the idiom do { ... } while (0), it is just its body.
func (f *lowering) doWhile(s *cc.IterationStatement) {
	pos := f.at(s)
	if e := folded(s.ExpressionList); e != nil && kernel.IsZero(e) {
		body := &kernel.Switch{Pos: pos}
		var stmts []kernel.Stmt
		in := f.within(&scope{leave: body, next: body, once: true}, func() { stmts = f.body(s.Statement).Stmts })
		block := &kernel.Block{Stmts: stmts}
		if !in.left && !in.continued {
			f.Emit(block)
			return
		}
		body.Cases = []*kernel.Case{{Default: true, Body: block}}
		f.Emit(body)
		return
	}
	loop := &kernel.For{Body: &kernel.Block{}, Pos: pos}
	body := f.continuable(loop, s.Statement)
	loop.Body.Stmts = append(body, f.Collect(func() {
		c := f.cond(s.ExpressionList)
		if value, known := kernel.Truth(c); !known || !value {
			f.Emit(kernel.NewLeave(loop, c))
		}
	})...)
	f.Emit(loop)
}
