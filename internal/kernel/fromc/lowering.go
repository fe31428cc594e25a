package fromc

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// lowering is one function being lowered.
type lowering struct {
	kernel.Emitter
	u     *unit
	def   *cc.FunctionDefinition
	fun   *kernel.Func
	vars  map[*cc.Declarator]*kernel.Var
	null  map[*kernel.Var]bool   // the parameters of the kernel itself: whether the call leaves them out
	files map[string]*kernel.Var // file-scope variables, copied into the function
	// aliases are local pointers that are set only once, in their declaration: they are read as
	// their pointees.
	aliases map[*cc.Declarator]pointer
	moving  map[*cc.Declarator]*kernel.Var // subscripts of the aliases that move
	copies  []kernel.Stmt                  // of file-scope variables
	around  []*scope                       // targets of break and continue, innermost last
	temps   int
	lost    bool // the IR cannot express the function
}

// place is what an lvalue denotes. X is nil if the IR cannot express it; parts are evaluated to get
// there.
type place struct {
	x     kernel.Expr
	parts []kernel.Expr
}

// pointer is the value of a pointer: to element off of base, an array or a pointer; or, if off is
// nil, to base itself. Base is nil if it may point anywhere; parts are then the expressions that it
// was made from.
type pointer struct {
	base, off kernel.Expr
	parts     []kernel.Expr
	null      bool
}

func (p pointer) known() bool { return p.base != nil }

// scope is a statement that break or continue refers to.
type scope struct {
	leave kernel.Stmt // what break leaves
	next  kernel.Stmt // what continue goes on with; nil for a switch
	// once: next is a Switch around the body, which continue leaves to get to what comes after the
	// body.
	once      bool
	left      bool // there was a break
	continued bool // there was a continue
}

// temp declares a variable that holds the value of e, and returns a reference to it.
func (f *lowering) temp(e kernel.Expr) *kernel.Ref {
	f.temps++
	return f.Hoist(fmt.Sprintf("_t%d", f.temps), e)
}

func (f *lowering) newTemp(t kernel.Type, pos kernel.Pos) *kernel.Var {
	f.temps++
	return &kernel.Var{Name: fmt.Sprintf("_t%d", f.temps), Type: t, Pos: pos}
}

// opaque returns an expression that the IR cannot express.
func opaque(t kernel.Type, pos kernel.Pos, parts ...kernel.Expr) *kernel.Opaque {
	if t == nil {
		t = none
	}
	return &kernel.Opaque{At: kernel.At{T: t, At: pos}, Parts: parts}
}

// flat returns e as parts of an Opaque.
func flat(e kernel.Expr) []kernel.Expr {
	switch e := e.(type) {
	case nil, *kernel.Lit:
		return nil
	case *kernel.Opaque:
		return e.Parts
	}
	return []kernel.Expr{e}
}

// storing returns o as an Opaque that stores through the only pointer among parts, if there is just
// one.
func storing(o *kernel.Opaque, parts []kernel.Expr) *kernel.Opaque {
	for _, p := range parts {
		_, pointer := p.Type().(*kernel.Pointer)
		switch {
		case pointer && o.Stores != nil: // one of two
			o.Stores = nil
			return o
		case pointer:
			o.Stores = p
		}
	}
	return o
}

// doStore emits an Opaque for the effects of its parts. It stores somewhere in l, if that has any.
func (f *lowering) doStore(pos kernel.Pos, l place, parts ...kernel.Expr) {
	if parts = append(l.parts, parts...); len(parts) > 0 {
		f.Emit(&kernel.Do{X: storing(opaque(none, pos, parts...), l.parts), Pos: pos})
	}
}

// unseen warns about accesses that are not tracked, if parts lead to an argument.
func (f *lowering) unseen(n cc.Node, what string, parts []kernel.Expr) {
	for _, p := range parts {
		v := kernel.Root(p)
		if _, pointer := p.Type().(*kernel.Pointer); pointer && v != nil && slices.Contains(f.fun.Params, v) {
			msg := " is not seen: it may leave " + v.Name
			said := func(q kernel.Problem) bool { return q.Pos.Line == f.at(n).Line && strings.HasSuffix(q.Msg, msg) }
			if !slices.ContainsFunc(f.u.untracked, said) {
				f.u.untracked = append(f.u.untracked, kernel.Problem{Pos: f.at(n), Msg: what + msg})
			}
			return
		}
	}
}

// checkDivisor refuses integer divisions by the constant zero.
func (f *lowering) checkDivisor(n cc.Node, op kernel.Op, t loop.Scalar, y kernel.Expr) {
	if (op == kernel.Div || op == kernel.Rem) && t.Integer() && kernel.Scalar(y.Type()).Integer() && kernel.IsZero(y) {
		f.u.problem(n, "", "an integer is divided by zero")
	}
}

// checkStore reports stores to read-only places.
func (f *lowering) checkStore(n cc.ExpressionNode) {
	d := declared(base(n))
	if d == nil {
		return
	}
	name := d.Name()
	_, registered := f.u.declared[name]
	switch {
	case atFileScope(d) && f.u.variables[name] == nil && registered:
		f.u.problem(n, "values leave a kernel through its parameters: use a global", "%s is a const of the program, and is written", name)
	case isConst(n.Type()):
		f.u.problem(n, "", "%s is const, and is written", cc.NodeSource(n))
	case atFileScope(d) && f.u.variables[name] != nil && !kernel.Is[*cc.PointerType](d.Type().Undecay()):
		f.u.problem(n, "elements run at the same time, and share it: values leave a kernel through its parameters", "%s is a variable of the file, and is written", name)
	}
}

func (f *lowering) at(n cc.Node) kernel.Pos { return f.u.at(n) }

// within calls do inside a scope, and returns the scope, which knows then how it was left.
func (f *lowering) within(s *scope, do func()) *scope {
	f.around = append(f.around, s)
	do()
	f.around = f.around[:len(f.around)-1]
	return s
}

// emitBreak emits a break: out of the innermost scope, a loop or a switch.
func (f *lowering) emitBreak(pos kernel.Pos) {
	if len(f.around) == 0 {
		f.lost = true
		return
	}
	s := f.around[len(f.around)-1]
	s.left = true
	f.Emit(&kernel.Branch{Target: s.leave, Pos: pos})
}

// emitContinue emits a continue: of the innermost loop, past switches around it. Where the loop has statements after its
// body, it leaves the Switch of continuable.
func (f *lowering) emitContinue(pos kernel.Pos) {
	for i := len(f.around) - 1; i >= 0; i-- {
		if s := f.around[i]; s.next != nil {
			s.continued = true
			f.Emit(&kernel.Branch{Continue: !s.once, Target: s.next, Pos: pos})
			return
		}
	}
	f.lost = true
}
