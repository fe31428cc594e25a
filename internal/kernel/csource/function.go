package csource

import "slices"

// rewriter writes a function, or a declaration, in C.
type rewriter struct {
	unit   *unit
	out    []token
	scopes []map[string]local
	global bool
}

// local is a variable of a function.
type local struct {
	of        string // the words for the type that it is made of
	reference bool
	isType    bool
	value     []token // of a const integer
}

func (f *rewriter) enter() { f.scopes = append(f.scopes, map[string]local{}) }
func (f *rewriter) leave() { f.scopes = f.scopes[:len(f.scopes)-1] }

func (f *rewriter) declare(name string, l local) { f.scopes[len(f.scopes)-1][name] = l }

func (f *rewriter) lookup(name string) (local, bool) {
	for i := len(f.scopes) - 1; i >= 0; i-- {
		if l, ok := f.scopes[i][name]; ok {
			return l, true
		}
	}
	return local{}, false
}

func (f *rewriter) emit(t ...token) { f.out = append(f.out, t...) }

// rewrite emits texts in place of what stands at a token.
func (f *rewriter) rewrite(at token, texts ...string) {
	f.unit.changed = true
	for i, text := range texts {
		t := made(text, at)
		if isLetter(text[0]) {
			t.kind = word
		}
		t.space = i == 0 && at.space
		f.emit(t)
	}
}

// comma emits one after what stands before it.
func (f *rewriter) comma(before []token) {
	if len(before) > 0 {
		f.emit(made(",", before[len(before)-1]))
	}
}

// writeFunction returns a function or a prototype in C.
func (u *unit) writeFunction(it *item) []token {
	f := &rewriter{unit: u}
	end := closing(it.tokens, it.open)
	f.specifiers(it.tokens[:it.open-1])
	if slices.ContainsFunc(it.tokens[:it.open], func(t token) bool { return t.is("&") }) {
		u.problem(it.tokens[it.open-1], "return the value", "%s returns a reference", it.names[0])
	}
	f.emit(it.tokens[it.open-1], it.tokens[it.open])
	f.enter()
	for i, p := range it.params {
		if i > 0 {
			f.comma(it.params[i-1].tokens)
		}
		f.parameter(p)
	}
	f.emit(it.tokens[end])
	if it.body == 0 {
		f.emit(it.tokens[len(it.tokens)-1])
		return f.out
	}
	f.statement(it.tokens, it.body)
	return f.out
}

// parameter emits one parameter, a reference as a pointer.
func (f *rewriter) parameter(p param) {
	name := declared(p.tokens)
	for i, t := range p.tokens {
		switch {
		case t.is("&"):
			f.rewrite(t, "*")
		case t.is("&&"):
			f.unit.problem(t, "pass it by value", "%s is a reference to a temporary value", p.name)
		case t.is("="):
			f.unit.problem(t, "pass the value in each call", "%s has a default value", p.name)
			return
		case i == name && p.name != "":
			f.emit(t)
		default:
			f.typeWord(t)
		}
	}
	if p.name != "" {
		f.declare(p.name, local{of: p.of, reference: p.reference})
	}
}

// dropped are words that say nothing about values.
var dropped = map[string]bool{"__device__": true, "__host__": true, "__forceinline__": true, "__global__": true, "noexcept": true, "mutable": true, "class": true}

// specifiers emits the words before a declarator.
func (f *rewriter) specifiers(tokens []token) {
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is(attributes...) && i+1 < len(tokens) && tokens[i+1].is("("):
			i = closing(tokens, i+1)
			f.unit.changed = true
		case t.is("std") && i+2 < len(tokens) && tokens[i+1].is("::"):
			i += 2
			f.standardType(tokens[i])
		default:
			f.typeWord(t)
		}
	}
}

// standardType emits the type std::name.
func (f *rewriter) standardType(name token) {
	if !f.unit.isType(name.text) {
		f.unit.problem(name, "use numbers, arrays and structs of these", "std::%s is a type of C++", name.text)
	}
	f.rewrite(name, name.text)
}

// typeWord emits a word in a type, or a mark.
func (f *rewriter) typeWord(t token) {
	switch {
	case dropped[t.text] && t.kind == word:
		f.unit.changed = true
	case t.is("constexpr"):
		f.rewrite(t, "const")
	case t.is("::"):
		f.unit.changed = true
	case t.kind == word && !keywords[t.text]:
		f.name(t)
	default:
		f.emit(t)
	}
}

