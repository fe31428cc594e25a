package csource

// write returns an item in C.
func (u *unit) write(it *item) []token {
	f := &rewriter{unit: u, global: it.open == 0, space: it.scope, views: []view{u.view(it.scope)}}
	f.enter()
	switch first := it.tokens[0]; {
	case it.open > 0:
		f.function(it)
	case first.is("static_assert", "_Static_assert"):
		f.simple(it.tokens, 0)
	case !first.is("using") || !f.using(it.tokens[:len(it.tokens)-1]):
		f.declaration(it.tokens, 0)
	}
	return f.out
}

// function emits a function or a prototype.
func (f *rewriter) function(it *item) {
	u, end := f.unit, closing(it.tokens, it.open)
	f.result = u.itemType(it)
	f.specifiers(it.tokens[:it.open-1])
	if has(it.tokens[:it.open], "&") {
		u.problem(it.tokens[it.open-1], "return the value", "%s returns a reference", it.names[0])
	}
	if end+1 < len(it.tokens) && it.tokens[end+1].is("->") {
		u.problem(it.tokens[end+1], "write it before the name of the function", "%s has its type after ->", it.names[0])
	}
	f.emit(it.tokens[it.open-1], it.tokens[it.open])
	for i, p := range it.params {
		if i > 0 {
			f.comma(it.params[i-1].tokens)
		}
		f.parameter(p)
	}
	f.emit(it.tokens[end])
	if it.body == 0 {
		f.emit(it.tokens[len(it.tokens)-1])
		return
	}
	u.changed = u.changed || it.body > end+1 // noexcept
	f.statement(it.tokens, it.body)
}

// parameter emits one parameter, a reference as a pointer; without its default value, which calls pass.
func (f *rewriter) parameter(p param) {
	name := declared(p.tokens)
	for i := 0; i < len(p.tokens); i++ {
		switch t := p.tokens[i]; {
		case t.is("["):
			end := closing(p.tokens, i)
			f.expression(f.constants(p.tokens[i : end+1]))
			i = end
		case t.is("&"):
			f.rewrite(t, "*")
		case t.is("&&"):
			f.unit.problem(t, "pass it by value", "%s is a reference to a temporary value", p.name)
		case t.is("std") && i+2 < len(p.tokens) && p.tokens[i+1].is("::"):
			f.unit.changed = true
			f.checkStandard(p.tokens[i+2])
		case i == name && p.name != "":
			f.emit(t)
		default:
			f.typeWord(t)
		}
	}
	f.unit.changed = f.unit.changed || len(p.value) > 0
	if p.name != "" {
		f.declare(p.name, local{of: p.of, reference: p.reference})
	}
}

// statement emits the statement at i, and returns the index behind it.
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
		if f.declares(in[i+1:]) {
			f.unit.problem(in[i+1], "declare it in a statement of its own", "a declaration in the parentheses of %s", t.text)
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
		end := i + index(in[i:], ":")
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
	case t.is("using") && f.using(in[i:semicolon(in, i)]):
		return semicolon(in, i) + 1
	case t.is("return") && i+1 < len(in) && in[i+1].is("{") && f.result != "":
		f.emit(t)
		f.rewrite(t, "(", f.result, ")")
		return f.simple(in, i+1)
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

// parenthesis emits an expression in parentheses, and returns the index behind it.
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
