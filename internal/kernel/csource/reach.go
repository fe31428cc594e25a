package csource

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

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

// reach notes that the declarations of a name are to be written in C. They are put on a list, since they can
// be reached while another one is being written.
func (u *unit) reach(name token) {
	var bodies []*item
	for _, it := range u.items[name.text] {
		if it.body > 0 && !slices.Contains(bodies, it) {
			bodies = append(bodies, it)
		}
	}
	if len(bodies) > 1 && !bodies[0].reached && !sameParameters(bodies[0], bodies[1]) {
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

// sameParameters reports whether two functions take the same parameters.
func sameParameters(a, b *item) bool {
	return slices.EqualFunc(a.params, b.params, func(p, q param) bool {
		return p.of == q.of && p.reference == q.reference && marksOf(p) == marksOf(q)
	})
}

// marksOf returns the marks in a parameter, which are part of its type.
func marksOf(p param) (text string) {
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
