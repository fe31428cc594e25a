package csource

import "strings"

// dropped are words that say nothing about values.
var dropped = set("__device__ __host__ __forceinline__ __global__ noexcept mutable class")

// set returns the words of a text.
func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

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
	"typeid":       "use plain structs and functions",
	"decltype":     "write the type",
	"operator":     "write a function with a name",
	"cout":         "print with printf, of stdio.h",
	"cerr":         "print with printf, of stdio.h",
	"endl":         "print with printf, of stdio.h",
}
