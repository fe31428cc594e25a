package opencl

import (
	"regexp"
)

var (
	errorLine = regexp.MustCompile(`(?i)\berror\b`)
	// place matches the line and column where a compiler found a mistake.
	place = regexp.MustCompile(`:\d+:\d+:`)
	// tempFile matches the name of PoCL's temporary source file.
	tempFile = regexp.MustCompile(`[^\s:]*/tempfile[_-]\w+\.cl\b`)
)

// maxLog limits how much of a compiler's messages is kept, in bytes.
const maxLog = 1 << 20

// cleanLog replaces names of temporary files in a log by the program's name.
func (b *build) cleanLog(log string) string {
	return tempFile.ReplaceAllLiteralString(log[:min(len(log), maxLog)], b.source.Name+".cl")
}
