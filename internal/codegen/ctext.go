package codegen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// The source of a C kernel is included verbatim in the generated source. Around it, macros give its
// functions and the consts the names that outer gives those of Go kernels. Macros that it defines
// are undefined at its end, so that they do not affect what follows. It must not use names that
// begin with op2_, which the generated source uses at file scope.

var (
	spliced     = regexp.MustCompile(`\\\r?\n`)
	comments    = regexp.MustCompile(`(?s)/\*.*?\*/`)
	includes    = regexp.MustCompile(`(?m)^[ \t]*(?:#|%:)[ \t]*include[ \t]*(<[^>]+>)`)
	identifiers = regexp.MustCompile(`\w+`)
	defines     = regexp.MustCompile(`(?m)^[ \t]*(?:#|%:)[ \t]*define[ \t]+(\w+)`)
)

// directives returns the source of a C kernel as its preprocessor sees lines.
func directives(source string) string {
	return comments.ReplaceAllString(spliced.ReplaceAllString(source, ""), " ")
}

// included returns the headers that the source of a C kernel includes.
func included(source string) []string {
	var list []string
	for _, m := range includes.FindAllStringSubmatch(directives(source), -1) {
		if !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

// verbatim makes the names of structs those that the source of a C kernel gives them.
func (p *printer) verbatim(k *kernel.Kernel) {
	for _, s := range k.Structs {
		p.structs[s] = s.Name
		p.file.taken[s.Name] = true
		for _, f := range s.Fields {
			p.fields[s][f.Name] = f.Name
		}
	}
}

// printText prints the source of a C kernel between the macros for its names.
func (p *printer) printText(w *writer, k *kernel.Kernel, text string) {
	var names []string
	name := func(name, as string) {
		w.line("#define %s %s", name, as)
		names = append(names, name)
	}
	for _, c := range k.Consts {
		name(c.Name, p.consts[c])
	}
	for _, f := range k.Funcs {
		name(f.Name, p.funcs[f])
	}
	if k.Types != "" {
		w.line("%s", strings.TrimSpace(k.Types))
	}
	for _, m := range defines.FindAllStringSubmatch(directives(k.Source), -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	w.source(1, k.File)
	w.raw(text)
	for _, s := range k.Structs {
		if kernel.OnlyTag(k.Source, s.Name) {
			w.line("typedef struct %[1]s %[1]s;", s.Name)
		}
	}
	w.raw("#undef " + strings.Join(names, "\n#undef "))
}

// useOwnMath marks op2's own forms of the functions of <math.h> that occur in the source as needed, and returns their names.
func (p *printer) useOwnMath(source string) []string {
	var list []string
	for _, word := range identifiers.FindAllString(source, -1) {
		if p.device.own[word] && !slices.Contains(list, word) {
			p.helpers.useOwn(word)
			list = append(list, word)
		}
	}
	return list
}
