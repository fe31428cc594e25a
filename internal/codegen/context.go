package codegen

import (
	"math"

	"github.com/go-op2/op2/internal/kernel"
)

// Functions that may fail receive the identification of the element for fault records: its number
// on the host, and a context on devices, which also locates consts and failures. In packs it is the
// number of the first element, with the number of elements in the upper half.

// findFailing determines which functions may fail, and which take a context.
func (p *printer) findFailing(k *kernel.Kernel) {
	for _, f := range k.Funcs { // callees come first
		p.fn = f
		fails, reads := p.examine(f.Body)
		p.failing[f] = fails
		if p.device != nil {
			p.device.contexts[f] = fails || reads
		}
	}
}

// examine reports whether a statement may fail, and whether it reads consts, itself or in its
// calls.
func (p *printer) examine(s kernel.Stmt) (fails, reads bool) {
	kernel.Walk(s, func(s kernel.Stmt) {
		if a, ok := s.(*kernel.Assign); ok && a.Op != kernel.None {
			fails = fails || p.mayFail(a.Op, a.L, a.R, a.Fits)
		}
	}, func(e kernel.Expr) {
		switch e := e.(type) {
		case *kernel.ConstRef:
			reads = true
		case *kernel.Index:
			_, known := kernel.Elem(e.X.Type()).(*kernel.Array)
			fails = fails || !e.InRange && (p.checksC(e) || known && !p.fn.C)
		case *kernel.Binary:
			fails = fails || p.mayFail(e.Op, e.X, e.Y, e.Fits)
		case *kernel.Call:
			fails = fails || p.failing[e.Func]
			reads = reads || p.device != nil && p.device.contexts[e.Func]
		}
	})
	return fails, reads
}

// checksC reports whether a subscript in a C kernel is checked.
func (p *printer) checksC(e *kernel.Index) bool { return p.checks && !e.InRange && e.There > 0 }

// mayFail reports whether x op y is printed as a call of a helper that may fail, given the
// operation's Fits.
func (p *printer) mayFail(op kernel.Op, x, y kernel.Expr, fits bool) bool {
	switch op {
	case kernel.Div, kernel.Rem:
		return mayDivideByZero(x, y, fits)
	case kernel.Shl, kernel.Shr:
		return !p.fn.C && kernel.Scalar(y.Type()).Signed() && !literalBetween(y, 0, math.MaxInt64)
	}
	return false
}

// contextParam returns the context parameter of a function that takes one.
func (p *printer) contextParam(f *kernel.Func) []string {
	return p.contextOf(f, "const "+elementType+" op2", contextType+" *op2")
}

// contextArg returns the corresponding argument, in a function that has it.
func (p *printer) contextArg(f *kernel.Func) []string { return p.contextOf(f, "op2", "op2") }

// contextOf returns the context argument for f on the host or on a device; nothing if it takes
// none.
func (p *printer) contextOf(f *kernel.Func, host, device string) []string {
	switch {
	case p.device != nil && p.device.contexts[f]:
		return []string{device}
	case p.device == nil && p.failing[f]:
		return []string{host}
	}
	return nil
}

// context returns the first argument of helpers that may fail.
func (p *printer) context() string { return "op2, " }

// constant returns a const as it is read.
func (p *printer) constant(c *kernel.Const) string {
	if p.device == nil {
		return p.consts[c]
	}
	if name, ok := p.device.locals[c]; ok {
		return name
	}
	return "op2->consts->" + p.consts[c]
}
