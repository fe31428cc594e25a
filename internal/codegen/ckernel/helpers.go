package ckernel

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

//go:embed csrc/helpers.c
var source string

var texts = text.Sections(source)

// helpers is the set of small functions that a source needs for what Go defines and C does not:
// division by zero, wide shifts, subscripts, NaN in min and max.
type helpers map[string]helper

// helper is one of them. Its text, a section of helpers.c, is for all targets: FUNCTION stands for the qualifiers of a
// function, GLOBAL for those of the loop's data, CONTEXT for the first parameter of one that may
// fail, CHECK for its check, and SINGLE for the suffix of float functions' names.
type helper struct {
	text   string
	device string // the text for devices, if different
	check  *check // what may end the loop
	late   bool   // it calls others, whatever their names
}

// check ends the loop where Go would panic.
type check struct {
	cond string // when
	kind int    // of fault
	a, b string // its numbers
}

var (
	divisor      = &check{"y == 0", codegen.FaultDivide, "0", "0"}
	shiftCount   = &check{"n < 0", codegen.FaultShift, "n", "0"}
	subscript    = &check{"i < 0 || i >= n", codegen.FaultIndex, "i", "n"}
	bigSubscript = &check{"i >= (uint64_t)n", codegen.FaultUIndex, "(int64_t)i", "n"}

	checks = map[string]*check{
		"div": divisor, "rem": divisor, "sshl": shiftCount, "sshr": shiftCount, "index": subscript, "uindex": bigSubscript,
	}
)

// newHelper returns the helper in a section, and the one for devices.
func newHelper(section string) helper {
	op, _, _ := strings.Cut(section, " ")
	return helper{text: texts[section], device: texts[section+" on devices"], check: checks[op]}
}

// on returns the text of the helper for a target.
func (h helper) on(t *Target) string {
	text, single := h.text, "f"
	if t.Apart && h.device != "" {
		text = h.device
	}
	if t.Overloaded {
		single = ""
	}
	return strings.NewReplacer("FUNCTION", t.Function, "GLOBAL", t.Global, "CONTEXT", t.Context+"op2", "CHECK", h.check.on(t), "SINGLE", single).Replace(text)
}

// on returns the statement. Where a fault leaves the loop, op2_fault does not return.
func (c *check) on(t *Target) string {
	if c == nil {
		return ""
	}
	fault := fmt.Sprintf("op2_fault(op2, %d, line, column, %s, %s);", c.kind, c.a, c.b)
	if t.Leaves {
		return "\tif (" + c.cond + ")\n\t\t" + fault
	}
	return "\tif (" + c.cond + ") {\n\t\t" + fault + "\n\t\treturn 0;\n\t}"
}

// use marks the helper as needed, and returns its C name.
func (h helpers) use(name string) string {
	switch name {
	case "min", "max", "frexp", "ilogb", "signbit":
		h.bits(loop.Float64)
	}
	h["op2_"+name] = newHelper(name)
	return "op2_" + name
}

// useOwn marks op2's own form of a function of <math.h> as needed, and returns its name.
func (h helpers) useOwn(name string) string {
	h["op2_"+name] = helper{text: ownText(name)}
	return "op2_" + name
}

// useFor marks the helper for values of type t as needed, and returns its C name.
func (h helpers) useFor(op string, t loop.Scalar) string {
	name := "op2_" + op + "_" + t.String()
	if t.Float() { // like the fixed ones: double
		name = "op2_" + op + "_" + t.C()
	}
	tmpl := newHelper(op + " of integers")
	if t.Float() {
		tmpl = newHelper(op + " of floats")
		h.bits(t)
	}
	unsigned := loop.Scalar(t)
	if t.Signed() {
		unsigned = t + (loop.Uint8 - loop.Int8)
	}
	r := strings.NewReplacer("NAME", name, "UTYPE", unsigned.C(), "TYPE", t.C(), "BITS", fmt.Sprint(8*t.Size()))
	text := r.Replace(tmpl.text)
	tmpl.device = r.Replace(tmpl.device)
	if t.Unsigned() {
		text = signedOnly.ReplaceAllString(text, "return $1;")
	}
	tmpl.text = text
	h[name] = tmpl
	return name
}

// bits marks the helpers for the bits of floats of type t, which others call, as needed. Their
// names sort first.
func (h helpers) bits(t loop.Scalar) {
	for _, name := range []string{t.C() + "_bits", t.C() + "_from_bits"} {
		h["op2_"+name] = newHelper(name)
	}
}

// fault reports whether one of the helpers may end the loop.
func (h helpers) fault() bool {
	for _, f := range h {
		if f.check != nil {
			return true
		}
	}
	return false
}

// print writes the helpers in order of their names, after those that they depend on.
func (h helpers) print(w *text.Writer, t *Target) {
	for _, n := range h.names() {
		w.Raw(h[n].on(t))
		w.Line("")
	}
}

// names returns the names of the helpers, those that call others after them.
func (h helpers) names() []string {
	names := sorting.Keys(h)
	sorting.By(names, func(a, b string) int {
		switch {
		case h[a].late == h[b].late:
			return 0
		case h[a].late:
			return 1
		}
		return -1
	})
	return names
}

// signedOnly matches what follows the check of a division, which only signed integers need.
var signedOnly = regexp.MustCompile(`return y == -1 \? .* : (?:\(\w+\))\((x [/%] y)\);.*`)

// UndefinedInPoCL are the functions of <math.h> whose built-in is undefined for some constants in PoCL 3.1, where it
// converts them to integers: most of them for NaN. Its compiler then takes any value, or drops branches of the kernel.
const UndefinedInPoCL = `rint rintf remainder remainderf powf atan2f
	ceil ceilf floor floorf round roundf trunc truncf exp expf exp2 exp2f expm1 expm1f sinhf tanhf tgammaf`

// ownText returns a form of a function of <math.h> that is defined for all values.
func ownText(name string) string {
	base, float := strings.CutSuffix(name, "f")
	text := strings.ReplaceAll(cmp.Or(texts["own "+base], texts["unless NaN"]), "NAME", base)
	if !float {
		return text
	}
	return strings.NewReplacer("double", "float", "op2_"+base, "op2_"+name, "0x1p52", "0x1p23f", "0x1p1023", "0x1p127f").Replace(text)
}
