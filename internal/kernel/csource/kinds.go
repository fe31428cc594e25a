package csource

import (
	"slices"
	"strings"
)

// declares reports whether a statement is a declaration, which in C depends on names: it begins with a type
// that no local variable hides. T (*p)[3] is one, T(x) is a cast.
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
		if i+1 < len(in) && in[i+1].is("(") { // double (*p)[3], or double(*x)
			end := closing(in, i+1)
			return i+2 < len(in) && in[i+2].is("*", "&") && end > 0 && end+1 < len(in) && in[end+1].is("[", "(")
		}
		return true
	}
	return false
}

func (f *rewriter) typeName(t token) bool {
	l, local := f.lookup(t.text)
	return t.kind == word && (local && l.isType || !local && f.unit.isType(t.text) || t.is("auto"))
}

// place returns the word for the type of a value that is a place; "" if that is not certain.
func (f *rewriter) place(value []token) string {
	for len(value) > 0 && value[0].is("*") {
		value = value[1:]
	}
	if len(value) > 1 && value[0].is("(") && closing(value, 0) == len(value)-1 {
		return f.place(value[1 : len(value)-1])
	}
	of := ""
	for i := 0; i < len(value); i++ {
		switch t := value[i]; {
		case t.is("["):
			i = closing(value, i)
		case t.kind == word && i == 0:
			l, ok := f.lookup(t.text)
			if of = l.of; !ok {
				of = f.unit.typeOf(t.text)
			}
		case t.is(".", "->") && i+1 < len(value):
			i++
			of = f.unit.field(of, value[i].text)
		default:
			return ""
		}
	}
	return of
}

// kind returns the type of an arithmetic expression: "double", "float", "int", or "" if it is not known. It
// is C's usual conversion of the operands: a comparison is an int, otherwise the widest of them counts.
func (f *rewriter) kind(in []token) string {
	if at := index(in, "?"); at >= 0 && len(split(in, "?")) > 1 {
		return f.common(split(in[len(split(in, "?")[0])+1:], ":"))
	}
	for _, op := range []string{"||", "&&", "==", "!=", "<", ">", "<=", ">="} {
		if len(split(in, op)) > 1 && !has(in, "std", "static_cast") {
			return "int"
		}
	}
	found := "int"
	for i := 0; i < len(in); {
		kind := "int"
		switch t := in[i]; {
		case t.is("[", "{") && closing(in, i) > i:
			i = closing(in, i) + 1
			continue
		case t.is("(") && i+1 < len(in) && f.typeName(in[i+1]) && closing(in, i) > i: // (double)x
			end := closing(in, i)
			kind, i = f.unit.kindOf(newParam(in[i+1:end]).of), f.afterOperand(in, end+1)
		case t.is("(") && closing(in, i) > i:
			end := closing(in, i)
			kind, i = f.kind(in[i+1:end]), end+1
		case t.kind != word && t.kind != number || t.is("std"):
			i++
			continue
		case t.kind == number:
			kind, i = numberKind(t.text), i+1
		default:
			end := f.afterOperand(in, i)
			kind, i = f.operandKind(in[i:end], i > 1 && in[i-1].is("::") && in[i-2].is("std")), end
		}
		if found = wider(found, kind); found == "" {
			return ""
		}
	}
	return found
}

// common returns the type that arithmetic on values has.
func (f *rewriter) common(values [][]token) string {
	found := "int"
	for _, v := range values {
		found = wider(found, f.kind(v))
	}
	return found
}

// wider returns the type of arithmetic on two types; "" if one is not known.
func wider(a, b string) string {
	for _, kind := range []string{"", "double", "float"} {
		if a == kind || b == kind {
			return kind
		}
	}
	return "int"
}

// afterOperand returns the index after the operand at i and its signs.
func (f *rewriter) afterOperand(in []token, i int) int {
	for i < len(in) && in[i].is("-", "+", "!", "~", "*", "&", "++", "--") {
		i++
	}
	if i < len(in) && in[i].is("(") {
		end := closing(in, i)
		if f.typeName(in[i+1]) { // another cast
			return f.afterOperand(in, end+1)
		}
		i = end
	}
	for i++; i < len(in); i++ {
		switch {
		case in[i].is("(", "["), in[i].is("{") && f.typeName(in[i-1]):
			i = closing(in, i)
		case in[i].is("<") && in[i-1].is("static_cast", "numeric_limits"):
			for i < len(in) && !in[i].is(">") {
				i++
			}
		case in[i].is(".", "->", "::"):
			i++
		default:
			return i
		}
	}
	return min(i, len(in))
}

// operandKind returns the type of an operand that begins with a word.
func (f *rewriter) operandKind(in []token, standard bool) string {
	t := in[0]
	open := index(in, "(", "{")
	var args [][]token
	if open > 0 && closing(in, open) == len(in)-1 {
		args = split(in[open+1:len(in)-1], ",")
	}
	greater := index(in, ">")
	switch {
	case t.is("sizeof"):
		return "int"
	case greater > 2 && in[1].is("<"):
		return f.unit.kindOf(newParam(in[2:greater]).of)
	case f.typeName(t) && open == 1:
		return f.unit.kindOf(t.text)
	}
	fun := f.unit.function(t.text) != nil && !standard
	switch {
	case fun || args == nil && open < 0:
		if open > 0 {
			in = in[:open]
		}
		return f.unit.kindOf(f.place(in))
	case open != 1:
		return ""
	case extremes[t.text] != "" || t.is("abs"):
		return f.common(args)
	case !f.unit.known.Math[t.text]:
		return ""
	case strings.HasSuffix(t.text, "f") && f.unit.known.Math[strings.TrimSuffix(t.text, "f")],
		standard && f.floats(args):
		return "float"
	}
	return "double"
}

// floats reports whether all arguments are of type float, for which std has functions of their own.
func (f *rewriter) floats(args [][]token) bool {
	return !slices.ContainsFunc(args, func(a []token) bool { return f.kind(a) != "float" })
}

// typeOf returns the words for the type of a value; "" if it is not plain.
func (f *rewriter) typeOf(value []token) string {
	if of := f.place(value); of != "" {
		return of
	}
	if len(value) > 1 && f.typeName(value[0]) && value[1].is("{", "(") && closing(value, 1) == len(value)-1 {
		return value[0].text
	}
	if len(value) == 1 && isDigit(value[0].text[len(value[0].text)-1]) && numberKind(value[0].text) == "int" {
		return "int"
	}
	if slices.ContainsFunc(value, func(t token) bool {
		return t.is("<", ">", "<=", ">=", "==", "!=", "&&", "||", "!", "?", "&") || f.typeName(t)
	}) {
		return ""
	}
	if of := f.kind(value); of != "int" {
		return of
	}
	return ""
}
