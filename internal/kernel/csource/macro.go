package csource

import (
	"fmt"
	"strings"
)

// define reads the rest of a line after #define.
func (p *preprocessor) define(line []token) {
	if len(line) == 0 || line[0].kind != word {
		return
	}
	m := &macro{name: line[0].text}
	line = line[1:]
	if len(line) > 0 && line[0].is("(") && !line[0].space {
		m.function = true
		end := closing(line, 0)
		if end < 0 {
			return
		}
		for _, param := range split(line[1:end], ",") {
			if len(param) == 0 {
				continue
			}
			name := param[0].text
			if name == "..." {
				name = "__VA_ARGS__"
			}
			m.params = append(m.params, name)
		}
		line = line[end+1:]
	}
	m.body = line
	p.changed = p.changed || strings.HasPrefix(strings.ToLower(m.name), "op2_") // reserved, and gone after this
	p.macros[m.name] = m
}

// maxTokens limits the expansion of macros.
const maxTokens = 1 << 18

// expand replaces macros, as in D. Prosser's algorithm for ANSI C (X3J11/86-196): a stack of tokens, on which
// the body of a macro takes the place of its call, so that it is expanded in turn. Each token of a body knows
// the macros that it comes from, and is not replaced by these again.
func (p *preprocessor) expand(tokens []token) (out []token) {
	rest := reversed(tokens)
	for len(rest) > 0 && p.expanded <= maxTokens {
		t := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		m := p.macros[t.text]
		if t.kind != word || m == nil || t.hides.has(m.name) {
			out = append(out, t)
			continue
		}
		var args [][]token
		if m.function {
			n := 0
			if args, n = arguments(rest); n == 0 {
				out = append(out, t)
				continue
			}
			rest = rest[:len(rest)-n]
			p.checkArguments(m, args, t)
		}
		body := p.substitute(m, args, t)
		if p.expanded > maxTokens {
			return out
		}
		if p.expanded += len(body) + 1; p.expanded > maxTokens {
			p.problem(t, "simplify it", "the macro %s expands to too much", m.name)
			return out
		}
		if len(body) > 0 {
			body[0].space, body[0].first = t.space, t.first
		}
		rest = append(rest, reversed(body)...)
	}
	return out
}

// checkArguments refuses a use of m at t with too many or too few arguments.
func (p *preprocessor) checkArguments(m *macro, args [][]token, t token) {
	want, got := len(m.params), len(args)
	variadic := want > 0 && m.params[want-1] == "__VA_ARGS__"
	if got == want || variadic && got >= want-1 || want == 0 && len(args[0]) == 0 && got == 1 {
		return
	}
	takes := fmt.Sprintf("%d arguments", want)
	if want == 1 {
		takes = "1 argument"
	}
	p.problem(t, "", "the macro %s takes %s, and gets %d", m.name, takes, got)
}

func reversed(tokens []token) []token {
	out := make([]token, len(tokens))
	for i, t := range tokens {
		out[len(tokens)-1-i] = t
	}
	return out
}

// arguments returns those of a macro at the end of rest, which is in reverse, and how many tokens they
// take; none if it is not called.
func arguments(rest []token) (args [][]token, n int) {
	if len(rest) == 0 || !rest[len(rest)-1].is("(") {
		return nil, 0
	}
	depth := 0
	for i := len(rest) - 1; i >= 0; i-- {
		switch {
		case rest[i].is("(", "[", "{"):
			depth++
		case rest[i].is(")", "]", "}"):
			depth--
		}
		if depth == 0 {
			inner := reversed(rest[i+1 : len(rest)-1])
			return pieces(inner, ",", []string{"("}, []string{")"}), len(rest) - i // the only brackets that macros know
		}
	}
	return nil, 0
}

// substitute returns the tokens that replace m at t.
func (p *preprocessor) substitute(m *macro, args [][]token, t token) (out []token) {
	argument := func(name string) ([]token, bool) {
		for i, param := range m.params {
			switch {
			case param != name:
			case param == "__VA_ARGS__" && i < len(args):
				var all []token
				for j, a := range args[i:] {
					if j > 0 {
						all = append(all, token{text: ",", pos: t.pos})
					}
					all = append(all, a...)
				}
				return all, true
			case i < len(args):
				return args[i], true
			default:
				return nil, true
			}
		}
		return nil, false
	}
	paste := false
	for i, b := range m.body {
		b.pos, b.hides, b.first = t.pos, &hidden{m.name, t.hides}, false
		arg, is := argument(b.text)
		is = is && b.kind == word
		pastes := i+1 < len(m.body) && m.body[i+1].is("##")
		switch {
		case b.is("##"):
			paste = len(out) > 0
			continue
		case b.is("#") && m.function:
			continue
		case is && i > 0 && m.body[i-1].is("#"):
			arg = []token{{text: quote(arg), kind: literal, pos: t.pos, space: b.space}}
		case !is:
			arg = []token{b}
		case !paste && !pastes:
			arg = p.expand(arg)
		}
		if paste && len(arg) > 0 {
			last := &out[len(out)-1]
			glued := scan("", last.text+arg[0].text)
			if len(glued) == 1 {
				last.text, last.kind = glued[0].text, glued[0].kind
				arg = arg[1:]
			}
		}
		if is && len(arg) > 0 {
			arg = append([]token(nil), arg...)
			arg[0].space = b.space
		}
		paste = false
		out = append(out, arg...)
	}
	return out
}

func quote(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		text := t.text
		if t.kind == literal {
			text = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
		}
		b.WriteString(text)
	}
	return `"` + b.String() + `"`
}
