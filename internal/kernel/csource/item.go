package csource

import "strings"

// item is a declaration outside of functions, or a function.
type item struct {
	tokens   []token
	names    []string // that it declares
	params   []param  // of a function, or a prototype
	open     int      // index of the parenthesis before the parameters; 0 if it is no function
	scope    string   // the namespace around it
	body     int      // index of a function's opening brace; 0 if it has none
	template bool

	reached bool
	written []token // in C
}

// param is a parameter of a function.
type param struct {
	tokens    []token
	name      string
	of        string // the words for the type that it is made of
	reference bool
	constant  bool    // what it refers to
	value     []token // by default
}

// items cuts a file into its declarations, those of namespaces and extern "C" too, and returns the
// names of these scopes. It reports false if brackets do not match.
func items(tokens []token) (list []*item, scopes map[string]bool, ok bool) {
	scopes = map[string]bool{}
	around := []string{""}
	for i := 0; i < len(tokens); {
		switch n := opening(tokens[i:]); {
		case n > 0:
			for _, t := range tokens[i : i+n] {
				scopes[t.text] = true
			}
			if tokens[i+n-1].is("{") {
				around = append(around, entered(around[len(around)-1], tokens[i:i+n]))
			}
			i += n
		case tokens[i].is(";", "}"): // of a scope
			if tokens[i].is("}") && len(around) > 1 {
				around = around[:len(around)-1]
			}
			i++
		default:
			n, body := extent(tokens[i:])
			if n == 0 {
				return nil, nil, false
			}
			it := &item{tokens: tokens[i : i+n], body: body, scope: around[len(around)-1]}
			it.declare()
			list = append(list, it)
			i += n
		}
	}
	return list, scopes, true
}

// opening returns the length of extern "C" or namespace name, with a brace if there is one; 0 if a
// declaration follows.
func opening(tokens []token) int {
	if tokens[0].is("extern") && len(tokens) > 1 && tokens[1].kind == literal {
		if len(tokens) > 2 && tokens[2].is("{") {
			return 3
		}
		return 2
	}
	n := 0
	for n < len(tokens) && tokens[n].is("inline") {
		n++
	}
	if n == len(tokens) || !tokens[n].is("namespace") {
		return 0
	}
	for n++; n < len(tokens) && (tokens[n].kind == word || tokens[n].is("::")); n++ {
	}
	if n < len(tokens) && tokens[n].is("{") {
		return n + 1
	}
	return 0
}

// extent returns the length of the first declaration, and where the body starts if it is a function: it ends
// at a semicolon outside of brackets, or at the brace that closes a body, one that follows the parameters.
func extent(tokens []token) (n, body int) {
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is(";"):
			return i + 1, 0
		case t.is("(", "[", "{"):
			end := closing(tokens, i)
			if end < 0 {
				return 0, 0
			}
			if t.is("{") && i > 0 && (tokens[i-1].is(")", "const", "noexcept") || has(tokens[:i], "->")) {
				return end + 1, i
			}
			i = end
		case t.is(")", "]", "}"):
			return 0, 0
		}
	}
	return 0, 0
}

// declare finds the names that an item declares.
func (it *item) declare() {
	switch it.tokens[0].text {
	case "static_assert", "_Static_assert":
		return
	case "using":
		if len(it.tokens) > 3 && it.tokens[2].is("=") {
			it.names = []string{it.tokens[1].text}
		}
		return
	case "namespace":
		return
	case "template":
		it.template = true
	}
	open := index(it.tokens, "(", "=", "{", "[")
	for open > 0 && it.tokens[open].is("(") && it.tokens[open-1].is(attributes...) {
		end := closing(it.tokens, open)
		next := index(it.tokens[end:], "(", "=", "{", "[")
		if next < 0 {
			open = -1
			break
		}
		open = end + next
	}
	if open > 0 && it.tokens[open].is("(") && it.tokens[open-1].kind == word && !it.tokens[0].is("typedef") {
		if open > 1 && it.tokens[open-2].is("::", "operator", "~") { // a method
			return
		}
		it.open = open
		it.names = []string{it.tokens[open-1].text}
		for _, p := range split(it.tokens[open+1:closing(it.tokens, open)], ",") {
			it.params = append(it.params, newParam(p))
		}
		return
	}
	it.body = 0
	it.declareOthers()
}

// declareOthers finds the tag, the enumerators and the variables or types of a declaration.
func (it *item) declareOthers() {
	rest := it.tokens[:len(it.tokens)-1]
	for i := 0; i < len(rest); i++ {
		if !rest[i].is("struct", "union", "class", "enum") {
			continue
		}
		open := index(rest[i:], "{") + i
		if open < i {
			if len(rest) == i+2 { // struct X;
				it.names = append(it.names, rest[i+1].text)
			}
			break
		}
		if tag := tagOf(rest[i:open]); tag != "" {
			it.names = append(it.names, tag)
		}
		end := closing(rest, open)
		if end < 0 { // a semicolon is missing
			break
		}
		if rest[i].is("enum") {
			for _, e := range split(rest[open+1:end], ",") {
				if len(e) > 0 {
					it.names = append(it.names, e[0].text)
				}
			}
		}
		rest = append(rest[:i:i], rest[end+1:]...)
		break
	}
	for _, d := range split(rest, ",") {
		if name := declared(d); name >= 0 {
			it.names = append(it.names, d[name].text)
		}
	}
}

// tagOf returns the tag in what precedes the brace of a struct or the like; "" if it has none.
func tagOf(head []token) string {
	if at := index(head, ":"); at > 0 {
		head = head[:at]
	}
	if last := head[len(head)-1]; len(head) > 1 && last.kind == word && !keywords[last.text] {
		return last.text
	}
	return ""
}

// declared returns the index of the name that a declarator declares, -1 if there is none.
func declared(d []token) int {
	name := -1
	for i, t := range d {
		switch {
		case t.is("[", "=", "{", ":", ")"), t.is("(") && i > 0 && d[i-1].kind == word && name == i-1 && !keywords[d[i-1].text]:
			return name
		case t.kind == word && !keywords[t.text]:
			name = i
		}
	}
	return name
}

func newParam(tokens []token) param {
	p := param{tokens: tokens}
	name, bounds := declared(tokens), 0
	for i, t := range tokens {
		switch {
		case t.is("["):
			bounds++
		case t.is("]"):
			bounds--
		case bounds > 0:
		case t.is("=") && tokens != nil:
			p.tokens, p.value, tokens = p.tokens[:i], p.tokens[i+1:], nil
		case tokens == nil:
		case t.is("&"):
			p.reference = true
		case t.is("const") && !p.reference:
			p.constant = true
		case t.kind == word && i != name && !qualifiers[t.text]:
			p.of = strings.TrimPrefix(p.of+" "+t.text, " ")
		}
	}
	switch {
	case name >= 0 && p.of == "": // a type without a name
		p.of = p.tokens[name].text
	case name >= 0:
		p.name = p.tokens[name].text
	}
	return p
}

// entered returns the namespace that begins with an opening, within another one; unnamed and inline ones
// are part of those around them.
func entered(outer string, opening []token) string {
	if !opening[0].is("namespace") {
		return outer
	}
	return within(outer, words(opening[1:]))
}

func within(outer, path string) string {
	return strings.Trim(outer+"::"+path, ":")
}
