package ckernel

import (
	"math"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
)

// Functions that may fail or read consts take a context, which leads to the consts and to where a fault is recorded.
// On the host it identifies the element for that by
// its number, or in packs by that of the first element, with the number of elements in the upper half.

// FindFailing determines which functions may fail, and which take a context.
func (p *Printer) FindFailing(k *kernel.Kernel) {
	for _, f := range k.Funcs { // callees come first
		p.fn = f
		fails, reads := p.examine(f.Body)
		p.failing[f], p.contexts[f] = fails, fails || reads
	}
}

// examine reports whether a statement may fail, and whether it reads consts, itself or in its
// calls.
func (p *Printer) examine(s kernel.Stmt) (fails, reads bool) {
	kernel.Walk(s, func(s kernel.Stmt) {
		if a, ok := s.(*kernel.Assign); ok && a.Op != kernel.None {
			fails = fails || p.mayFail(a.Op, a.L, a.R, a.Fits)
		}
	}, func(e kernel.Expr) {
		switch e := e.(type) {
		case *kernel.ConstRef:
			reads = true
		case *kernel.Index:
			fails = fails || !e.InRange && (p.checksC(e) || facts.IsArray(kernel.Elem(e.X.Type())) && !p.fn.C)
		case *kernel.Binary:
			fails = fails || p.mayFail(e.Op, e.X, e.Y, e.Fits)
		case *kernel.Call:
			fails = fails || p.failing[e.Func]
			reads = reads || p.contexts[e.Func]
		}
	})
	return fails, reads
}

func (p *Printer) checksC(e *kernel.Index) bool { return p.checks && !e.InRange && e.There > 0 }

// mayFail reports whether x op y is printed as a call of a helper that may fail, given the
// operation's Fits.
func (p *Printer) mayFail(op kernel.Op, x, y kernel.Expr, fits bool) bool {
	switch op {
	case kernel.Div, kernel.Rem:
		return facts.MayDivideByZero(x, y, fits)
	case kernel.Shl, kernel.Shr:
		return !p.fn.C && kernel.Scalar(y.Type()).Signed() && !facts.LiteralBetween(y, 0, math.MaxInt64)
	}
	return false
}

func (p *Printer) contextParam(f *kernel.Func) []string {
	return p.ContextOf(f, p.target.Context+"op2")
}

// contextArg returns the corresponding argument, in a function that has it.
func (p *Printer) contextArg(f *kernel.Func) []string { return p.ContextOf(f, "op2") }

// Fails reports whether f may fail, takesContext whether it takes a context.
func (p *Printer) Fails(f *kernel.Func) bool { return p.failing[f] }

func (p *Printer) TakesContext(f *kernel.Func) bool { return p.contexts[f] }

// ContextOf returns the argument for f's context; nothing if it takes none.
func (p *Printer) ContextOf(f *kernel.Func, context string) []string {
	if p.contexts[f] {
		return []string{context}
	}
	return nil
}

// context returns the first argument of helpers that may fail.
func (p *Printer) context() string { return "op2, " }

// constant returns a const as it is read.
func (p *Printer) constant(c *kernel.Const) string {
	if name, ok := p.locals[c]; ok {
		return name
	}
	if p.FarConst(c) {
		return "(*" + p.target.Consts + p.consts[c] + ")"
	}
	return p.target.Consts + p.consts[c]
}

// FarConst reports whether the struct of consts has the address of a const, which is not copied then.
func (p *Printer) FarConst(c *kernel.Const) bool {
	return p.target.FarConsts > 0 && facts.IsArray(c.Type) && kernel.LayoutOf(c.Type).Size >= p.target.FarConsts
}
