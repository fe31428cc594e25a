package csource

import (
	"fmt"
	"io/fs"

	"github.com/go-op2/op2/internal/kernel"
)

// preprocessor follows directives: it includes files of the program, and expands macros that they
// define. What standard headers define stays as it is.
type preprocessor struct {
	files    fs.FS
	known    Known
	macros   map[string]*macro
	texts    map[string]string // of the files that were read
	once     map[string]bool   // files with #pragma once
	headers  []string          // standard ones
	missing  []kernel.Problem
	problems []kernel.Problem
	run      []token // text that has not been expanded yet
	out      []token
	depth    int
	changed  bool // an include was left out, or replaced
	expanded int
}

func (p *preprocessor) problem(at token, hint, format string, args ...any) {
	p.problems = append(p.problems, kernel.Problem{Pos: at.pos, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// defined reports whether a name is a macro, of a standard header too.
func (p *preprocessor) defined(name string) bool {
	return p.macros[name] != nil || p.known.Macros[name]
}

// macro is a macro of #define: its parameters and its body.
type macro struct {
	name     string
	function bool
	params   []string
	body     []token
}
