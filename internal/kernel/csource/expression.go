package csource

import "slices"

// expression emits an expression, or several between commas.
func (f *rewriter) expression(in []token) {
	in = f.seen(in)
	for i := 0; i < len(in); {
		i = f.operand(in, i)
	}
}

// operand emits the operand or operator at i, and returns the index behind it.
func (f *rewriter) operand(in []token, i int) int {
	t := in[i]
	next := func(texts ...string) bool { return i+1 < len(in) && in[i+1].is(texts...) }
	after := i > 0 && in[i-1].is(".", "->")
	_, isLocal := f.lookup(t.text)
	if t.is("(") && i+1 < len(in) && f.typeName(in[i+1]) && closing(in, i) > 0 {
		f.castToReference(in[i+1 : closing(in, i)])
	}
	switch {
	case t.is("[") && i > 0 && in[i-1].is("(", "=", ",", "return") && closing(in, i)+1 < len(in) && in[closing(in, i)+1].is("(", "{"):
		f.unit.problem(t, "write a function", "a lambda expression")
		return len(in)
	case t.is("{") && next("}"):
		f.emit(t)
		f.rewrite(in[i+1], "0")
		f.emit(in[i+1])
		return i + 2
	case t.kind != word || after:
	case t.is("std") && next("::") && i+2 < len(in):
		return f.standard(in, i+2)
	case next("::") && (f.unit.scopes[t.text] || f.unit.isEnum(t.text)):
		f.unit.changed = true
		f.unit.reach(t)
		f.checkMember(in, i)
		return i + 2
	case next("::"):
		f.unit.problem(t, "write plain functions, with names of their own", "%s:: is a namespace or a class", t.text)
		return i + 2
	case t.is("static_cast", "const_cast", "reinterpret_cast") && next("<"):
		return f.cast(in, i)
	case alternatives[t.text] != "" && !isLocal && len(f.unit.items[t.text]) == 0:
		f.rewrite(t, alternatives[t.text])
		return i + 1
	case !isLocal && len(f.unit.items[t.text]) == 0 && onlyCpp[t.text] != "":
		f.unit.problem(t, onlyCpp[t.text], "%s has no counterpart in C", t.text)
	case next("(") && f.isCast(in, i):
		return f.functional(in, i)
	case next("{") && f.typeName(t):
		return f.braced(in, i)
	case next("(") && !isLocal:
		return f.call(in, i, false)
	case t.is("nullptr"):
		f.rewrite(t, "0")
		return i + 1
	}
	if t.is("::") {
		f.unit.changed = true
		return i + 1
	}
	if t.kind != word || after || keywords[t.text] {
		f.emit(t)
		return i + 1
	}
	f.name(t)
	return i + 1
}

// isCast reports whether the word at i and the parenthesis after it are a cast like double(x).
func (f *rewriter) isCast(in []token, i int) bool {
	if !f.typeName(in[i]) || i > 0 && (in[i-1].is("struct", "union", "enum") || f.typeName(in[i-1])) {
		return false
	}
	end := closing(in, i+1)
	abstract := func(t token) bool { return t.is("*", "const") } // double (*)[3]
	return end == i+2 || end > i+2 && !every(in[i+2:end], abstract) && !f.declares(in[i+2:])
}

// braced emits a value like point{1, 2}, or of zeros like point{}.
func (f *rewriter) braced(in []token, i int) int {
	end := closing(in, i+1)
	f.rewrite(in[i], "(")
	f.name(in[i])
	f.rewrite(in[i], ")")
	f.expression(in[i+1 : end+1])
	return end + 1
}

// functional emits a cast like double(x).
func (f *rewriter) functional(in []token, i int) int {
	end := closing(in, i+1)
	if end == i+2 { // zero
		f.rewrite(in[i], "(")
		f.name(in[i])
		f.rewrite(in[i], ")", "{", "0", "}")
		return end + 1
	}
	if inner := in[i+2 : end]; f.unit.kindOf(in[i].text) == "" && f.isStruct(in[i].text) || len(split(inner, ",")) > 1 {
		f.unit.problem(in[i], "declare a variable, and set its fields", "%s is made by a constructor", in[i].text)
	}
	f.rewrite(in[i], "(", "(")
	f.name(in[i])
	f.rewrite(in[i], ")")
	f.expression(in[i+1 : end+1])
	f.rewrite(in[end], ")")
	return end + 1
}

// cast emits static_cast<T>(x) and the like.
func (f *rewriter) cast(in []token, i int) int {
	less := i + index(in[i:], ">")
	if less < i || less+1 >= len(in) || !in[less+1].is("(") {
		f.unit.problem(in[i], "write (type)value", "%s without a value", in[i].text)
		return len(in)
	}
	end := closing(in, less+1)
	f.castToReference(in[i+2 : less])
	f.rewrite(in[i], "(", "(")
	f.specifiers(in[i+2 : less])
	f.rewrite(in[less], ")")
	f.expression(in[less+1 : end+1])
	f.rewrite(in[end], ")")
	return end + 1
}

