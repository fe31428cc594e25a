package csource

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
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

func newUnit(kernelName string, list []*item, scopes map[string]bool, known Known) *unit {
	u := &unit{
		known: known, scopes: scopes, items: map[string][]*item{}, types: map[string]bool{}, consts: map[string]kernel.Type{},
		members: map[string]view{}, owners: map[string]string{}, inline: maps.Clone(scopes), views: map[string]view{},
	}
	for _, it := range list {
		for _, part := range strings.Split(it.scope, "::") {
			delete(u.inline, part)
		}
	}
	for _, c := range known.Consts {
		u.consts[c.Name] = c.Type
	}
	u.nameMembers(list, kernelName)
	for _, it := range list {
		for _, name := range it.names {
			u.items[name] = append(u.items[name], it)
		}
		if it.open == 0 && len(it.tokens) > 0 {
			u.declareTypes(it)
		}
		if it.tokens[0].is("using") {
			u.usings = append(u.usings, it)
		}
	}
	return u
}

func (u *unit) declareTypes(it *item) {
	typedef := it.tokens[0].is("typedef", "using")
	for _, name := range it.names {
		if typedef || tagged(it.tokens, name) {
			u.types[name] = true
		}
	}
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

func (u *unit) problem(at token, hint, format string, args ...any) {
	p := kernel.Problem{Pos: at.pos, Msg: fmt.Sprintf(format, args...), Hint: hint}
	if !slices.Contains(u.problems, p) {
		u.problems = append(u.problems, p)
	}
}

func (u *unit) isType(name string) bool {
	return basic[name] || u.types[name] || u.known.Types[name] || slices.Contains(u.known.Structs, name)
}

// basic lists the words for types of C.
var basic = set("void char short int long float double signed unsigned bool _Bool")

// function returns the function or prototype called name; nil if there is none.
func (u *unit) function(name string) *item {
	for _, it := range u.items[name] {
		if it.open > 0 {
			return it
		}
	}
	return nil
}

// reach notes that the declarations of a name are to be written in C. They are put on a list, since they can
// be reached while another one is being written.
func (u *unit) reach(name token) {
	var bodies []*item
	for _, it := range u.items[name.text] {
		if it.body > 0 && !slices.Contains(bodies, it) {
			bodies = append(bodies, it)
		}
	}
	if len(bodies) > 1 && !bodies[0].reached && !alike(bodies[0], bodies[1]) {
		u.problem(bodies[1].tokens[bodies[1].open-1], "give them different names", "%s is overloaded, first in line %d", name.text, bodies[0].tokens[0].pos.Line)
	}
	u.checkScopes(name.text)
	for _, it := range u.items[name.text] {
		if it.reached || u.isConst(it, name.text) {
			continue
		}
		it.reached = true
		if it.template {
			u.problem(it.tokens[0], "write one for each type that is used", "%s is a template", name.text)
			continue
		}
		u.unwritten = append(u.unwritten, it)
	}
}

// reached reports whether all that these tokens name is written in C.
func (u *unit) reached(tokens []token) bool {
	return every(tokens, func(t token) bool {
		return t.kind != word || !slices.ContainsFunc(u.items[t.text], func(it *item) bool { return !it.reached })
	})
}

// checkScopes refuses types and enumerators of several namespaces, which keep their names, if they differ.
func (u *unit) checkScopes(name string) {
	var first *item
	for _, it := range u.items[name] {
		switch _, registered := u.consts[name]; {
		case it.open > 0 || it.reached || registered || u.owners[name] != "":
		case first == nil:
			first = it
		case it.scope != first.scope && !slices.EqualFunc(it.tokens, first.tokens, func(a, b token) bool { return a.text == b.text }):
			u.problem(it.tokens[0], "give them different names", "%s is declared in several namespaces, first in line %d", name, first.tokens[0].pos.Line)
		}
	}
}

// alike reports whether two functions take the same parameters.
func alike(a, b *item) bool {
	return slices.EqualFunc(a.params, b.params, func(p, q param) bool {
		return p.of == q.of && p.reference == q.reference && shape(p) == shape(q)
	})
}

// shape returns the marks in a parameter, which are part of its type.
func shape(p param) (text string) {
	for _, t := range p.tokens {
		if t.kind == mark {
			text += t.text
		}
	}
	return text
}

// isConst reports whether an item declares, without a value, a const that the program has registered.
// Such a declaration is left out.
func (u *unit) isConst(it *item, name string) bool {
	given, registered := u.consts[name]
	if !registered || it.open > 0 || it.tokens[0].is("static", "typedef") {
		return false
	}
	for _, d := range split(it.tokens[:len(it.tokens)-1], ",") {
		if at := declared(d); at < 0 || d[at].text != name || has(d, "=", "{") {
			continue
		}
		u.changed = true
		if has, want := u.kindOf(u.itemType(it)), constWord(given); has != "" && want != "" && has != want {
			u.problem(it.tokens[0], "declare it as the value is registered, or not at all", "%s is declared as %s, and registered as %s", name, has, given)
		}
		return true
	}
	return false
}

// itemType returns the words for the type that a declaration begins with, or that a function returns.
func (u *unit) itemType(it *item) string {
	end := it.open
	if end == 0 {
		end = index(it.tokens, "=", ",", ";", "[")
	}
	return newParam(it.tokens[:max(end, 0)]).of
}

// constant returns the value of a const integer at file scope, for places where C wants constants.
func (u *unit) constant(name string) []token {
	for _, it := range u.items[name] {
		if it.open > 0 || !has(it.tokens, "const", "constexpr") {
			continue
		}
		for _, d := range split(it.tokens[:len(it.tokens)-1], ",") {
			at := declared(d)
			if at < 0 || d[at].text != name || at+1 >= len(d) || !d[at+1].is("=") {
				continue
			}
			if integer(u.itemType(it)) {
				return u.see(u.view(it.scope), d[at+2:], noLocals)
			}
		}
	}
	return nil
}

func (u *unit) isEnum(name string) bool {
	return slices.ContainsFunc(u.items[name], func(it *item) bool { return it.open == 0 && it.tokens[0].is("enum") })
}

// integer reports whether the words for a type, as newParam gives them, are those of an integer.
func integer(of string) bool {
	words := strings.Fields(of)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !integers[w] })
}

