package fromgo

import (
	"go/ast"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// lowerer lowers one function that refuser has accepted.
//
// Expressions of the IR are unordered, whereas Go orders calls. So a call that changes something,
// and every call before it, becomes a statement of its own in front of the one that contains it,
// with a variable for its result; all other expressions stay as they are. Each method that lowers
// an expression may therefore emit statements.
type lowerer struct {
	*builder
	kernel.Emitter
	decl    *ast.FuncDecl
	fn      *kernel.Func
	vars    map[types.Object]*kernel.Var
	views   map[types.Object]kernel.Expr // the places of variables that are slices
	counts  map[int]*kernel.Var          // the parameters that lead to lengths of slices
	results []*kernel.Var                // if they have names
	targets []target                     // the loops and switches around the current statement
	label   string                       // of the current statement
	missing map[types.Object]bool        // the kernel's parameters that the call leaves out

	// impure is the number of calls that change something and are still to come in the current
	// expressions.
	impure int
}

// target is a statement that break or continue may refer to.
type target struct {
	stmt  kernel.Stmt // *kernel.For or *kernel.Switch
	label string
	post  ast.Stmt // to be run before a continue; nil if the For has it
}

func (l *lowerer) variable(obj types.Object) *kernel.Var {
	v := &kernel.Var{Name: obj.Name(), Type: l.typ(obj.Type()), Pos: l.pos(obj.Pos())}
	l.vars[obj] = v
	return v
}

// at returns the position and the lowered type of e.
func (l *lowerer) at(e ast.Expr) kernel.At {
	return kernel.At{T: l.typ(l.info.TypeOf(e)), At: l.pos(e.Pos())}
}

const (
	boolean = kernel.Basic(loop.Bool)
	integer = kernel.Basic(loop.Int64)
)