// castToReference refuses a type in a cast that is a reference.
func (f *rewriter) castToReference(to []token) {
	if len(to) > 1 && to[len(to)-1].is("&", "&&") {
		f.unit.problem(to[len(to)-1], "cast the value, (double)x, or a pointer to it, *(double *)&x", "a cast to a reference")
	}
}

// standard emits the name at i, which follows std::, with its arguments.
func (f *rewriter) standard(in []token, i int) int {
	t := in[i]
	f.unit.changed = true
	switch {
	case f.unit.isType(t.text):
		f.rewrite(t, t.text)
		return i + 1
	case i+1 < len(in) && in[i+1].is("("):
		return f.call(in, i, true)
	case t.is("numeric_limits"):
		return f.limit(in, i)
	}
	f.unit.problem(t, onlyCpp[t.text], "std::%s has no counterpart in C", t.text)
	return i + 1
}

// call emits a call of the function at i, which may be one of std.
func (f *rewriter) call(in []token, i int, standard bool) int {
	t := in[i]
	end := closing(in, i+1)
	inner := in[i+2 : end]
	args := split(inner, ",")
	fun := f.unit.function(t.text)
	if standard {
		fun = nil
	}
	if t.is("__builtin_expect") && len(args) == 2 {
		f.rewrite(t, "(")
		f.expression(args[0])
		f.rewrite(in[end], ")")
		return end + 1
	}
	if fun == nil && f.builtin(t, args, standard) {
		return end + 1
	}
	if fun == nil {
		f.emit(t)
		f.expression(in[i+1 : end+1])
		return end + 1
	}
	f.name(t)
	f.emit(in[i+1])
	f.list(args, func(n int, arg []token) {
		if n < len(fun.params) && fun.params[n].reference {
			f.refer(arg, fun.params[n].of, fun.params[n].constant)
		} else {
			f.expression(arg)
		}
	})
	f.defaults(fun, args, in[end])
	f.emit(in[end])
	return end + 1
}

// defaults emits the values of parameters for which a call passes none, before the parenthesis at end.
func (f *rewriter) defaults(fun *item, args [][]token, end token) {
	for n := len(args); n < len(fun.params) && len(fun.params[n].value) > 0; n++ {
		if n > 0 {
			f.rewrite(end, ",")
		}
		var value []token
		for _, t := range f.unit.see(f.unit.view(fun.scope), fun.params[n].value, noLocals) {
			if _, local := f.lookup(t.text); local && t.kind == word {
				f.unit.problem(end, "pass the value", "the default value of %s is not seen behind the local %s", fun.params[n].name, t.text)
			}
			t.pos = end.pos
			value = append(value, t)
		}
		if p := fun.params[n]; p.reference {
			f.refer(value, p.of, p.constant)
		} else {
			f.expression(value)
		}
	}
}

// refer emits the address of a reference's referent; for a constant one the address of a
// copy, if that is not surely a place of the same type.
func (f *rewriter) refer(value []token, of string, constant bool) {
	if len(value) == 0 {
		return
	}
	last := value[len(value)-1]
	literal := len(value) > 1 && value[0].text == of && value[1].is("{") && closing(value, 1) == len(value)-1
	assigns := func(op string) bool {
		return len(split(value, op)) > 1 && (value[0].is(op) || !slices.Contains(assignments[:2], op))
	}
	switch {
	case constant && f.isStruct(of) && f.place(value) != of && !literal: // C sets the first field by {value}
		f.rewrite(value[0], "(", of, "[", "1", "]", ")", "{")
		f.expression(value)
		f.rewrite(last, "}")
		return
	case constant && f.place(value) != of && !literal:
		f.rewrite(value[0], "&", "(", of, ")", "{")
		f.expression(value)
		f.rewrite(last, "}")
		return
	case last.is(")") && value[0].is("(") && closing(value, 0) == len(value)-1:
		f.refer(value[1:len(value)-1], of, constant)
		return
	case len(split(value, "?")) > 1:
		f.referToOne(value, of)
		return
	case len(value) == 1 && last.kind == number:
		f.unit.problem(last, "declare the reference const", "a reference to a number, which has no place")
	case slices.ContainsFunc(assignments, assigns):
		f.unit.problem(value[0], "assign in a statement of its own", "a reference to what is assigned")
	}
	f.rewrite(value[0], "&", "(")
	f.expression(value)
	f.rewrite(value[len(value)-1], ")")
}

// referToOne emits the address of one of the two places of a conditional expression.
func (f *rewriter) referToOne(value []token, of string) {
	question := len(split(value, "?")[0])
	colon, open := question+1, 0
	for ; colon < len(value) && (open > 0 || !value[colon].is(":")); colon++ {
		switch {
		case value[colon].is("(", "[", "{"):
			colon = closing(value, colon)
		case value[colon].is("?"):
			open++
		case value[colon].is(":"):
			open--
		}
	}
	if colon >= len(value) {
		f.expression(value)
		return
	}
	f.expression(value[:question+1])
	f.refer(value[question+1:colon], of, false)
	f.emit(value[colon])
	f.refer(value[colon+1:], of, false)
}
