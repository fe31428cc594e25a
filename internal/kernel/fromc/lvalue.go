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
	cfg, sources := in.configure("", nil)
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
	if a, ok := n.(*cc.AssignmentExpression); ok {
		return a.UnaryExpression
	}
	operand, _, _ := stepping(n)
	return operand
}

// The value of a ++ or -- expression.
const (
	dropped = iota
	old
	updated
)

// stepping returns the operand of ++ or --, what is done to it with 1, and which of its values the expression has; nil
// if n is something else.
func stepping(n cc.Node) (operand cc.ExpressionNode, op kernel.Op, value int) {
	switch n := n.(type) {
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc:
			return n.PostfixExpression, kernel.Add, old
		case cc.PostfixExpressionDec:
			return n.PostfixExpression, kernel.Sub, old
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc:
			return n.UnaryExpression, kernel.Add, updated
		case cc.UnaryExpressionDec:
			return n.UnaryExpression, kernel.Sub, updated
		}
	}
	return nil, kernel.None, dropped
}

// unparen returns n without parentheses around it.
func unparen(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || p.Case != cc.PrimaryExpressionExpr {
			return n
		}
		n = p.ExpressionList
	}
}

// isLvalue reports whether an expression designates an object (C99 6.3.2.1).
func isLvalue(n cc.ExpressionNode) bool {
	switch n := unparen(n).(type) {
	case *cc.PrimaryExpression:
		return n.Case == cc.PrimaryExpressionIdent
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
