package kernel

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
)

// Pos is a position in a kernel's source. The zero Pos means nowhere.
type Pos struct {
	File      string
	Line, Col int
}

// Known reports whether p is a real position.
func (p Pos) Known() bool { return p.Line > 0 }

// Compare compares positions by their lines and columns.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// String returns file:line:column, as compilers print it.
func (p Pos) String() string {
	switch {
	case !p.Known():
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Problem is one mistake in a kernel.
type Problem struct {
	Pos  Pos
	Line string // the line of the source; may be empty
	Msg  string // what was found
	Hint string // what to write instead; may be empty
}

func (p Problem) String() string {
	s := p.Msg
	if p.Pos.Known() {
		s = p.Pos.String() + ": " + s
	}
	s += p.caret()
	if p.Hint != "" {
		s += "\n  hint: " + p.Hint
	}
	return s
}

// ByPlace compares problems by their lines and columns.
func ByPlace(p, q Problem) int { return p.Pos.Compare(q.Pos) }

// caret returns the line of the source with a caret below the position; "" if there is none.
func (p Problem) caret() string {
	if p.Line == "" || p.Pos.Col < 1 || p.Pos.Col > len(p.Line)+1 {
		return ""
	}
	before, after := []rune(p.Line[:p.Pos.Col-1]), []rune(p.Line[p.Pos.Col-1:])
	if len(before) > widest {
		before = append([]rune("..."), before[len(before)-widest+3:]...)
	}
	if len(after) > widest {
		after = append(after[:widest-3], []rune("...")...)
	}
	return "\n    " + string(before) + string(after) + "\n    " + under(before) + "^"
}

// under returns blanks as wide as text is on a terminal.
func under(text []rune) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteRune(r)
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf): // stands on the one before
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || 0xFF01 <= r && r <= 0xFF60 || 0x1F300 <= r && r <= 0x1FAFF:
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// WithArticle returns a noun with its article: "an int".
func WithArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// widest is the number of characters of a line that are shown before and after a position.
const widest = 80

// Quote gives problems the lines of the files that they are in.
func Quote(problems []Problem, texts map[string]string) {
	for i, p := range problems {
		problems[i].Line = lineOf(p.Pos, texts)
	}
}

// lineOf returns the line of a file that a position is in; "" if there is none.
func lineOf(pos Pos, texts map[string]string) string {
	lines := strings.Split(texts[pos.File], "\n")
	if pos.Line < 1 || pos.Line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[pos.Line-1], "\r")
}

// Caret returns the line of a C kernel's source with a caret below the position; "" if there is none.
func (k *Kernel) Caret(pos Pos) string { return Problem{Pos: pos, Line: lineOf(pos, k.Texts)}.caret() }

// Refuse returns the error for problems of a kernel, with their lines.
func (k *Kernel) Refuse(problems []Problem) *Error {
	Quote(problems, k.Texts)
	return &Error{Kernel: k.Name, Problems: problems}
}

// Error says why a kernel was refused: all problems, in order of position.
type Error struct {
	Kernel   string
	Problems []Problem
}

func (e *Error) Error() string {
	return "kernel " + e.Kernel + ": " + strings.Join(each(e.Problems, Problem.String), "\n")
}
