package fromc

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// verify returns what in k breaks the rules of the IR.
func verify(k *kernel.Kernel) (broken []string) {
	v := &verifier{}
	for _, f := range k.Funcs {
		v.f, v.declared, v.targets = f, map[*kernel.Var]bool{}, map[kernel.Stmt]bool{}
		for _, p := range f.Params {
			v.declared[p] = true
		}
		v.block(f.Body)
		v.known = append(v.known, f)
	}
	return v.broken
}

type verifier struct {
	f        *kernel.Func
	known    []*kernel.Func
	declared map[*kernel.Var]bool
	targets  map[kernel.Stmt]bool
	broken   []string
}

func (v *verifier) fail(format string, args ...any) {
	v.broken = append(v.broken, v.f.Name+": "+fmt.Sprintf(format, args...))
}

func (v *verifier) block(b *kernel.Block) {
	if b == nil {
		v.fail("a block is nil")
		return
	}
	for _, s := range b.Stmts {
		v.stmt(s)
	}
}

func (v *verifier) stmt(s kernel.Stmt) {
	switch s := s.(type) {
	case *kernel.Block:
		v.block(s)
	case *kernel.Decl:
		if s.Var.Type == nil {
			v.fail("%s has no type", s.Var.Name)
		}
		if s.Init != nil {
			v.expr(s.Init)
			v.same(s.Var.Type, s.Init.Type(), "declaration of "+s.Var.Name)
		}
		v.declared[s.Var] = true
	case *kernel.Assign:
		v.expr(s.L)
		v.expr(s.R)
		wide := kernel.Scalar(s.L.Type()) == loop.Float32 && kernel.Scalar(s.R.Type()) == loop.Float64 && s.Op != kernel.None
		if s.Op != kernel.Shl && s.Op != kernel.Shr && !wide {
			v.same(s.L.Type(), s.R.Type(), "assignment")
		}
	case *kernel.Do:
		switch {
		case s.Call != nil:
			v.expr(s.Call)
		case s.Math != nil:
			v.expr(s.Math)
		default:
			v.expr(s.X)
		}
	case *kernel.If:
		v.bool(s.Cond)
		v.block(s.Then)
		if s.Else != nil {
			v.stmt(s.Else)
		}
	case *kernel.For:
		v.forLoop(s)
	case *kernel.Switch:
		if s.Tag != nil {
			v.expr(s.Tag)
		}
		v.targets[s] = true
		for i, c := range s.Cases {
			for _, x := range c.Values {
				v.expr(x)
				v.same(s.Tag.Type(), x.Type(), "case")
			}
			v.block(c.Body)
			if c.Fallthrough && i == len(s.Cases)-1 {
				v.fail("the last case falls through")
			}
		}
		delete(v.targets, s)
	case *kernel.Branch:
		if _, isFor := s.Target.(*kernel.For); !v.targets[s.Target] || s.Continue && !isFor {
			v.fail("a branch leads nowhere")
		}
	case *kernel.Return:
		for i, r := range s.Results {
			v.expr(r)
			v.same(v.f.Results[i], r.Type(), "result")
		}
	default:
		v.fail("statement %T", s)
	}
}

func (v *verifier) forLoop(s *kernel.For) {
	if s.Init != nil {
		v.stmt(s.Init)
	}
	if s.Cond != nil {
		v.bool(s.Cond)
	}
	v.targets[s] = true
	v.block(s.Body)
	delete(v.targets, s)
	if s.Post != nil {
		v.stmt(s.Post)
	}
}

func (v *verifier) bool(e kernel.Expr) {
	v.expr(e)
	v.same(kernel.Basic(loop.Bool), e.Type(), "condition")
}

func (v *verifier) same(t, u kernel.Type, where string) {
	if t == nil || u == nil || t.String() != u.String() {
		v.fail("%s: %v and %v", where, t, u)
	}
}

func (v *verifier) exprs(list []kernel.Expr) {
	for _, e := range list {
		v.expr(e)
	}
}

func (v *verifier) expr(e kernel.Expr) {
	if e == nil || e.Type() == nil {
		v.fail("%T without a type", e)
		return
	}
	if !e.Pos().Known() {
		v.fail("%T without a position", e)
	}
	switch e := e.(type) {
	case *kernel.Lit:
		if e.Value == nil {
			v.fail("a literal without a value")
		}
	case *kernel.Ref:
		if !v.declared[e.Var] {
			v.fail("%s is used before it is declared", e.Var.Name)
		}
		v.same(e.Var.Type, e.T, "reference")
	case *kernel.ConstRef:
		v.same(e.Const.Type, e.T, "const")
	case *kernel.Index:
		v.expr(e.X)
		v.expr(e.I)
		v.same(element(e.X), e.T, "index")
		if !kernel.Scalar(e.I.Type()).Integer() {
			v.fail("the subscript is %v", e.I.Type())
		}
	case *kernel.Select:
		v.expr(e.X)
		t, _ := kernel.Elem(e.X.Type()).(*kernel.Struct).Field(e.Field)
		v.same(t, e.T, "field")
	case *kernel.AddrOf:
		v.expr(e.X)
	case *kernel.Unary:
		v.expr(e.X)
		v.same(e.X.Type(), e.T, "unary "+e.Op.String())
	case *kernel.Binary:
		v.expr(e.X)
		v.expr(e.Y)
		if e.Op != kernel.Shl && e.Op != kernel.Shr {
			v.same(e.X.Type(), e.Y.Type(), "operands of "+e.Op.String())
		}
		if !e.Op.Compares() {
			v.same(e.X.Type(), e.T, "binary "+e.Op.String())
		}
	case *kernel.Convert:
		v.expr(e.X)
		if kernel.Scalar(e.X.Type()) == loop.Invalid || kernel.Scalar(e.T) == loop.Invalid {
			v.fail("conversion of %v to %v", e.X.Type(), e.T)
		}
	case *kernel.Call:
		v.call(e)
	case *kernel.Math:
		v.exprs(e.Args)
	case *kernel.Composite:
		for _, x := range e.Elems {
			if x != nil {
				v.expr(x)
			}
		}
	case *kernel.Opaque:
		v.exprs(e.Parts)
	default:
		v.fail("expression %T", e)
	}
}

func (v *verifier) call(e *kernel.Call) {
	v.exprs(e.Args)
	known := false
	for _, f := range v.known {
		known = known || f == e.Func
	}
	if !known || len(e.Args) != len(e.Func.Params) {
		v.fail("call of %s", e.Func.Name)
		return
	}
	for i, p := range e.Func.Params {
		if _, pointer := p.Type.(*kernel.Pointer); !pointer {
			v.same(p.Type, e.Args[i].Type(), "argument")
		} else if _, pointer := e.Args[i].Type().(*kernel.Pointer); !pointer {
			v.fail("argument %s is %v", p.Name, e.Args[i].Type())
		}
	}
}
