package csource

import (
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// itemType returns the words for the type that a declaration begins with, or that a function returns.
func (u *unit) itemType(it *item) string {
	end := it.open
	if end == 0 {
		end = index(it.tokens, "=", ",", ";", "[")
	}
	return newParam(it.tokens[:max(end, 0)]).of
}

// constant returns the value of a const integer at file scope, for places where C wants constants.
func (u *unit) constant(name string) []token {
	for _, it := range u.items[name] {
		if it.open > 0 || !has(it.tokens, "const", "constexpr") {
			continue
		}
		for _, d := range split(it.tokens[:len(it.tokens)-1], ",") {
			at := declared(d)
			if at < 0 || d[at].text != name || at+1 >= len(d) || !d[at+1].is("=") {
				continue
			}
			if integer(u.itemType(it)) {
				return u.see(u.view(it.scope), d[at+2:], noLocals)
			}
		}
	}
	return nil
}

// kindOf returns "double", "float" or "int" for the word of a type.
func (u *unit) kindOf(of string) string {
	switch {
	case of == "double" || of == "float":
		return of
	case integer(of) || of == "bool" || of == "_Bool":
		return "int"
	}
	for _, it := range u.items[of] {
		if it.tokens[0].is("typedef") && len(it.tokens) == 4 {
			return u.kindOf(it.tokens[1].text)
		}
	}
	return ""
}

// field returns the word for the type of a field of a struct.
func (u *unit) field(of, name string) string {
	for _, it := range u.items[of] {
		open := index(it.tokens, "{")
		if it.open > 0 || open < 0 {
			continue
		}
		for _, line := range split(it.tokens[open+1:closing(it.tokens, open)], ";") {
			for _, d := range split(line, ",") {
				if at := declared(d); at >= 0 && d[at].text == name {
					return newParam(split(line, ",")[0]).of
				}
			}
		}
	}
	return ""
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

// typeOf returns the word for the type of a variable at file scope, of a const, or of what a function
// returns.
func (u *unit) typeOf(name string) string {
	if t, ok := u.consts[name]; ok {
		return constWord(t)
	}
	for _, it := range u.items[name] {
		return u.itemType(it)
	}
	return ""
}
