package csource

import (
	"maps"
	"slices"
)

// declaration emits the declaration at i, and returns the index behind it.
func (f *rewriter) declaration(in []token, i int) int {
	end := semicolon(in, i)
	d := f.deduced(in[i:end])
	if at := index(d, "std"); at >= 0 && at+3 < len(d) && d[at+3].is("<") && !has(d[:at], "=") {
		f.checkStandard(d[at+2])
		return end + 1
	}
	tag := f.structure(&d)
	f.list(split(d, ","), func(n int, part []token) { f.declarator(part, d, n == 0) })
	if end < len(in) {
		f.emit(in[end])
	}
	if len(tag) > 0 {
		f.rewrite(in[min(end, len(in)-1)], append(tag, ";")...)
	}
	return end + 1
}

// structure emits the definition of a struct, union or enum at the start of a declaration, leaves
// the declarators in d, and returns a typedef that makes its tag a type of C, if it has to be one.
func (f *rewriter) structure(d *[]token) (typedef []string) {
	tokens := *d
	open := index(tokens, "{", "=", "(")
	head := index(tokens, "struct", "union", "class", "enum")
	if head < 0 || open < head || !tokens[open].is("{") {
		return nil
	}
	end := closing(tokens, open)
	tag, what := tagOf(tokens[head:open]), tokens[head].text
	before := tokens[:open]
	if at := index(before, ":"); at >= 0 {
		if what != "enum" {
			f.unit.problem(before[at], "write the fields, or make it a field", "%s is derived from another struct", tag)
		}
		before = before[:at]
		f.unit.changed = true
	}
	if what == "class" {
		what = "struct"
	}
	if tag != "" && !f.aliased(tag) {
		typedef = []string{"typedef", what, tag, tag}
		if f.global && what != "enum" { // which its fields may use
			f.rewrite(tokens[0], append(typedef, ";")...)
			typedef = nil
		}
		f.declare(tag, local{isType: true})
	}
	for i, t := range before {
		switch {
		case i == head && t.is("class"):
			f.rewrite(t, what)
		case t.text == tag:
			f.emit(t)
		default:
			f.typeWord(t)
		}
	}
	f.emit(tokens[open])
	if what == "enum" {
		f.enumerators(tokens[open+1 : end])
	} else {
		f.fields(tag, tokens[open+1:end])
	}
	f.emit(tokens[end])
	*d = tokens[end+1:]
	return typedef
}

// aliased reports whether the program itself makes a tag a type, with a typedef.
func (f *rewriter) aliased(tag string) bool {
	return slices.ContainsFunc(f.unit.items[tag], func(it *item) bool { return it.tokens[0].is("typedef") })
}

func (f *rewriter) enumerators(tokens []token) {
	f.list(split(tokens, ","), func(_ int, e []token) {
		if len(e) > 0 {
			f.declare(e[0].text, local{of: "int"})
			f.emit(e[0])
			f.expression(f.constants(e[1:]))
		}
	})
}

// fields emits the fields of a struct.
func (f *rewriter) fields(tag string, tokens []token) {
	for _, field := range split(tokens, ";") {
		for len(field) > 1 && field[0].is("public", "private", "protected") && field[1].is(":") {
			field, f.unit.changed = field[2:], true
		}
		if len(field) == 0 {
			continue
		}
		if at := method(field); at >= 0 {
			f.unit.problem(field[at], "make it a function that takes a pointer, and set fields one by one", "%s has a function, %s", tag, field[at].text)
			continue
		}
		if at := index(field, "="); at > 0 {
			f.unit.problem(field[at], "set it where a variable is declared", "a field with a value")
			continue
		}
		f.enter()
		f.declaration(append(slices.Clone(field), made(";", field[len(field)-1])), 0)
		f.leave()
	}
}

// method returns the index of the name of a function that a field of a struct is; -1 if it is none.
func method(field []token) int {
	if at := index(field, "operator"); at >= 0 {
		return at
	}
	open := index(field, "(")
	if open > 0 && field[open-1].kind == word && !keywords[field[open-1].text] && !field[open-1].is(attributes...) {
		return open - 1
	}
	return -1
}

