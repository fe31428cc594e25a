package fuse

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
)

// columns is the number of columns that a line of a source may have: the columns of part i of a fused
// kernel begin at i times as many, so that a position says which part it is in.
const columns = 1 << 16

// Locate returns the part of a fused kernel that a position is in, and the position there.
func Locate(pos kernel.Pos) (part int, there kernel.Pos) {
	part, pos.Col = pos.Col/columns, pos.Col%columns
	return part, pos
}

// copier copies functions: Analyze marks those of a fused kernel, and its marks do not hold for the parts.
type copier struct {
	part    int
	structs []*kernel.Struct // those of the parts so far: equal ones become one
	consts  map[string]*kernel.Const

	funcs   map[*kernel.Func]*kernel.Func
	vars    map[*kernel.Var]*kernel.Var
	targets map[kernel.Stmt]kernel.Stmt
}

// begin starts to copy another part.
func (c *copier) begin(part int) {
	c.part, c.funcs = part, map[*kernel.Func]*kernel.Func{}
}

func (c *copier) pos(p kernel.Pos) kernel.Pos {
	if p.Known() {
		p.Col += c.part * columns
	}
	return p
}

// typ returns t with the fused kernel's structs.
func (c *copier) typ(t kernel.Type) kernel.Type {
	switch t := t.(type) {
	case *kernel.Array:
		return &kernel.Array{Len: t.Len, Elem: c.typ(t.Elem)}
	case *kernel.Pointer:
		return &kernel.Pointer{Elem: c.typ(t.Elem)}
	case *kernel.Struct:
		for _, known := range c.structs {
			if kernel.Same(known, t) {
				return known
			}
		}
	}
	return t
}

// declare adds the structs of a kernel.
func (c *copier) declare(k *kernel.Kernel) {
	for _, s := range k.Structs {
		if known := c.typ(s).(*kernel.Struct); known != s {
			continue
		}
		own := &kernel.Struct{Name: s.Name}
		for _, f := range s.Fields {
			f.Type = c.typ(f.Type)
			own.Fields = append(own.Fields, f)
		}
		c.structs = append(c.structs, own)
	}
}

func (c *copier) function(f *kernel.Func) *kernel.Func {
	c.vars, c.targets = map[*kernel.Var]*kernel.Var{}, map[kernel.Stmt]kernel.Stmt{}
	own := &kernel.Func{Name: f.Name, C: f.C, Pos: f.Pos, End: c.pos(f.End)}
	c.funcs[f] = own
	for _, p := range f.Params {
		own.Params = append(own.Params, c.variable(p))
	}
	for _, t := range f.Results {
		own.Results = append(own.Results, c.typ(t))
	}
	own.Body = c.block(f.Body)
	return own
}

func (c *copier) variable(v *kernel.Var) *kernel.Var {
	if v == nil {
		return nil
	}
	own := c.vars[v]
	if own == nil {
		own = &kernel.Var{Name: v.Name, Type: c.typ(v.Type), Pos: c.pos(v.Pos), Const: v.Const, Slices: v.Slices}
		c.vars[v] = own
	}
	return own
}

func (c *copier) block(b *kernel.Block) *kernel.Block {
	if b == nil {
		return nil
	}
	own := &kernel.Block{}
	for _, s := range b.Stmts {
		own.Stmts = append(own.Stmts, c.stmt(s))
	}
	return own
}

