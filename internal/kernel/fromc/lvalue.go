package fromc

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

// noVariable finds assignments to values other than variables. The parser only reports that something
// went wrong.
func noVariable(in input) (problems []kernel.Problem) {
	defer func() {
		if recover() != nil {
			problems = nil
		}
	}()
	cfg, sources, err := configure(in.file, in.text, "", nil)
	if err != nil {
		return nil
	}
	ast, err := cc.Parse(cfg, sources)
	if err != nil || ast == nil {
		return nil
	}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		nodes(l.ExternalDeclaration, func(n cc.Node) {
			if target := changed(n); target != nil && !isLvalue(target) {
				problems = append(problems, kernel.Problem{
					Pos: in.origin(at(target)),
					Msg: fmt.Sprintf("%s is no variable, and is assigned to", cc.NodeSource(target)),
				})
			}
		})
	}
	return problems
}

// changed returns the operand that n assigns to, if any.
func changed(n cc.Node) cc.ExpressionNode {
	switch n := n.(type) {
	case *cc.AssignmentExpression:
		if n.Case != cc.AssignmentExpressionCond {
			return n.UnaryExpression
		}
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec {
			return n.PostfixExpression
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
			return n.UnaryExpression
		}
	}
	return nil
}

// isLvalue reports whether an expression designates an object (C99 6.3.2.1).
func isLvalue(n cc.ExpressionNode) bool {
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		return n.Case == cc.PrimaryExpressionIdent || n.Case == cc.PrimaryExpressionExpr && isLvalue(n.ExpressionList)
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionComplit:
			return true
		}
	case *cc.UnaryExpression:
		return n.Case == cc.UnaryExpressionDeref || n.Case == cc.UnaryExpressionReal || n.Case == cc.UnaryExpressionImag
	}
	return false
}
