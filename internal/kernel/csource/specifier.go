package csource

// specifiers emits the words before a declarator.
func (f *rewriter) specifiers(tokens []token) {
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is(attributes...) && i+1 < len(tokens) && tokens[i+1].is("("):
			i = closing(tokens, i+1)
			f.unit.changed = true
		case t.is("std") && i+2 < len(tokens) && tokens[i+1].is("::"):
			i += 2
			f.checkStandard(tokens[i])
			f.rewrite(tokens[i], tokens[i].text)
		default:
			f.typeWord(t)
		}
	}
}

// checkStandard refuses the type std::name if C has none of that name.
func (f *rewriter) checkStandard(name token) {
	if !f.unit.isType(name.text) {
		f.unit.problem(name, "use numbers, arrays and structs of these", "std::%s is a type of C++", name.text)
	}
}

// typeWord emits a word in a type, or a mark.
func (f *rewriter) typeWord(t token) {
	switch {
	case dropped[t.text] && t.kind == word:
		f.unit.changed = true
	case t.is("constexpr"):
		f.rewrite(t, "const")
	case f.unit.scopes[t.text] && t.kind == word && t.text != "extern":
		f.unit.changed = true
	case t.is("::"):
		f.unit.changed = true
	case t.kind == word && !keywords[t.text]:
		f.name(t)
	default:
		f.emit(t)
	}
}
