package kernel

import "strings"

// Problem is one mistake in a kernel.
type Problem struct {
	Pos  Pos
	Msg  string // what was found
	Hint string // what to write instead; may be empty
}

func (p Problem) String() string {
	s := p.Msg
	if p.Pos.Known() {
		s = p.Pos.String() + ": " + s
	}
	if p.Hint != "" {
		s += "\n  hint: " + p.Hint
	}
	return s
}

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
