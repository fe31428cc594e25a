package jit

import (
	"regexp"
	"strings"
)

var (
	identifier = regexp.MustCompile(`[A-Za-z_]\w*`)
	// saysLine are the lines of a log in which the compiler speaks; others quote the source, with a mark
	// below that has to stay where it is.
	saysLine = regexp.MustCompile(`(error|warning|note): |In function |undefined reference`)
)

// Renamed is e with the names in the compiler's messages, though not in the source that it quotes,
// replaced: generated text has some of a program's names in another form.
func (e *CompileError) Renamed(names map[string]string) *CompileError {
	replace := func(text string) string {
		return identifier.ReplaceAllStringFunc(text, func(name string) string {
			if own, ok := names[name]; ok {
				return own
			}
			return name
		})
	}
	renamed := *e
	renamed.Reason = replace(e.Reason)
	lines := strings.Split(e.Log, "\n")
	for i, line := range lines {
		if saysLine.MatchString(line) {
			lines[i] = replace(line)
		}
	}
	renamed.Log = strings.Join(lines, "\n")
	return &renamed
}
