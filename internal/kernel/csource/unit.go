package csource

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// unit is a file that is being reduced to what a kernel reaches.
type unit struct {
	known    Known
	items    map[string][]*item // by the names that they declare
	types    map[string]bool
	scopes   map[string]bool // names of namespaces
	consts   map[string]kernel.Type
	problems []kernel.Problem

	members map[string]view   // of namespaces
	owners  map[string]string // the namespaces of printed names
	inline  map[string]bool   // namespaces that are part of those around them
	usings  []*item
	views   map[string]view // from namespaces

	unwritten []*item // that are reached
	changed   bool    // something was rewritten
	needs     string  // a header; empty if none
}

// tagged reports whether name is the tag of a struct or the like in a declaration.
func tagged(tokens []token, name string) bool {
	for i, t := range tokens[1:] {
		if t.text == name && tokens[i].is("struct", "union", "class", "enum") {
			return true
		}
	}
	return false
}

func (u *unit) isType(name string) bool {
	return basic[name] || u.types[name] || u.known.Types[name] || slices.Contains(u.known.Structs, name)
}

// function returns the function or prototype called name; nil if there is none.
func (u *unit) function(name string) *item {
	for _, it := range u.items[name] {
		if it.open > 0 {
			return it
		}
	}
	return nil
}

func (u *unit) isEnum(name string) bool {
	return slices.ContainsFunc(u.items[name], func(it *item) bool { return it.open == 0 && it.tokens[0].is("enum") })
}

// C has no namespaces: a function or a variable f of the namespace gas is printed as gas_f, so that it differs
// from those of other namespaces and of the library. Types keep their names.

// view maps the names of namespaces that a place sees to the printed ones; "" for a name of several
// namespaces.
type view map[string]string

func (u *unit) problem(at token, hint, format string, args ...any) {
	p := kernel.Problem{Pos: at.pos, Msg: fmt.Sprintf(format, args...), Hint: hint}
	if !slices.Contains(u.problems, p) {
		u.problems = append(u.problems, p)
	}
}
