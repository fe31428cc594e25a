package csource

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// builtin emits a call of a function that C++ has for several types, and reports whether t is one.
func (f *rewriter) builtin(t token, args [][]token, standard bool) bool {
	switch {
	case extremes[t.text] != "" && len(args) == 2:
		f.extreme(t, args)
	case t.is("swap") && standard:
		f.unit.problem(t, "use a variable for one of the values", "std::swap has no counterpart in C")
	case t.is("abs") && len(args) == 1:
		name := map[string]string{"int": "abs", "float": "fabsf"}[f.kind(args[0])]
		if name == "" {
			name = "fabs"
		}
		f.renamed(t, name, args)
	case !standard:
		return false
	case f.unit.known.Math[t.text]:
		name := t.text
		if f.unit.known.Math[name+"f"] && !slices.ContainsFunc(args, func(a []token) bool { return f.kind(a) != "float" }) {
			name += "f"
		}
		f.renamed(t, name, args)
	default:
		f.unit.problem(t, "write it as a function of your own", "std::%s has no counterpart in C", t.text)
	}
	return true
}

func (f *rewriter) renamed(t token, name string, args [][]token) {
	f.rewrite(t, name, "(")
	for i, a := range args {
		if i > 0 {
			f.comma(args[i-1])
		}
		f.expression(a)
	}
	f.rewrite(t, ")")
}

// extreme emits max or min as a condition, which takes its operands twice.
func (f *rewriter) extreme(t token, args [][]token) {
	for _, a := range args {
		if at := slices.IndexFunc(a, func(t token) bool {
			return t.is("++", "--", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
		}); at >= 0 {
			f.unit.problem(a[at], "assign in a statement of its own", "an assignment within %s", t.text)
			return
		}
	}
	f.rewrite(t, "(")
	for _, c := range extremes[t.text] {
		switch c {
		case 'a', 'b':
			f.rewrite(t, "(")
			f.expression(args[c-'a'])
			f.rewrite(t, ")")
		default:
			f.rewrite(t, string(c))
		}
	}
	f.rewrite(t, ")")
}

// extremes gives the meaning of std::max and std::min, and of OP2's macros.
var extremes = map[string]string{"max": "a<b?b:a", "min": "b<a?b:a", "MAX": "a>b?a:b", "MIN": "a<b?a:b"}

// kind returns the type of an arithmetic expression: "double", "float", "int", or "" if it is not known.
func (f *rewriter) kind(in []token) string {
	found := "int"
	for i := 0; i < len(in); i++ {
		t, kind := in[i], ""
		switch {
		case t.is("["):
			i = closing(in, i)
			continue
		case t.is("std", "sizeof") || t.kind == mark || t.kind == literal:
			continue
		case t.kind == number:
			kind = numberKind(t.text)
		case basic[t.text]:
			kind = f.unit.kindOf(t.text)
		default:
			end := i + 1
			for end+1 < len(in) && in[end].is(".", "->") {
				end += 2
			}
			of := f.place(in[i:end])
			if i = end - 1; f.unit.known.Math[t.text] && of == "" {
				of = "double"
				if strings.HasSuffix(t.text, "f") && f.unit.known.Math[strings.TrimSuffix(t.text, "f")] {
					of = "float"
				}
			}
			if end < len(in) && in[end].is("(") {
				i = closing(in, end)
			}
			kind = f.unit.kindOf(of)
		}
		switch {
		case kind == "":
			return ""
		case kind == "double" || kind == "float" && found == "int":
			found = kind
		}
	}
	return found
}

func numberKind(text string) string {
	lower := strings.ToLower(text)
	switch {
	case strings.HasPrefix(lower, "0x") && !strings.Contains(lower, "p"):
		return "int"
	case !strings.ContainsAny(lower, ".ep"):
		return "int"
	case strings.HasSuffix(lower, "f"):
		return "float"
	}
	return "double"
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