func (c *copier) stmt(s kernel.Stmt) kernel.Stmt {
	switch s := s.(type) {
	case nil:
		return nil
	case *kernel.Block:
		return c.block(s)
	case *kernel.Decl:
		init := c.expr(s.Init)
		return &kernel.Decl{Var: c.variable(s.Var), Init: init, Pos: c.pos(s.Pos)}
	case *kernel.Assign:
		return &kernel.Assign{L: c.expr(s.L), Op: s.Op, R: c.expr(s.R), Pos: c.pos(s.Pos)}
	case *kernel.Do:
		return c.do(s)
	case *kernel.If:
		return &kernel.If{Cond: c.expr(s.Cond), Then: c.block(s.Then), Else: c.stmt(s.Else), Pos: c.pos(s.Pos)}
	case *kernel.For:
		own := &kernel.For{Pos: c.pos(s.Pos)}
		c.targets[s] = own
		own.Init, own.Cond, own.Post = c.stmt(s.Init), c.expr(s.Cond), c.stmt(s.Post)
		own.Body = c.block(s.Body)
		return own
	case *kernel.Switch:
		own := &kernel.Switch{Tag: c.expr(s.Tag), Pos: c.pos(s.Pos)}
		c.targets[s] = own
		for _, one := range s.Cases {
			own.Cases = append(own.Cases, &kernel.Case{Values: c.exprs(one.Values), Default: one.Default, Body: c.block(one.Body), Fallthrough: one.Fallthrough})
		}
		return own
	case *kernel.Branch:
		return &kernel.Branch{Continue: s.Continue, Target: c.targets[s.Target], Pos: c.pos(s.Pos)}
	case *kernel.Return:
		return &kernel.Return{Results: c.exprs(s.Results), Pos: c.pos(s.Pos)}
	case *kernel.Barrier:
		own := &kernel.Barrier{}
		for _, v := range s.Vars {
			own.Vars = append(own.Vars, c.variable(v))
		}
		return own
	}
	panic(fmt.Sprintf("fuse: statement %T", s))
}

func (c *copier) do(s *kernel.Do) *kernel.Do {
	own := &kernel.Do{X: c.expr(s.X), Pos: c.pos(s.Pos)}
	if s.Call != nil {
		own.Call = c.expr(s.Call).(*kernel.Call)
	}
	if s.Math != nil {
		own.Math = c.expr(s.Math).(*kernel.Math)
	}
	for _, v := range s.Into {
		own.Into = append(own.Into, c.variable(v))
	}
	return own
}

func (c *copier) exprs(list []kernel.Expr) []kernel.Expr {
	if list == nil {
		return nil
	}
	own := make([]kernel.Expr, len(list))
	for i, e := range list {
		own[i] = c.expr(e)
	}
	return own
}

func (c *copier) expr(e kernel.Expr) kernel.Expr {
	if e == nil {
		return nil
	}
	at := kernel.At{T: c.typ(e.Type()), At: c.pos(e.Pos())}
	switch e := e.(type) {
	case *kernel.Lit:
		return &kernel.Lit{At: at, Value: e.Value}
	case *kernel.Ref:
		return &kernel.Ref{At: at, Var: c.variable(e.Var)}
	case *kernel.ConstRef:
		return &kernel.ConstRef{At: at, Const: c.consts[e.Const.Name]}
	case *kernel.Index:
		return &kernel.Index{At: at, X: c.expr(e.X), I: c.expr(e.I)}
	case *kernel.Select:
		return &kernel.Select{At: at, X: c.expr(e.X), Field: e.Field}
	case *kernel.Deref:
		return &kernel.Deref{At: at, X: c.expr(e.X)}
	case *kernel.AddrOf:
		return &kernel.AddrOf{At: at, X: c.expr(e.X)}
	case *kernel.Unary:
		return &kernel.Unary{At: at, Op: e.Op, X: c.expr(e.X)}
	case *kernel.Binary:
		return &kernel.Binary{At: at, Op: e.Op, X: c.expr(e.X), Y: c.expr(e.Y)}
	case *kernel.Convert:
		return &kernel.Convert{At: at, X: c.expr(e.X)}
	case *kernel.Call:
		return &kernel.Call{At: at, Func: c.funcs[e.Func], Args: c.exprs(e.Args)}
	case *kernel.Math:
		return &kernel.Math{At: at, Name: e.Name, Args: c.exprs(e.Args)}
	case *kernel.Composite:
		return &kernel.Composite{At: at, Elems: c.exprs(e.Elems)}
	}
	panic(fmt.Sprintf("fuse: expression %T", e))
}
