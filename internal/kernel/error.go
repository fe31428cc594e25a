package kernel

import "strings"

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

// caret returns the line of the source with a caret below the position; "" if there is none.
func (p Problem) caret() string {
	if p.Line == "" || p.Pos.Col < 1 || p.Pos.Col > len(p.Line)+1 {
		return ""
	}
	before, after := p.Line[:p.Pos.Col-1], p.Line[p.Pos.Col-1:]
	if len(before) > widest {
		before = "..." + before[len(before)-widest+3:]
	}
	if len(after) > widest {
		after = after[:widest-3] + "..."
	}
	blanks := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return "\n    " + before + after + "\n    " + blanks + "^"
}

// widest is the number of bytes of a line that are shown before and after a position.
const widest = 80

// Error says why a kernel was refused: all problems, in order of position.
type Error struct {
	Kernel   string
	Problems []Problem
}

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return "kernel " + e.Kernel + ": " + strings.Join(lines, "\n")
}
