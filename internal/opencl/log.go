package opencl

import (
	"regexp"
	"strings"
)

var (
	errorLine = regexp.MustCompile(`(?i)\berror\b`)
	// place is what a compiler names where it finds fault with the text: line and column.
	place = regexp.MustCompile(`:\d+:\d+:`)
	// tempFile is how PoCL calls the text that it compiles.
	tempFile = regexp.MustCompile(`[^\s:]*/tempfile[_-]\w+\.cl\b`)
)

// maxLog bounds what is kept of a compiler's messages, in bytes.
const maxLog = 1 << 20

// cleanLog names the program where a log names a file that nobody has.
func (b *build) cleanLog(log string) string {
	return tempFile.ReplaceAllLiteralString(log[:min(len(log), maxLog)], b.source.Name+".cl")
}

// firstError is the line that a person would read first; empty if the log is.
func firstError(log string) string {
	first := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if errorLine.MatchString(line) {
			return line
		}
		if first == "" {
			first = line
		}
	}
	return first
}
