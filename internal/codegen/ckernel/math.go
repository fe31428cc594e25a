package ckernel

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
)

func (p *Printer) math(e *kernel.Math) (string, int) {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.expr(a)
	}
	return p.mathCall(e, args)
}

// mathCall prints a call of a mathematical function on values. In order of preference it is a helper, where C's function has
// other results than Go's; a form of op2's own, where packs call that; and the function of the target's library.
func (p *Printer) mathCall(e *kernel.Math, args []string) (string, int) {
	list := "(" + strings.Join(args, ", ") + ")"
	switch e.Name {
	case "min", "max":
		return p.extreme(e.Name, kernel.Scalar(e.Type()), args), precPostfix
	case "IsNaN":
		return "(isnan" + list + " != 0)", precPostfix
	case "Signbit":
		if p.target.Signbit && kernel.Scalar(e.Args[0].Type()) == loop.Float64 {
			return p.helpers.use("signbit") + list, precPostfix
		}
		return "(signbit" + list + " != 0)", precPostfix
	case "NaN":
		return "NAN", precPostfix
	}
	f := mathfn.Lookup(e.Name)
	if !f.Exact && (!p.fn.C || f.C == "") {
		return p.helpers.use(f.Helper) + list, precPostfix
	}
	name := f.C
	if kernel.Scalar(e.Args[0].Type()) == loop.Float32 {
		name += "f"
	}
	if own := p.form(e); own != "" {
		return "op2_" + own + "(" + strings.Join(args[:len(p.formed[own].params)], ", ") + ")", precPostfix
	}
	switch {
	case p.target.Own[name]:
		name = p.helpers.useOwn(name)
	case p.target.Overloaded:
		name = f.C
	}
	return name + list, precPostfix
}

// extreme prints the builtin min or max of its arguments, from left to right.
func (p *Printer) extreme(name string, t loop.Scalar, args []string) string {
	f := p.helpers.useFor(name, t)
	text := args[0]
	for _, a := range args[1:] {
		text = fmt.Sprintf("%s(%s, %s)", f, text, a)
	}
	return text
}

// mathInto prints a call of a function with two results, which are stored where into points.
func (p *Printer) mathInto(e *kernel.Math, into []string) string {
	x := p.expr(e.Args[0])
	if e.Name == "Sincos" {
		v := p.scope.Fresh("angle")
		p.w.Line("const double %s = %s;", v, x)
		return fmt.Sprintf("%s = sin(%s), %s = cos(%s)", pointee(into[0]), v, pointee(into[1]), v)
	}
	return fmt.Sprintf("%s(%s, %s, %s)", p.helpers.use(mathfn.Lookup(e.Name).Helper), x, into[0], into[1])
}

func pointee(pointer string) string { return strings.TrimPrefix(pointer, "&") }
