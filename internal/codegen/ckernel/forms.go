package ckernel

import (
	"fmt"
	"go/constant"
	"strings"

	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/libm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
	"github.com/go-op2/op2/internal/sorting"
)

// Where a loop runs packs, exp and the like are functions of package libm: for packs op2_vec_exp, for the
// elements that remain op2_exp, with the same bits. Without instructions for fused multiplication and addition, and
// with -ffast-math, both call the C library.
const withForms = `#if (defined(__FMA__) || defined(__aarch64__)) && defined(__SIZEOF_INT128__) && !defined(__FAST_MATH__)
#define OP2_FORMS
#endif`

// form is a function in op2's own form: of package libm, on floats of a type, and the call that it stands for.
type form struct {
	function string
	float    loop.Scalar
	params   []string
	library  string // the format of that call, of the parameters
}

// powers are forms for exponents that are frequent.
var powers = map[float64]string{2: "square", 0.5: "root", -0.5: "inverse_root"}

// form returns the name of the form that e is a call of; "" if it has none. A C kernel's source calls those of <math.h>.
func (p *Printer) form(e *kernel.Math) string {
	f := mathfn.Lookup(e.Name)
	if !p.forms || f == nil || !f.Form {
		return ""
	}
	name, new := f.C, form{f.C, loop.Float64, []string{"x", "y"}[:len(f.Params)], ""}
	if kernel.Scalar(e.Args[0].Type()) == loop.Float32 {
		name, new.float = name+"f", loop.Float32
	}
	new.library = name + "(" + strings.Join([]string{"%[1]s", "%[2]s"}[:len(f.Params)], ", ") + ")"
	if power := powerOf(e); power != "" && !p.fn.C {
		name, new = power, form{power, loop.Float64, []string{"x"}, "pow(%[1]s, " + p.expr(e.Args[1]) + ")"}
	}
	p.formed[name] = new
	return name
}

// powerOf returns the form for a frequent exponent.
func powerOf(e *kernel.Math) string {
	if l, ok := e.Args[len(e.Args)-1].(*kernel.Lit); ok && e.Name == "Pow" {
		y, _ := constant.Float64Val(constant.ToFloat(l.Value))
		return powers[y]
	}
	return ""
}

func (p *Printer) formNames() []string { return sorting.Keys(p.formed) }

// each returns the parameters in a format.
func (f form) each(format string) string {
	var list []string
	for _, x := range f.params {
		list = append(list, fmt.Sprintf(format, x))
	}
	return strings.Join(list, ", ")
}

// instead returns the call of the library for parameters in a format.
func (f form) instead(format string) string {
	x := fmt.Sprintf(format, "x")
	if len(f.params) == 1 {
		return fmt.Sprintf(f.library, x)
	}
	return fmt.Sprintf(f.library, x, fmt.Sprintf(format, "y"))
}

// FormAll makes functions that are printed from now on, and a C kernel's source, call forms wherever there are some.
func (p *Printer) FormAll(k *kernel.Kernel) {
	p.forms = p.formable(k)
	for _, f := range k.Funcs {
		p.fn = f
		for _, m := range kernel.All[*kernel.Math](f.Body) {
			p.form(m)
		}
	}
	p.forms = len(p.formed) > 0
}

// formable reports whether a kernel may call forms: <tgmath.h> has macros for their names.
func (p *Printer) formable(k *kernel.Kernel) bool {
	return p.target.Forms && !strings.Contains(k.Source, "tgmath.h")
}

// UseForms makes functions that are printed from now on, and a C kernel's source, call the forms that packs
// call. It reports whether there are any.
func (p *Printer) UseForms() bool {
	p.forms = len(p.formed) > 0
	return p.forms
}

// PrintForms prints the forms for one element, if functions call them.
func (p *Printer) PrintForms(w *text.Writer) {
	if !p.forms {
		return
	}
	var functions, own, library []string
	for _, name := range p.formNames() {
		f := p.formed[name]
		functions = append(functions, f.function)
		own = append(own, fmt.Sprintf("static inline %[1]s op2_%[2]s(%[3]s)\n{\n\treturn (%[1]s)op2_two_%[4]s(%[5]s)[0];\n}\n",
			f.float.C(), name, f.each(f.float.C()+" %s"), f.function, f.each("op2_two_of(%s)")))
		library = append(library, fmt.Sprintf("#define op2_%s(%s) %s", name, f.each("%s"), f.instead("%s")))
	}
	w.Raw(withForms + "\n#ifdef OP2_FORMS\n" + libm.Two(functions...) + "\n" + strings.Join(own, "\n") + "#else\n" + strings.Join(library, "\n") + "\n#endif")
	w.Line("")
}

// printLaneForms prints the forms for packs. Those of floats compute with doubles, in vectors of the size of registers: two
// for a vector of floats, unless the pack holds doubles, too.
func (p *Printer) printLaneForms(w *text.Writer) {
	if len(p.formed) == 0 {
		return
	}
	parts := "1"
	if p.vec.Fills(loop.Float32) {
		parts = "2"
	}
	var doubles, floats []string
	var own, library strings.Builder
	for _, name := range p.formNames() {
		f := p.formed[name]
		vec := p.vec.Name(f.float)
		fill := strings.NewReplacer("NAME", f.function, "VEC", vec, "PARAMS", f.each(vec+" %s"), "CALL", f.instead("%s[l]"),
			"PARTS", parts, "WIDE", f.each("op2_wide_part(%s, first)"), "INLINE", inline)
		library.WriteString(fill.Replace(texts["form of the library"]))
		if f.float == loop.Float64 {
			doubles = append(doubles, f.function)
			continue
		}
		if len(floats) == 0 {
			own.WriteString(fill.Replace(texts["parts of floats"]))
		}
		floats = append(floats, f.function)
		own.WriteString(fill.Replace(texts["form of floats"]))
	}
	w.Raw("#ifdef OP2_FORMS")
	if len(doubles) > 0 {
		w.Raw("typedef int64_t op2_vec_words __attribute__((vector_size(8 * OP2_LANES)));\n" + libm.Packs("op2_vec", doubles...))
	}
	if len(floats) > 0 {
		w.Raw(strings.ReplaceAll(texts["wide"], "PARTS", parts) + libm.Packs("op2_wide", floats...) + own.String())
	}
	w.Raw("#else\n" + library.String() + "#endif")
	w.Line("")
}

const inline = "static inline __attribute__((always_inline))"