// declarator emits one declarator of the declaration d; the first comes with its specifiers.
func (f *rewriter) declarator(part, d []token, first bool) {
	name := declared(part)
	if name < 0 || first && f.unit.isType(part[name].text) && !slices.ContainsFunc(part[:name], f.typeName) && !tagged(d, part[name].text) {
		f.specifiers(part)
		return
	}
	head := d[:declared(d)+1]
	l := local{of: newParam(head).of, isType: d[0].is("typedef")}
	l.reference = has(part[:name], "&")
	init := len(part)
	for i := name + 1; i < len(part); i++ {
		if part[i].is("[") {
			i = closing(part, i)
		} else if part[i].is("=", "{", "(") {
			init = i
			break
		}
	}
	value := part[init:]
	if l.reference {
		f.declareReference(part, name, init, l)
		return
	}
	f.specifiers(part[:name])
	f.emit(part[name])
	f.expression(f.constants(part[name+1 : init]))
	if len(value) > 0 && value[0].is("{") || len(value) > 1 && value[0].is("(") && f.unit.kindOf(l.of) != "" && !f.declares(value[1:]) { // double x{1}, x(1)
		f.rewrite(value[0], "=")
	} else if len(value) > 0 && value[0].is("(") && !f.global && l.of != "" && !f.declares(value[1:]) && len(value) > 2 {
		f.unit.problem(part[name], "set its fields", "%s is made by a constructor", part[name].text)
	}
	if f.global && len(value) > 0 {
		value = f.constants(value)
	}
	f.expression(value)
	if len(value) > 1 && integer(l.of) && has(head, "const", "constexpr") && !has(part[:init], "*", "[") {
		l.value = value[1:]
	}
	if !f.global {
		f.declare(part[name].text, l)
	}
}

func (f *rewriter) declareReference(part []token, name, init int, l local) {
	if init == len(part) || !part[init].is("=") {
		f.unit.problem(part[name], "bind it where it is declared, as double &y = x[0]; a field can be a pointer", "%s is a reference to nothing", part[name].text)
		return
	}
	for i, t := range part[:init] {
		switch {
		case t.is("&"):
			f.rewrite(t, "*")
		case i == name:
			f.emit(t)
		default:
			f.typeWord(t)
		}
	}
	f.emit(part[init])
	f.refer(part[init+1:], l.of, has(part[:name], "const"))
	f.declare(part[name].text, l)
}

// constants replaces const integers by their values, where C wants constants.
func (f *rewriter) constants(tokens []token) (out []token) {
	tokens = f.seen(tokens)
	for i, t := range tokens {
		var value []token
		if l, local := f.lookup(t.text); t.kind != word || i > 0 && tokens[i-1].is(".", "->") {
		} else if local {
			value = l.value
		} else {
			value = f.unit.constant(t.text)
		}
		if value == nil || slices.Contains(f.expanding, t.text) {
			out = append(out, t)
			continue
		}
		f.expanding = append(f.expanding, t.text)
		f.unit.changed = true
		out = append(out, made("(", t))
		for _, v := range f.constants(value) {
			v.pos = t.pos
			out = append(out, v)
		}
		f.expanding = f.expanding[:len(f.expanding)-1]
		out = append(out, made(")", t))
	}
	return out
}

// deduced returns a declaration with the type for auto, where that is plain from the value.
func (f *rewriter) deduced(d []token) []token {
	at := index(d, "auto")
	if at < 0 {
		return d
	}
	init := index(d, "=")
	value := d[init+1:]
	switch {
	case at+1 < len(d) && d[at+1].is("["):
		f.unit.problem(d[at+1], "declare one variable for each", "a declaration of several variables from a struct")
		return d
	case init >= 0 && len(value) > 0 && value[0].is("["): // a lambda expression, which is refused by itself
		return d
	}
	of := ""
	if init >= 0 && len(split(d, ",")) == 1 {
		of = f.typeOf(f.seen(value))
	}
	if of == "" {
		f.unit.problem(d[at], "write the type", "auto has no counterpart in C99")
		return d
	}
	out := slices.Clone(d)
	out[at].text = of
	f.unit.changed = true
	return out
}

// using emits an alias of a type as a typedef, leaves out using for a namespace or a name in it, and
// reports whether it is one of these.
func (f *rewriter) using(in []token) bool {
	equals := index(in, "=")
	switch {
	case equals < 0 && len(in) > 1:
		f.unit.changed = true
		v := maps.Clone(f.views[len(f.views)-1])
		f.unit.use(v, f.space, in)
		f.views[len(f.views)-1] = v
		return in[1].is("namespace") || f.unit.owners[in[1].text] != "" || has(in, "::")
	case equals != 2 || has(in, "(", "<", "::"):
		return false
	}
	name, of := in[1], in[equals+1:]
	bound := index(of, "[")
	if bound < 0 {
		bound = len(of)
	}
	f.rewrite(in[0], "typedef")
	f.specifiers(of[:bound])
	f.emit(name)
	f.expression(f.constants(of[bound:]))
	f.emit(made(";", in[len(in)-1]))
	f.declare(name.text, local{isType: true})
	return true
}
