package fromgo

import (
	"go/ast"

	"github.com/go-op2/op2/internal/kernel"
)

// forStmt lowers a for loop. A condition that needs statements becomes a break at the start of the
// body; a post statement that is more than one assignment is moved to the end of the body, and
// before each continue.
func (l *lowerer) forStmt(s *ast.ForStmt, label string) {
	k := &kernel.For{Pos: l.pos(s.Pos())}
	var init []kernel.Stmt
	if s.Init != nil {
		init = l.Collect(func() { l.stmt(s.Init) })
	}
	body := l.Collect(func() { l.loopCondition(s.Cond, k) })
	post := l.Collect(func() {
		if s.Post != nil {
			l.stmt(s.Post)
		}
	})
	t := target{stmt: k, label: label}
	switch {
	case len(post) == 0:
	case len(post) == 1 && kernel.Is[*kernel.Assign](post[0]):
		k.Post = post[0]
	default:
		t.post = s.Post
	}
	body = append(body, l.loopBody(t, s.Body).Stmts...)
	if t.post != nil {
		body = append(body, post...)
	}
	k.Body = &kernel.Block{Stmts: body}
	if len(init) == 1 && isLoopInit(init[0]) {
		k.Init = init[0]
		init = nil
	}
	if init == nil {
		l.Emit(k)
		return
	}
	l.Emit(&kernel.Block{Stmts: append(init, k)})
}

// loopCondition sets the condition of k, or emits a break.
func (l *lowerer) loopCondition(cond ast.Expr, k *kernel.For) {
	if cond == nil {
		return
	}
	l.begin(cond)
	c := l.whole(cond)
	if len(l.Out) == 0 {
		k.Cond = c
		return
	}
	l.Emit(kernel.NewLeave(k, c))
}

func (l *lowerer) loopBody(t target, body *ast.BlockStmt) *kernel.Block {
	l.targets = append(l.targets, t)
	b := l.block(body)
	l.targets = l.targets[:len(l.targets)-1]
	return b
}

// isLoopInit reports whether s may be the Init of a For: an assignment or
// declaration of a scalar.
func isLoopInit(s kernel.Stmt) bool {
	switch s := s.(type) {
	case *kernel.Decl:
		return kernel.Is[kernel.Basic](s.Var.Type)
	case *kernel.Assign:
		return kernel.Is[kernel.Basic](s.L.Type())
	}
	return false
}
