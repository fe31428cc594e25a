package csource

import "slices"

// structure emits the definition of a struct, union or enum at the start of a declaration, leaves
// what follows it in d, and returns a typedef that makes its tag a type of C, if it has to be one.
func (f *rewriter) structure(d *[]token) (typedef []string) {
	tokens := *d
	open := slices.IndexFunc(tokens, func(t token) bool { return t.is("{", "=", "(") })
	head := slices.IndexFunc(tokens, func(t token) bool { return t.is("struct", "union", "class", "enum") })
	if head < 0 || open < head || !tokens[open].is("{") {
		return nil
	}
	end := closing(tokens, open)
	tag := ""
	if open > head+1 && tokens[open-1].kind == word {
		tag = tokens[open-1].text
	}
	what := tokens[head].text
	if what == "class" {
		f.unit.problem(tokens[head], "use a struct of numbers and arrays, and functions", "class %s", tag)
	}
	if f.bases(tokens[head:open]) {
		*d = nil
		return nil
	}
	if tag != "" && !f.aliased(tag) {
		typedef = []string{"typedef", what, tag, tag}
		if f.global && what != "enum" { // which its fields may use
			f.rewrite(tokens[0], append(typedef, ";")...)
			typedef = nil
		}
		f.declare(tag, local{isType: true})
	}
	for _, t := range tokens[:open] {
		if t.text == tag {
			f.emit(t)
			continue
		}
		f.typeWord(t)
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

// bases refuses a struct that is derived from another.
func (f *rewriter) bases(head []token) bool {
	at := slices.IndexFunc(head, func(t token) bool { return t.is(":") })
	if at >= 0 {
		f.unit.problem(head[at], "write the fields, or make it a field", "a struct that is derived from another")
	}
	return at >= 0
}

// aliased reports whether the program itself makes a tag a type, with a typedef.
func (f *rewriter) aliased(tag string) bool {
	return slices.ContainsFunc(f.unit.items[tag], func(it *item) bool { return it.tokens[0].is("typedef") })
}

func (f *rewriter) enumerators(tokens []token) {
	parts := split(tokens, ",")
	for i, e := range parts {
		if i > 0 {
			f.comma(parts[i-1])
		}
		if len(e) > 0 {
			f.declare(e[0].text, local{of: "int"})
			f.emit(e[0])
			f.expression(f.constants(e[1:]))
		}
	}
}

// fields emits the fields of a struct.
func (f *rewriter) fields(tag string, tokens []token) {
	for _, field := range split(tokens, ";") {
		if len(field) == 0 {
			continue
		}
		open := slices.IndexFunc(field, func(t token) bool { return t.is("(") })
		if open > 0 && field[open-1].kind == word && !field[open-1].is(attributes...) {
			f.unit.problem(field[open-1], "make it a function that takes a pointer, and set fields one by one", "%s has a function, %s", tag, field[open-1].text)
			continue
		}
		if at := slices.IndexFunc(field, func(t token) bool { return t.is("=") }); at > 0 {
			f.unit.problem(field[at], "set it where a variable is declared", "a field with a value")
			continue
		}
		before := len(f.scopes)
		f.enter()
		f.declaration(append(slices.Clone(field), made(";", field[len(field)-1])), 0)
		f.scopes = f.scopes[:before]
	}
}

// declarator emits one declarator of the declaration d; the first comes with its specifiers.
func (f *rewriter) declarator(part, d []token, first bool) {
	name := declared(part)
	if name < 0 || first && f.unit.isType(part[name].text) && !slices.ContainsFunc(part[:name], f.typeName) && !tagged(d, part[name].text) {
		f.specifiers(part)
		return
	}
	head := d
	if at := slices.IndexFunc(d, func(t token) bool { return t.is("=", ",") }); at > 0 {
		head = d[:at]
	}
	l := local{of: newParam(head).of, isType: d[0].is("typedef")}
	l.reference = slices.ContainsFunc(part[:name], func(t token) bool { return t.is("&") })
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
	if len(value) > 1 && integer(l.of) && slices.ContainsFunc(head, func(t token) bool { return t.is("const", "constexpr") }) && !slices.ContainsFunc(part[:init], func(t token) bool { return t.is("*", "[") }) {
		l.value = value[1:]
	}
	if !f.global {
		f.declare(part[name].text, l)
	}
}

// declareReference emits a reference as a pointer.
func (f *rewriter) declareReference(part []token, name, init int, l local) {
	if init == len(part) || !part[init].is("=") {
		f.unit.problem(part[name], "", "%s is a reference to nothing", part[name].text)
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
	f.refer(part[init+1:], l.of, slices.ContainsFunc(part[:name], func(t token) bool { return t.is("const") }))
	f.declare(part[name].text, l)
}

func (f *rewriter) typeName(t token) bool {
	l, local := f.lookup(t.text)
	return t.kind == word && (local && l.isType || !local && f.unit.isType(t.text) || t.is("auto"))
}

// constants replaces const integers by their values, where C wants constants.
func (f *rewriter) constants(tokens []token) (out []token) {
	for i, t := range tokens {
		var value []token
		if l, local := f.lookup(t.text); t.kind != word || i > 0 && tokens[i-1].is(".", "->") {
		} else if local {
			value = l.value
		} else {
			value = f.unit.constant(t.text)
		}
		if value == nil {
			out = append(out, t)
			continue
		}
		f.unit.changed = true
		out = append(out, made("(", t))
		for _, v := range f.constants(value) {
			v.pos = t.pos
			out = append(out, v)
		}
		out = append(out, made(")", t))
	}
	return out
}
