package ckernel

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/sorting"
)

// The source of a C kernel is included verbatim in the generated source. Around it, macros give its
// functions and the consts the names that outer gives those of Go kernels. Macros that it defines
// are undefined at its end, so that they do not affect what follows. It must not use names that
// begin with op2_, which the generated source uses at file scope.

var (
	spliced      = regexp.MustCompile(`\\\r?\n`)
	comments     = regexp.MustCompile(`(?s)/\*.*?\*/`)
	includes     = regexp.MustCompile(`(?m)^[ \t]*(?:#|%:)[ \t]*include[ \t]*(<[^>]+>)`)
	identifiers  = regexp.MustCompile(`\w+`)
	shortVectors = regexp.MustCompile(`^(u?(char|short|int|long|longlong)|float|double|half)(1|2|3|4|8|16)$`)
	defines      = regexp.MustCompile(`(?m)^[ \t]*(?:#|%:)[ \t]*define[ \t]+(\w+)`)
)

// directives returns the source of a C kernel as its preprocessor sees lines.
func directives(source string) string {
	return comments.ReplaceAllString(spliced.ReplaceAllString(source, ""), " ")
}

// Included returns the headers that the source of a C kernel includes.
func Included(source string) []string {
	var list []string
	for _, m := range includes.FindAllStringSubmatch(directives(source), -1) {
		if !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

// Verbatim makes the names of structs those that the source of a C kernel gives them, or that macros
// give them.
func (p *Printer) Verbatim(k *kernel.Kernel) {
	p.replaced = replacedNames(k, p.target.Foreign)
	given := func(name string) string {
		if as, ok := p.replaced[name]; ok {
			return as
		}
		return name
	}
	for _, s := range k.Structs {
		p.structs[s] = given(s.Name)
		p.file.Reserve(p.structs[s])
		for _, f := range s.Fields {
			p.fields[s][f.Name] = given(f.Name)
		}
	}
}

// builtins are functions of OpenCL C and CUDA that C does not have.
const builtins = `
	dot cross length distance normalize clamp mix step smoothstep sign degrees radians min max mad mad24 mul24 mad_hi mul_hi
	select any all bitselect shuffle shuffle2 clz ctz popcount rotate hadd rhadd abs_diff add_sat sub_sat upsample fract maxmag
	minmag rsqrt barrier prefetch saturate`

// oldNames are variables and functions that headers of C libraries declare beyond C99.
var oldNames = text.Words(`gamma gammaf gammal drem dremf finite finitef scalb scalbf significand significandf signgam
	j0 j0f j1 j1f jn jnf y0 y0f y1 y1f yn ynf index rindex`)

var deviceNames = text.Words(text.OtherKeywords + builtins)

// replacedNames returns new names for those of a C kernel's source that are also old names of a C library, or, on
// devices, keywords, types or functions of their languages. C99 has none of these: the source declares them itself,
// unless it calls a function of the library by a prototype.
func replacedNames(k *kernel.Kernel, foreign bool) map[string]string {
	replaced := map[string]string{}
	source := k.Source + k.Types
	used := text.Words(strings.Join(identifiers.FindAllString(source, -1), " "))
	for _, m := range defines.FindAllStringSubmatch(directives(source), -1) {
		delete(used, m[1])
	}
	for word := range used {
		old := oldNames[word] && !regexp.MustCompile(`\b`+word+`\s*\(`).MatchString(source)
		if !old && (!foreign || !deviceNames[word] && !shortVectors.MatchString(word)) {
			continue
		}
		as := text.Outer(word)
		for used[as] {
			as += "_"
		}
		replaced[word] = as
	}
	return replaced
}

// PrintText prints the source of a C kernel between the macros for its names.
func (p *Printer) PrintText(w *text.Writer, k *kernel.Kernel, text string) {
	var names []string
	name := func(name, as string) {
		w.Line("#define %s %s", name, as)
		names = append(names, name)
	}
	for _, c := range k.Consts {
		name(c.Name, p.consts[c])
	}
	for _, f := range k.Funcs {
		name(f.Name, p.funcs[f])
	}
	for _, word := range sorting.Keys(p.replaced) {
		if !slices.Contains(names, word) {
			name(word, p.replaced[word])
		}
	}
	for _, f := range p.formNames() {
		if p.forms {
			w.Line("#define %[1]s(%[2]s) op2_%[1]s(%[2]s)", f, p.formed[f].each("%s"))
			names = append(names, f)
		}
	}
	if k.Types != "" {
		w.Line("%s", strings.TrimSpace(k.Types))
	}
	for _, m := range defines.FindAllStringSubmatch(directives(k.Source), -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	w.Source(1, k.File)
	w.Raw(text)
	for _, s := range k.Structs {
		if kernel.OnlyTag(k.Source, s.Name) {
			w.Line("typedef struct %[1]s %[1]s;", s.Name)
		}
	}
	w.Raw("#undef " + strings.Join(names, "\n#undef "))
}

// UseOwnMath marks op2's own forms of the functions of <math.h> that occur in the source as needed, and returns their names.
func (p *Printer) UseOwnMath(source string) []string {
	var list []string
	for _, word := range identifiers.FindAllString(source, -1) {
		if p.target.Own[word] && !slices.Contains(list, word) {
			p.helpers.useOwn(word)
			list = append(list, word)
		}
	}
	return list
}

// WithMissing returns the arguments for the function in the source of a C kernel: null pointers for those that the call leaves out.
func WithMissing(k *kernel.Kernel, pass []string) []string {
	pass = slices.Clone(pass)
	for _, missing := range k.LeftOut {
		pass = slices.Insert(pass, missing.At, "0")
	}
	return pass
}
