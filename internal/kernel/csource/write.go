package csource

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// writer prints tokens in the lines, and where possible the columns, that they come from.
type writer struct {
	text    strings.Builder
	at      kernel.Pos // where the next character stands
	last    token
	columns map[kernel.Pos]int
}

// closeLines is the number of empty lines up to which no #line is printed.
const closeLines = 4

func (w *writer) token(t token) {
	down := t.pos.Line - w.at.Line
	switch {
	case t.pos.File != w.at.File || down < 0 || down > closeLines:
		fmt.Fprintf(&w.text, "\n#line %d %q\n", t.pos.Line, t.pos.File)
	case down > 0:
		w.text.WriteString(strings.Repeat("\n", down))
	}
	if t.pos.File != w.at.File || down != 0 {
		w.at, w.last = kernel.Pos{File: t.pos.File, Line: t.pos.Line, Col: 1}, token{}
	}
	n := max(t.pos.Col-w.at.Col, 0)
	if n == 0 && w.at.Col > 1 && (t.space && !w.last.is("(", "[") && !t.is(")", "]", ";") || merge(w.last, t)) {
		n = 1
	}
	w.text.WriteString(strings.Repeat(" ", n))
	w.at.Col += n
	w.columns[w.at] = t.pos.Col
	w.text.WriteString(t.text)
	w.at.Col += len(t.text)
	w.last = t
}

// merge reports whether two tokens would be read as others without a blank between them.
func merge(a, b token) bool {
	if a.text == "" || a.is("(", "[", ")", "]", "{", "}", ",", ";") || b.is("(", "[", ")", "]", "{", "}", ",", ";") {
		return false
	}
	return (a.kind == mark) == (b.kind == mark)
}
