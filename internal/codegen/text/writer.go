// Package text has what all generated source is made of: indented lines, names that cannot clash,
// constants, and the spelling of values and of moves. It knows no kernels.
package text

import (
	"fmt"
	"strings"
)

// Writer collects indented lines of text and counts them.
type Writer struct {
	text  strings.Builder
	depth int
	lines int
}

// NewWriter returns a writer that begins at that depth.
func NewWriter(depth int) *Writer { return &Writer{depth: depth} }

// Size returns the number of bytes so far.
func (w *Writer) Size() int { return w.text.Len() }

// Line writes one line (or, without a format, an empty one) at the current depth.
func (w *Writer) Line(format string, args ...any) {
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

// Optional writes a line if wanted, and if it is not empty.
func (w *Writer) Optional(wanted bool, line string) {
	if wanted && line != "" {
		w.Line("%s", line)
	}
}

// Open writes a line that ends in a brace, and increases the depth.
func (w *Writer) Open(format string, args ...any) {
	w.Line(format, args...)
	w.depth++
}

// Reopen ends a level and begins the next with one line: "} else {".
func (w *Writer) Reopen(format string, args ...any) {
	w.depth--
	w.Open(format, args...)
}

// Under writes a line one level deeper.
func (w *Writer) Under(format string, args ...any) {
	w.depth++
	w.Line(format, args...)
	w.depth--
}

// Indent changes the depth.
func (w *Writer) Indent(by int) { w.depth += by }

// Close ends a level that open started; rest follows the brace.
func (w *Writer) Close(rest string) {
	w.depth--
	w.Line("}%s", rest)
}

// List joins the parts of a list with commas, over several lines if it is long.
func (w *Writer) List(items []string) string {
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

// Raw writes text unchanged, with a newline at its end.
func (w *Writer) Raw(s string) {
	s = strings.TrimRight(s, "\n") + "\n"
	w.text.WriteString(s)
	w.lines += strings.Count(s, "\n")
}

// Source tells the compiler that the next line is line n of file.
func (w *Writer) Source(n int, file string) {
	w.Raw(fmt.Sprintf("#line %d %q", n, file))
}

// Here ends the effect of source: the next line belongs to this text again.
func (w *Writer) Here(file string) { w.Source(w.lines+2, file) }

func (w *Writer) String() string { return w.text.String() }
