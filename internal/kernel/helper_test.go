package kernel

import (
	"fmt"
	"go/constant"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Constructors for kernels in tests. Positions are assigned by number: every statement of a block
// is on its own line, counted from 1 in the entry function (and from 101, 201, ... in its callees),
// and the closing brace is on the line after the last. Columns number the expressions of a
// statement in the order of Walk.

const (
	f64  = Basic(loop.Float64)
	i64  = Basic(loop.Int64)
	u8   = Basic(loop.Uint8)
	u64  = Basic(loop.Uint64)
	i32  = Basic(loop.Int32)
	flag = Basic(loop.Bool)
)

func ptr(t Type) Type        { return &Pointer{Elem: t} }
func arr(n int, t Type) Type { return &Array{Len: n, Elem: t} }

func newVar(name string, t Type) *Var { return &Var{Name: name, Type: t} }

func ref(v *Var) Expr { return &Ref{At: At{T: v.Type}, Var: v} }

// lit returns an expression: itself, an int64, a float64 or a variable.
func lit(x any) Expr {
	switch x := x.(type) {
	case Expr:
		return x
	case int:
		return &Lit{At{T: i64}, constant.MakeInt64(int64(x))}
	case float64:
		return &Lit{At{T: f64}, constant.MakeFloat64(x)}
	case bool:
		return &Lit{At{T: flag}, constant.MakeBool(x)}
	case *Var:
		return ref(x)
	}
	panic(fmt.Sprintf("no expression: %v", x))
}

// at returns x[i][j]...
func at(x any, subscripts ...any) Expr {
	e := lit(x)
	for _, i := range subscripts {
		t := Elem(e.Type())
		if array, ok := t.(*Array); ok {
			t = array.Elem
		}
		e = &Index{At: At{T: t}, X: e, I: lit(i)}
	}
	return e
}

func deref(x any) Expr {
	e := lit(x)
	return &Deref{At{T: Elem(e.Type())}, e}
}

func addr(x any) Expr {
	e := lit(x)
	return &AddrOf{At{T: ptr(e.Type())}, e}
}

func field(x any, name string) Expr {
	e := lit(x)
	t, _ := Elem(e.Type()).(*Struct).Field(name)
	return &Select{At: At{T: t}, X: e, Field: name}
}

func bin(op Op, x, y any) Expr {
	l, r := lit(x), lit(y)
	t := l.Type()
	if op.Compares() {
		t = flag
	}
	return &Binary{At: At{T: t}, Op: op, X: l, Y: r}
}

func not(x any) Expr { return &Unary{At: At{T: flag}, Op: Not, X: lit(x)} }

func opaque(parts ...any) Expr {
	o := &Opaque{At: At{T: Basic(loop.Invalid)}}
	for _, p := range parts {
		o.Parts = append(o.Parts, lit(p))
	}
	return o
}

func composite(t Type, elems ...any) Expr {
	c := &Composite{At: At{T: t}}
	for _, e := range elems {
		c.Elems = append(c.Elems, lit(e))
	}
	return c
}

func call(f *Func, args ...any) *Call {
	c := &Call{Func: f}
	if len(f.Results) > 0 {
		c.T = f.Results[0]
	}
	for _, a := range args {
		c.Args = append(c.Args, lit(a))
	}
	return c
}

func set(l, r any) Stmt      { return &Assign{L: lit(l), R: lit(r)} }
func incr(l, r any) Stmt     { return &Assign{L: lit(l), Op: Add, R: lit(r)} }
func decr(l, r any) Stmt     { return &Assign{L: lit(l), Op: Sub, R: lit(r)} }
func scale(l, r any) Stmt    { return &Assign{L: lit(l), Op: Mul, R: lit(r)} }
func let(v *Var, r any) Stmt { return &Decl{Var: v, Init: lit(r)} }
func zero(v *Var) Stmt       { return &Decl{Var: v} }
func do(c *Call) Stmt        { return &Do{Call: c} }
func effect(x any) Stmt      { return &Do{X: lit(x)} }

func block(stmts ...Stmt) *Block { return &Block{stmts} }

func when(cond any, then ...Stmt) *If { return &If{Cond: lit(cond), Then: block(then...)} }

func (s *If) otherwise(stmts ...Stmt) *If {
	s.Else = block(stmts...)
	return s
}

// upTo returns for i := from; i < to; i++.
func upTo(i *Var, from, to any, body ...Stmt) *For {
	return &For{Init: let(i, from), Cond: bin(Lt, i, to), Post: incr(i, 1), Body: block(body...)}
}

func while(cond any, body ...Stmt) *For { return &For{Cond: lit(cond), Body: block(body...)} }
func forever(body ...Stmt) *For         { return &For{Body: block(body...)} }

func choose(tag any, cases ...*Case) *Switch {
	s := &Switch{Cases: cases}
	if tag != nil {
		s.Tag = lit(tag)
	}
	return s
}

func is(value any, body ...Stmt) *Case {
	return &Case{Values: []Expr{lit(value)}, Body: block(body...)}
}

func otherwise(body ...Stmt) *Case { return &Case{Default: true, Body: block(body...)} }

func (c *Case) falls() *Case {
	c.Fallthrough = true
	return c
}

// A branch without a target gets the innermost one.
func stop() Stmt              { return &Branch{} }
func next() Stmt              { return &Branch{Continue: true} }
func stopOf(target Stmt) Stmt { return &Branch{Target: target} }
func nextOf(target Stmt) Stmt { return &Branch{Continue: true, Target: target} }

func ret(results ...any) Stmt {
	r := &Return{}
	for _, x := range results {
		r.Results = append(r.Results, lit(x))
	}
	return r
}

func function(name string, params []*Var, results []Type, body ...Stmt) *Func {
	return &Func{Name: name, Params: params, Results: results, Body: block(body...)}
}

// program returns the kernel with the given parameters and body, and its callees.
func program(callees []*Func, params []*Var, body ...Stmt) *Kernel {
	k := &Kernel{Name: "k", Funcs: append(callees, function("k", params, nil, body...))}
	for i, f := range k.Funcs {
		n := numbering{}
		if f != k.Entry() {
			n.line = 100 * (i + 1)
		}
		f.Pos = Pos{Line: n.line, Col: 1}
		n.block(f.Body)
		f.End = Pos{Line: n.line + 1, Col: 1}
	}
	return k
}

// inC turns k into a C kernel.
func inC(k *Kernel) *Kernel {
	for _, f := range k.Funcs {
		f.C = true
	}
	return k
}

// numbering assigns positions and targets.
type numbering struct {
	line, col int
	targets   []Stmt
}

func (n *numbering) block(b *Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		n.line++
		n.col = 0
		n.stmt(s)
	}
}

