package csource

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// token is a word, a number, a literal or a mark.
type token struct {
	text  string
	kind  kind
	pos   kernel.Pos
	space bool // white space comes before it
	first bool // in its line
	hides *hidden
}

type kind uint8

const (
	mark kind = iota
	word
	number
	literal
)

// is reports whether the token is one of these texts, and no literal.
func (t token) is(texts ...string) bool {
	if t.kind == literal {
		return false
	}
	return slices.Contains(texts, t.text)
}

// marks lists those of several characters, longest first.
var marks = strings.Fields("%:%: <<= >>= ... -> ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= ## :: <: :> <% %> %:")

// plain gives the marks and words that stand for others.
var plain = map[string]string{
	"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##",
}

func isLetter(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanner cuts a text into tokens.
type scanner struct {
	text         string
	i, line, col int
	space, first bool
}

func scan(file, text string) (tokens []token) {
	s := scanner{text: text, line: 1, col: 1, first: true}
	for s.blank(); s.i < len(text); s.blank() {
		t := token{pos: kernel.Pos{File: file, Line: s.line, Col: s.col}, space: s.space, first: s.first}
		s.space, s.first = false, false
		from := s.i
		s.skip(s.length(&t.kind))
		t.text = strings.NewReplacer("\\\n", "", "\\\r\n", "").Replace(text[from:s.i])
		if p, ok := plain[t.text]; ok && t.kind == mark {
			t.text = p
		}
		tokens = append(tokens, t)
	}
	return tokens
}

// Word is a word of a text, and where it stands.
type Word struct {
	Text string
	Pos  kernel.Pos
}

// Words returns the words of a text, outside of comments and literals. Where the text says so by #line, their positions are
// those of other files.
func Words(file, text string, directed bool) (list []Word) {
	down := 0
	tokens := scan(file, text)
	for i, t := range tokens {
		if directed && t.is("#") && i+3 < len(tokens) && tokens[i+1].is("line") {
			line, _ := strconv.Atoi(tokens[i+2].text)
			file, down = strings.Trim(tokens[i+3].text, `"`), line-t.pos.Line-1
		}
		if t.kind == word {
			list = append(list, Word{t.text, kernel.Pos{File: file, Line: t.pos.Line + down, Col: t.pos.Col}})
		}
	}
	return list
}

// skip moves n bytes on.
func (s *scanner) skip(n int) {
	for ; n > 0 && s.i < len(s.text); n-- {
		if s.text[s.i] == '\n' {
			s.line, s.col = s.line+1, 0
		}
		s.i, s.col = s.i+1, s.col+1
	}
}

// blank skips white space, comments and the ends of continued lines.
func (s *scanner) blank() {
	for s.i < len(s.text) {
		rest := s.text[s.i:]
		n := 0
		switch {
		case rest[0] == '\n':
			s.first = true
			n = 1
		case strings.ContainsRune(" \t\r\f\v", rune(rest[0])):
			n = 1
		case strings.HasPrefix(rest, "\\\n"), strings.HasPrefix(rest, "\\\r\n"):
			n = strings.IndexByte(rest, '\n') + 1
		case strings.HasPrefix(rest, "//"):
			n = endOf(rest, "\n", 0)
		case strings.HasPrefix(rest, "/*"):
			n = endOf(rest[2:], "*/", 2) + 2
		default:
			return
		}
		s.space = true
		s.skip(n)
	}
}

// endOf returns where the mark ends, or, of length 0, begins.
func endOf(text, mark string, length int) int {
	if n := strings.Index(text, mark); n >= 0 {
		return n + length
	}
	return len(text)
}

// length returns the length of the token at s.
func (s *scanner) length(k *kind) int {
	rest := s.text[s.i:]
	switch c := rest[0]; {
	case isLetter(c):
		*k = word
		return while(rest, func(c byte) bool { return isLetter(c) || isDigit(c) })
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		*k = number
		exponent, last := false, byte(0)
		return while(rest, func(c byte) bool {
			before := last
			if last = c; before == '\'' || c == '\'' {
				return c != before && isDigit(before) == (c == '\'')
			}
			sign := exponent && (c == '+' || c == '-')
			exponent = strings.ContainsRune("eEpP", rune(c)) && !(strings.HasPrefix(rest, "0x") && (c == 'e' || c == 'E'))
			return sign || isLetter(c) || isDigit(c) || c == '.'
		})
	case c == '"' || c == '\'':
		*k = literal
		n := 1
		for n < len(rest) && rest[n] != c && rest[n] != '\n' {
			if rest[n] == '\\' {
				n++
			}
			n++
		}
		return min(n+1, len(rest))
	}
	*k = mark
	for _, m := range marks {
		if strings.HasPrefix(rest, m) {
			return len(m)
		}
	}
	return 1
}

func while(text string, ok func(c byte) bool) int {
	for i := range len(text) {
		if !ok(text[i]) {
			return i
		}
	}
	return len(text)
}

// closing returns the index of the bracket that closes the one at i; -1 if none does.
func closing(tokens []token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch {
		case tokens[i].is("(", "[", "{"):
			depth++
		case tokens[i].is(")", "]", "}"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// index returns the index of the first token that is one of these texts; -1 if none is.
func index(tokens []token, texts ...string) int {
	return slices.IndexFunc(tokens, func(t token) bool { return t.is(texts...) })
}

func has(tokens []token, texts ...string) bool { return index(tokens, texts...) >= 0 }

func every(tokens []token, such func(token) bool) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool { return !such(t) })
}

// split cuts tokens at the given mark, outside of brackets; nothing has no parts.
func split(tokens []token, at string) [][]token {
	if len(tokens) == 0 {
		return nil
	}
	return pieces(tokens, at, []string{"(", "[", "{"}, []string{")", "]", "}"})
}

// pieces cuts tokens at the given mark, outside of brackets of these kinds.
func pieces(tokens []token, at string, opening, closing []string) (parts [][]token) {
	from, depth := 0, 0
	for i, t := range tokens {
		switch {
		case t.is(opening...):
			depth++
		case t.is(closing...):
			depth--
		case depth == 0 && t.is(at):
			parts, from = append(parts, tokens[from:i]), i+1
		}
	}
	return append(parts, tokens[from:])
}

// hidden lists the macros that a token came from, which are not expanded in it again.
type hidden struct {
	name string
	next *hidden
}

func (h *hidden) has(name string) bool {
	for ; h != nil; h = h.next {
		if h.name == name {
			return true
		}
	}
	return false
}

// made returns a new token at the place of another.
func made(text string, at token) token {
	return token{text: text, pos: at.pos}
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

// words returns the words among tokens, as a path.
func words(tokens []token) string {
	var list []string
	for _, t := range tokens {
		if t.kind == word {
			list = append(list, t.text)
		}
	}
	return strings.Join(list, "::")
}
