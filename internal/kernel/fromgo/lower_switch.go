package fromgo

import (
	"go/ast"
	"go/constant"
	"go/token"

	"github.com/go-op2/op2/internal/kernel"
)

// switchStmt lowers a switch without its init statement. Its tag is evaluated once: unless all
// cases are integer constants, it is stored in a temporary.
func (l *lowerer) switchStmt(s *ast.SwitchStmt, label string) {
	k := &kernel.Switch{Pos: l.pos(s.Pos())}
	if s.Tag != nil && !l.isTrue(s.Tag) {
		l.begin(s.Tag)
		k.Tag = l.whole(s.Tag)
	}
	var values [][]kernel.Expr
	var before [][][]kernel.Stmt // the statements that each value needs
	simple, constants := true, true
	for _, c := range s.Body.List {
		vs, stmts := l.caseValues(c.(*ast.CaseClause))
		values = append(values, vs)
		before = append(before, stmts)
		for i, v := range vs {
			simple = simple && len(stmts[i]) == 0
			lit, ok := v.(*kernel.Lit)
			constants = constants && ok && lit.Value.Kind() == constant.Int
		}
	}
	if k.Tag != nil && !(constants && kernel.Scalar(k.Tag.Type()).Integer()) {
		if _, lit := k.Tag.(*kernel.Lit); !lit {
			k.Tag = l.Hoist("tag", k.Tag)
		}
	}
	if !simple {
		values = l.selection(k, values, before)
	}
	l.targets = append(l.targets, target{stmt: k, label: label})
	for i, c := range s.Body.List {
		k.Cases = append(k.Cases, l.caseClause(c.(*ast.CaseClause), values[i]))
	}
	l.targets = l.targets[:len(l.targets)-1]
	l.Emit(k)
}

func (l *lowerer) isTrue(e ast.Expr) bool {
	v := l.info.Types[e].Value
	return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v)
}

// caseValues lowers the values of a case, and the statements that each needs.
func (l *lowerer) caseValues(c *ast.CaseClause) (values []kernel.Expr, before [][]kernel.Stmt) {
	for _, e := range c.List {
		l.begin(e)
		stmts := l.Collect(func() { values = append(values, l.expr(e)) })
		before = append(before, stmts)
	}
	return values, before
}

func (l *lowerer) caseClause(c *ast.CaseClause, values []kernel.Expr) *kernel.Case {
	k := &kernel.Case{Values: values, Default: c.List == nil}
	stmts := c.Body
	if n := len(stmts); n > 0 {
		if b, ok := stmts[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
			k.Fallthrough = true
			stmts = stmts[:n-1]
		}
	}
	k.Body = l.Block(func() { l.list(stmts) })
	return k
}

// selection determines the number of the case that runs, if values need statements:
//
//	sel := -1
//	if sel < 0 { statements; if tag == value { sel = 0 } }
//	...
//
// It turns k into a switch on that number, and returns the values of its cases.
func (l *lowerer) selection(k *kernel.Switch, values [][]kernel.Expr, before [][][]kernel.Stmt) [][]kernel.Expr {
	pos := k.Pos
	sel := l.Temporary("sel", integer, number(-1, integer, pos), pos)
	numbers := make([][]kernel.Expr, len(values))
	for i, vs := range values {
		if len(vs) > 0 {
			numbers[i] = []kernel.Expr{number(int64(i), integer, pos)}
		}
		for j, v := range vs {
			at := kernel.At{T: boolean, At: v.Pos()}
			if k.Tag != nil {
				v = &kernel.Binary{At: at, Op: kernel.Eq, X: k.Tag, Y: v}
			}
			found := &kernel.Assign{L: kernel.NewRef(sel, pos), R: number(int64(i), integer, pos), Pos: pos}
			test := &kernel.If{Cond: v, Then: &kernel.Block{Stmts: []kernel.Stmt{found}}, Pos: v.Pos()}
			open := &kernel.Binary{At: at, Op: kernel.Lt, X: kernel.NewRef(sel, pos), Y: number(0, integer, pos)}
			l.Emit(&kernel.If{Cond: open, Then: &kernel.Block{Stmts: append(before[i][j], test)}, Pos: pos})
		}
	}
	k.Tag = kernel.NewRef(sel, pos)
	return numbers
}
