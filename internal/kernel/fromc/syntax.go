package fromc

import (
	"reflect"
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

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

// nodes visits n and all nodes of the syntax tree below it.
func nodes(n cc.Node, visit func(cc.Node)) {
	v := reflect.ValueOf(n)
	if n == nil || v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	visit(n)
	v = v.Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Pointer && f.Kind() != reflect.Interface || f.IsNil() || !v.Type().Field(i).IsExported() {
			continue
		}
		if child, ok := f.Interface().(cc.Node); ok {
			nodes(child, visit)
		}
	}
}

// identifiers returns the uses of identifiers below n, in source order: the tree is walked in the order of its fields,
// which is another one for some productions of the grammar.
func identifiers(n cc.Node) []*cc.PrimaryExpression {
	var out []*cc.PrimaryExpression
	nodes(n, func(n cc.Node) {
		if p, ok := n.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
			out = append(out, p)
		}
	})
	slices.SortStableFunc(out, func(a, b *cc.PrimaryExpression) int { return at(a).Compare(at(b)) })
	return out
}

// isPointer reports whether n is a pointer, or an array that becomes one.
func isPointer(n cc.ExpressionNode) bool {
	k := n.Type().Kind()
	return k == cc.Ptr || k == cc.Array || k == cc.Function
}

// operation is a binary operation: its operator and operands.
type operation struct {
	op   kernel.Op
	x, y cc.ExpressionNode
}

// split returns the binary operation that n is, if it is one.
func split(n cc.ExpressionNode) (o operation, ok bool) {
	of := func(x cc.ExpressionNode, op cc.Token, y cc.ExpressionNode) (operation, bool) {
		return operation{kernel.BinaryOp(op.SrcStr()), x, y}, true
	}
	switch n := n.(type) {
	case *cc.AdditiveExpression:
		return of(n.AdditiveExpression, n.Token, n.MultiplicativeExpression)
	case *cc.MultiplicativeExpression:
		return of(n.MultiplicativeExpression, n.Token, n.CastExpression)
	case *cc.ShiftExpression:
		return of(n.ShiftExpression, n.Token, n.AdditiveExpression)
	case *cc.AndExpression:
		return of(n.AndExpression, n.Token, n.EqualityExpression)
	case *cc.InclusiveOrExpression:
		return of(n.InclusiveOrExpression, n.Token, n.ExclusiveOrExpression)
	case *cc.ExclusiveOrExpression:
		return of(n.ExclusiveOrExpression, n.Token, n.AndExpression)
	case *cc.EqualityExpression:
		return of(n.EqualityExpression, n.Token, n.RelationalExpression)
	case *cc.RelationalExpression:
		return of(n.RelationalExpression, n.Token, n.ShiftExpression)
	case *cc.LogicalAndExpression:
		return of(n.LogicalAndExpression, n.Token, n.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		return of(n.LogicalOrExpression, n.Token, n.LogicalAndExpression)
	}
	return operation{}, false
}

// identifier returns the variable that n is, in parentheses or not; nil if it is none.
func identifier(n cc.ExpressionNode) *cc.Declarator {
	p, _ := unparen(n).(*cc.PrimaryExpression)
	return declared(p)
}

// declared returns the variable or function that n names; nil if it is none.
func declared(n *cc.PrimaryExpression) *cc.Declarator {
	if n == nil || n.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	d, _ := n.ResolvedTo().(*cc.Declarator)
	return d
}

// base returns the identifier at the bottom of an lvalue, whose memory it is in; nil if there is none. Of a sum or
// subscript that is the pointer's, of a call there is none.
func base(n cc.ExpressionNode) *cc.PrimaryExpression {
	for n != nil {
		switch x := unparen(n).(type) {
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionIdent {
				return nil
			}
			return x
		case *cc.PostfixExpression:
			n = x.PostfixExpression
			if x.Case == cc.PostfixExpressionIndex && !isPointer(n) {
				n = x.ExpressionList
			}
			if x.Case == cc.PostfixExpressionCall {
				return nil
			}
		case *cc.UnaryExpression:
			n = x.CastExpression
		case *cc.CastExpression:
			n = x.CastExpression
		case *cc.AdditiveExpression:
			n = x.AdditiveExpression
			if !isPointer(n) {
				n = x.MultiplicativeExpression
			}
		default:
			return nil
		}
	}
	return nil
}

// atFileScope reports whether d is outside all functions.
func atFileScope(d *cc.Declarator) bool {
	if d.IsSynthetic() {
		return true
	}
	if d.IsParam() {
		return false
	}
	s := d.LexicalScope()
	return s != nil && s.Parent == nil || d.IsExtern() || d.Type().Kind() == cc.Function
}

func arguments(n *cc.PostfixExpression) (args []cc.ExpressionNode) {
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		args = append(args, l.AssignmentExpression)
	}
	return args
}

// array returns the variable, or the field of one, that the pointer n leads into; nil if it is neither.
func array(n cc.ExpressionNode) cc.ExpressionNode {
	switch x := unparen(n).(type) {
	case *cc.AdditiveExpression:
		if isPointer(x.AdditiveExpression) {
			return array(x.AdditiveExpression)
		}
		return array(x.MultiplicativeExpression)
	case *cc.UnaryExpression:
		if e, ok := x.CastExpression.(*cc.PostfixExpression); ok && x.Case == cc.UnaryExpressionAddrof && e.Case == cc.PostfixExpressionIndex && isPointer(e.PostfixExpression) {
			return array(e.PostfixExpression)
		}
	case *cc.PostfixExpression:
		if isField(x) {
			return x
		}
	}
	if id := base(n); id != nil {
		return id
	}
	return nil
}

// isField reports whether n is a field of a variable.
func isField(n *cc.PostfixExpression) bool {
	if n.Case != cc.PostfixExpressionSelect && n.Case != cc.PostfixExpressionPSelect {
		return false
	}
	of, field := n.PostfixExpression.(*cc.PostfixExpression)
	return field && isField(of) || identifier(n.PostfixExpression) != nil
}

// sameArray reports whether x and y, of array, are the same.
func sameArray(x, y cc.ExpressionNode) bool {
	a, b := base(x), base(y)
	return a != nil && b != nil && a.ResolvedTo() == b.ResolvedTo() && cc.NodeSource(x) == cc.NodeSource(y)
}

// hasType reports whether one of the specifiers of a declaration is a type.
func hasType(s *cc.DeclarationSpecifiers) bool {
	for ; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersTypeSpec {
			return true
		}
	}
	return false
}

// leaves returns the expressions in an initializer. Each knows its offset.
func leaves(l *cc.InitializerList) (out []*cc.Initializer) {
	for ; l != nil; l = l.InitializerList {
		if l.Initializer.Case == cc.InitializerInitList {
			out = append(out, leaves(l.Initializer.InitializerList)...)
		} else {
			out = append(out, l.Initializer)
		}
	}
	return out
}
