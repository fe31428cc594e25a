package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

func (f *lowering) items(l *cc.BlockItemList) {
	for ; l != nil; l = l.BlockItemList {
		f.item(l.BlockItem)
	}
}

func (f *lowering) item(i *cc.BlockItem) {
	switch i.Case {
	case cc.BlockItemDecl:
		f.declaration(i.Declaration)
	case cc.BlockItemStmt:
		f.statement(i.Statement)
	}
}

// statement lowers a statement, by recursion on the tree of the parser. What the IR has no statement for gives up the
// function: f.lost.
func (f *lowering) statement(s *cc.Statement) {
	if s == nil {
		return
	}
	switch s.Case {
	case cc.StatementCompound:
		f.Emit(f.Block(func() { f.items(s.CompoundStatement.BlockItemList) }))
	case cc.StatementExpr:
		if e := s.ExpressionStatement.ExpressionList; e != nil {
			f.effect(e)
		}
	case cc.StatementSelection:
		f.selection(s.SelectionStatement)
	case cc.StatementIteration:
		f.iteration(s.IterationStatement)
	case cc.StatementJump:
		f.jump(s.JumpStatement)
	case cc.StatementLabeled:
		if s.LabeledStatement.Case != cc.LabeledStatementLabel {
			f.lost = true // a case inside a nested statement of the switch
			return
		}
		f.statement(s.LabeledStatement.Statement) // no goto leads here
	default:
		f.lost = true
	}
}

// selection lowers if and switch. What the condition changes is emitted in front of the if; in an else-if that is
// inside the else, which then remains a block.
func (f *lowering) selection(s *cc.SelectionStatement) {
	pos := f.at(s)
	if s.Case == cc.SelectionStatementSwitch {
		f.switchStatement(s)
		return
	}
	branch := &kernel.If{Cond: f.cond(s.ExpressionList), Pos: pos}
	branch.Then = f.body(s.Statement)
	if s.Case == cc.SelectionStatementIfElse {
		stmts := f.body(s.Statement2)
		branch.Else = stmts
		if len(stmts.Stmts) == 1 {
			if elseIf, ok := stmts.Stmts[0].(*kernel.If); ok {
				branch.Else = elseIf
			}
		}
	}
	f.Emit(branch)
}

// body lowers the body of a statement to one block, with braces in C or without.
func (f *lowering) body(s *cc.Statement) *kernel.Block {
	return f.Block(func() {
		if s != nil && s.Case == cc.StatementCompound {
			f.items(s.CompoundStatement.BlockItemList)
			return
		}
		f.statement(s)
	})
}

// jump lowers return, break and continue. Returned is a value of the type of the function; the value of a return in a
// function without result is evaluated for its effects.
func (f *lowering) jump(s *cc.JumpStatement) {
	pos := f.at(s)
	switch s.Case {
	case cc.JumpStatementReturn:
		r := &kernel.Return{Pos: pos}
		if s.ExpressionList != nil && len(f.fun.Results) == 0 {
			f.effect(s.ExpressionList)
		} else if s.ExpressionList != nil {
			r.Results = []kernel.Expr{f.as(s.ExpressionList, f.fun.Results[0])}
		}
		f.Emit(r)
	case cc.JumpStatementBreak:
		f.emitBreak(pos)
	case cc.JumpStatementContinue:
		f.emitContinue(pos)
	default:
		f.lost = true
	}
}
