package kernel

import (
	"strings"
	"unicode"
)

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

// widest is the number of characters of a line that are shown before and after a position.
const widest = 80
