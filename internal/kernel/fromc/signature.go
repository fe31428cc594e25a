package fromc

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

const hintPointer = "all parameters of a kernel are pointers to numbers: double *x, double x[3], double x[3][2] or double *x[3]"

// checkKernel reports where a function departs from the signature of a kernel: a prototype, no result, and parameters that are
// pointers to types that data may have.
func (u *unit) checkKernel(def *cc.FunctionDefinition) {
	t, ok := def.Declarator.Type().(*cc.FunctionType)
	if !ok {
		u.problem(def.Declarator, "", "%s is not a function", u.name)
		return
	}
	if d := def.Declarator.DirectDeclarator; def.DeclarationList != nil || d.Case == cc.DirectDeclaratorFuncIdent && d.IdentifierList != nil {
		u.problem(def.Declarator, fmt.Sprintf("write the types in the list: void %s(double *x, ...)", u.name), "%s is defined in the style before ANSI C", u.name)
		return
	}
	if t.Result().Kind() != cc.Void {
		u.problem(def.Declarator, "results leave through parameters: declare it void", "the kernel returns %s", cName(t.Result()))
	}
	if t.IsVariadic() {
		u.problem(def.Declarator, "each argument of the loop needs a parameter of its own", "the kernel takes a variable number of arguments")
	}
	params := t.Parameters()
	if len(params) == 1 && params[0].Type().Kind() == cc.Void {
		return
	}
	for i, p := range params {
		u.checkParameter(i, p)
	}
}

// checkParameter reports a parameter that is no pointer to a type of data.
func (u *unit) checkParameter(i int, p *cc.Parameter) {
	name := fmt.Sprintf("parameter %d", i+1)
	if p.Declarator != nil {
		name = fmt.Sprintf("parameter %d (%s)", i+1, p.Name())
	}
	t := p.Type()
	if t.Kind() != cc.Ptr {
		hint := hintPointer
		if scalar(t) != loop.Invalid {
			hint = fmt.Sprintf("declare it as const %s *%s", cName(t), p.Name())
		}
		u.problem(p, hint, "%s is no pointer, it is %s", name, kernel.WithArticle(cName(t)))
		return
	}
	kt := u.parameter(t)
	switch k := leaf(t).Kind(); {
	case kt != nil && (k == cc.LongDouble || k == cc.Enum):
		u.problem(p, "the types of data are float, double, bool, the integers of <stdint.h>, and structs of these", "%s has type %s: there is no data of that type", name, cName(t))
	case kt == nil || !kernel.HoldsStructs(kt) && kernel.Leaf(kt) == loop.Invalid:
		u.problem(p, hintPointer, "%s has type %s, which no argument of a loop has", name, cName(t))
	}
}