// statement emits the one at i, and returns what follows.
func (f *rewriter) statement(in []token, i int) int {
	if i >= len(in) {
		return i
	}
	t := in[i]
	switch {
	case t.is("{"):
		end := closing(in, i)
		f.emit(t)
		f.enter()
		for i++; i < end; {
			i = f.statement(in[:end], i)
		}
		f.leave()
		f.emit(in[end])
		return end + 1
	case t.is("if", "while", "switch") && i+1 < len(in) && (in[i+1].is("(") || in[i+1].is("constexpr")):
		f.emit(t)
		if i++; in[i].is("constexpr") {
			f.unit.changed = true
			i++
		}
		i = f.statement(in, f.parenthesis(in, i))
		if t.is("if") && i < len(in) && in[i].is("else") {
			f.emit(in[i])
			i = f.statement(in, i+1)
		}
		return i
	case t.is("for") && i+1 < len(in) && in[i+1].is("("):
		return f.loop(in, i)
	case t.is("do"):
		f.emit(t)
		i = f.statement(in, i+1)
		return f.simple(in, i)
	case t.is("case"):
		end := i + slices.IndexFunc(in[i:], func(t token) bool { return t.is(":") })
		if end < i {
			return f.simple(in, i)
		}
		f.emit(t)
		f.expression(f.constants(in[i+1 : end]))
		f.emit(in[end])
		return end + 1
	case t.kind == word && i+1 < len(in) && in[i+1].is(":"): // default, and labels
		f.emit(t, in[i+1])
		return i + 2
	case t.is("goto"):
		f.emit(t, in[i+1])
		return f.simple(in, i+2)
	case t.is("typedef", "using", "try", "throw", "delete", "template"):
		f.foreign(t)
	case f.declares(in[i:]):
		return f.declaration(in, i)
	}
	return f.simple(in, i)
}

// simple emits a statement up to its semicolon.
func (f *rewriter) simple(in []token, i int) int {
	end := semicolon(in, i)
	f.expression(in[i:end])
	if end < len(in) {
		f.emit(in[end])
	}
	return end + 1
}

// semicolon returns the index of the next semicolon outside of brackets.
func semicolon(in []token, i int) int {
	for ; i < len(in); i++ {
		switch {
		case in[i].is(";"):
			return i
		case in[i].is("(", "[", "{"):
			i = closing(in, i)
		}
	}
	return i
}

// parenthesis emits an expression in parentheses, and returns what follows.
func (f *rewriter) parenthesis(in []token, i int) int {
	end := closing(in, i)
	f.expression(in[i : end+1])
	return end + 1
}

// loop emits a for loop, whose variables it declares for itself.
func (f *rewriter) loop(in []token, i int) int {
	f.enter()
	defer f.leave()
	end := closing(in, i+1)
	f.emit(in[i], in[i+1])
	head := in[i+2 : end]
	if semicolon(head, 0) == len(head) {
		f.unit.problem(in[i], "count: for (int i = 0; i < n; i++)", "a for loop over a range")
		return f.statement(in, end+1)
	}
	next := 0
	if f.declares(head) {
		next = f.declaration(head, 0)
	} else {
		next = f.simple(head, 0)
	}
	f.expression(head[min(next, len(head)):])
	f.emit(in[end])
	return f.statement(in, end+1)
}

// declares reports whether a statement is a declaration.
func (f *rewriter) declares(in []token) bool {
	for i, t := range in {
		switch {
		case t.is("const", "static", "volatile", "register", "extern", "constexpr", "struct", "union", "enum", "auto", "typedef"):
			return true
		case t.is("std") && len(in) > i+2 && in[i+1].is("::"):
			return f.unit.isType(in[i+2].text) || len(in) > i+3 && (in[i+3].is("<") || in[i+3].kind == word)
		case t.is("::"):
			continue
		case t.kind != word:
			return false
		}
		if l, local := f.lookup(t.text); local && !l.isType || !local && !f.unit.isType(t.text) {
			return false
		}
		if i+1 < len(in) && in[i+1].is("(") { // double (*p)[3], or double(x)
			return i+2 < len(in) && in[i+2].is("*", "&")
		}
		return true
	}
	return false
}

// declaration emits the one at i, and returns what follows.
func (f *rewriter) declaration(in []token, i int) int {
	end := semicolon(in, i)
	d := in[i:end]
	if at := slices.IndexFunc(d, func(t token) bool { return t.is("auto") }); at >= 0 {
		f.unit.problem(d[at], "write the type", "auto has no counterpart in C99")
	}
	tag := f.structure(&d)
	var before []token
	for n, part := range split(d, ",") {
		if n > 0 {
			f.comma(before)
		}
		before = part
		f.declarator(part, d, n == 0)
	}
	if end < len(in) {
		f.emit(in[end])
	}
	if len(tag) > 0 {
		f.rewrite(in[min(end, len(in)-1)], append(tag, ";")...)
	}
	return end + 1
}

// foreign refuses a construct of C++.
func (f *rewriter) foreign(t token) {
	hint := foreigners[t.text]
	if hint == "" {
		return
	}
	f.unit.problem(t, hint, "%s has no counterpart in C", t.text)
}

// foreigners are words of C++, and what to write instead.
var foreigners = map[string]string{
	"using":        "write the type's name",
	"new":          "use an array of constant length",
	"delete":       "use an array of constant length",
	"try":          "count failures in a global that is passed with Inc",
	"throw":        "count failures in a global that is passed with Inc",
	"template":     "write a function for each type that is used",
	"dynamic_cast": "use plain structs and functions",
	"this":         "pass a pointer to a function",
}