func (n *numbering) stmt(s Stmt) {
	pos := Pos{Line: n.line, Col: 1}
	switch s := s.(type) {
	case *Block:
		n.block(s)
	case *Decl:
		s.Pos = pos
		n.expr(s.Init)
	case *Assign:
		s.Pos = pos
		n.expr(s.L)
		n.expr(s.R)
	case *Do:
		s.Pos = pos
		if s.Call != nil {
			n.expr(s.Call)
		}
		n.expr(s.X)
	case *If:
		s.Pos = pos
		n.expr(s.Cond)
		n.block(s.Then)
		if s.Else != nil {
			n.stmt(s.Else)
		}
	case *For:
		s.Pos = pos
		if s.Init != nil {
			n.stmt(s.Init)
		}
		n.expr(s.Cond)
		if s.Post != nil {
			n.stmt(s.Post)
		}
		n.inside(s, s.Body)
	case *Switch:
		s.Pos = pos
		n.expr(s.Tag)
		for _, c := range s.Cases {
			for _, v := range c.Values {
				n.expr(v)
			}
			n.inside(s, c.Body)
		}
	case *Branch:
		s.Pos = pos
		for i := len(n.targets) - 1; s.Target == nil; i-- {
			if _, loops := n.targets[i].(*For); loops || !s.Continue {
				s.Target = n.targets[i]
			}
		}
	case *Return:
		s.Pos = pos
		for _, r := range s.Results {
			n.expr(r)
		}
	}
}

func (n *numbering) inside(s Stmt, b *Block) {
	n.targets = append(n.targets, s)
	n.block(b)
	n.targets = n.targets[:len(n.targets)-1]
}

func (n *numbering) expr(e Expr) {
	if e == nil {
		return
	}
	Walk(&Do{X: e}, nil, func(e Expr) {
		n.col++
		pos := Pos{Line: n.line, Col: n.col}
		switch e := e.(type) {
		case *Lit:
			e.At.At = pos
		case *Ref:
			e.At.At = pos
		case *Index:
			e.At.At = pos
		case *Select:
			e.At.At = pos
		case *Deref:
			e.At.At = pos
		case *AddrOf:
			e.At.At = pos
		case *Unary:
			e.At.At = pos
		case *Binary:
			e.At.At = pos
		case *Call:
			e.At.At = pos
		case *Opaque:
			e.At.At = pos
		}
	})
}

// describe returns everything that Analyze found: for each parameter the lines where it is first
// used in some way, and then the lines with subscripts that are not proven in range.
func describe(k *Kernel) string {
	var lines []string
	for i, u := range k.Uses {
		s := k.Entry().Params[i].Name + ":"
		for _, one := range []struct {
			name string
			pos  Pos
		}{{"read", u.Read}, {"write", u.Write}, {"not-add", u.NotAdd}, {"opaque", u.Opaque}} {
			if one.pos.Known() {
				s += fmt.Sprintf(" %s %d", one.name, one.pos.Line)
			}
		}
		if u.Early.Known() {
			s += fmt.Sprintf(" early(%d) %d", u.EarlyAt, u.Early.Line)
		}
		if u.UnsetPos.Known() {
			s += fmt.Sprintf(" unset(%d) %d", u.Unset, u.UnsetPos.Line)
		}
		lines = append(lines, s)
	}
	var unproven []string
	for _, f := range k.Funcs {
		Walk(f.Body, nil, func(e Expr) {
			if x, ok := e.(*Index); ok && !x.InRange {
				unproven = append(unproven, fmt.Sprint(x.Pos().Line))
			}
		})
	}
	if len(unproven) > 0 {
		lines = append(lines, "unproven: "+strings.Join(unproven, " "))
	}
	return strings.Join(lines, "\n")
}
