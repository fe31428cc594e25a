package codegen

import (
	"fmt"
	"strings"
)

// writer collects indented lines of text and counts them.
type writer struct {
	text  strings.Builder
	depth int
	lines int
}

// line writes one line (or, without a format, an empty one) at the current depth.
func (w *writer) line(format string, args ...any) {
	s := format
	if len(args) > 0 {
		s = fmt.Sprintf(format, args...)
	}
	if s != "" {
		w.text.WriteString(strings.Repeat("\t", w.depth))
		w.text.WriteString(s)
	}
	w.text.WriteByte('\n')
	w.lines += 1 + strings.Count(s, "\n")
}

// optional writes a line if wanted, and if it is not empty.
func (w *writer) optional(wanted bool, line string) {
	if wanted && line != "" {
		w.line("%s", line)
	}
}

// open writes a line that ends in a brace, and increases the depth.
func (w *writer) open(format string, args ...any) {
	w.line(format, args...)
	w.depth++
}

// close ends a level that open started; rest follows the brace.
func (w *writer) close(rest string) {
	w.depth--
	w.line("}%s", rest)
}

// list joins the parts of a list with commas, over several lines if it is long.
func (w *writer) list(items []string) string {
	const width = 88
	var b strings.Builder
	column := 0
	long := len(strings.Join(items, ", ")) > width-24
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
			column++
		}
		switch {
		case long && (i == 0 || column+len(item) > width):
			b.WriteString("\n" + strings.Repeat("\t", w.depth+1))
			column = 8 * (w.depth + 1)
		case i > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(item)
		column += len(item)
	}
	return b.String()
}

// raw writes text unchanged, with a newline at its end.
func (w *writer) raw(s string) {
	s = strings.TrimRight(s, "\n") + "\n"
	w.text.WriteString(s)
	w.lines += strings.Count(s, "\n")
}

// source tells the compiler that the next line is line n of file.
func (w *writer) source(n int, file string) {
	w.raw(fmt.Sprintf("#line %d %q", n, file))
}

// here ends the effect of source: the next line belongs to this text again.
func (w *writer) here(file string) { w.source(w.lines+2, file) }

func (w *writer) String() string { return w.text.String() }