// integers lists the words in types of integers.
var integers = set("char short int long signed unsigned size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t")

// kindOf returns "double", "float" or "int" for the word of a type.
func (u *unit) kindOf(of string) string {
	switch {
	case of == "double" || of == "float":
		return of
	case integer(of) || of == "bool" || of == "_Bool":
		return "int"
	}
	for _, it := range u.items[of] {
		if it.tokens[0].is("typedef") && len(it.tokens) == 4 {
			return u.kindOf(it.tokens[1].text)
		}
	}
	return ""
}

// field returns the word for the type of a field of a struct.
func (u *unit) field(of, name string) string {
	for _, it := range u.items[of] {
		open := index(it.tokens, "{")
		if it.open > 0 || open < 0 {
			continue
		}
		for _, line := range split(it.tokens[open+1:closing(it.tokens, open)], ";") {
			for _, d := range split(line, ",") {
				if at := declared(d); at >= 0 && d[at].text == name {
					return newParam(split(line, ",")[0]).of
				}
			}
		}
	}
	return ""
}

// constWord returns the word of C for the type that a const is made of.
func constWord(t kernel.Type) string {
	switch s := kernel.Leaf(t); {
	case s == loop.Float64:
		return "double"
	case s == loop.Float32:
		return "float"
	case s != loop.Invalid:
		return "int"
	}
	return ""
}

// typeOf returns the word for the type of a variable at file scope, of a const, or of what a function
// returns.
func (u *unit) typeOf(name string) string {
	if t, ok := u.consts[name]; ok {
		return constWord(t)
	}
	for _, it := range u.items[name] {
		return u.itemType(it)
	}
	return ""
}
