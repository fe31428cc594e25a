package codegen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// The text of a kernel in C stands in generated text as it is. While it lasts, macros give
// its functions and the consts the names that outer gives those of kernels in Go. Macros that it defines
// end with it, lest they change what follows. It may not use names that begin with op2_, which
// is where the names are that the generated text has at file scope.

var (
	spliced  = regexp.MustCompile(`\\\r?\n`)
	comments = regexp.MustCompile(`(?s)/\*.*?\*/`)
	includes = regexp.MustCompile(`(?m)^[ \t]*(?:#|%:)[ \t]*include[ \t]*(<[^>]+>)`)
	defines  = regexp.MustCompile(`(?m)^[ \t]*(?:#|%:)[ \t]*define[ \t]+(\w+)`)
)

// directives is the text of a kernel in C as its preprocessor sees lines.
func directives(source string) string {
	return comments.ReplaceAllString(spliced.ReplaceAllString(source, ""), " ")
}

// included are the headers that the text of a kernel in C includes.
func included(source string) []string {
	var list []string
	for _, m := range includes.FindAllStringSubmatch(directives(source), -1) {
		if !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

// printText prints the text of a kernel in C between the macros for its names.
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
	for _, m := range defines.FindAllStringSubmatch(directives(k.Source), -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	w.source(1, k.File)
	w.raw(text)
	w.raw("#undef " + strings.Join(names, "\n#undef "))
}
