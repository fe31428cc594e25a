package jit

import (
	"regexp"
	"strings"
)

var (
	identifier = regexp.MustCompile(`[A-Za-z_]\w*`)
	// saysLine matches the log lines in which the compiler itself speaks; others quote the source,
	// with a marker below that has to stay in place.
	saysLine = regexp.MustCompile(`(error|warning|note): |In function |undefined reference`)
)

// Renamed returns e with names replaced in the compiler's messages, but not in the source that it
// quotes: generated code has some of a program's names in another form.
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
