package kernel

import "strings"

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
