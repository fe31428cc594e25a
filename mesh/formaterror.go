package mesh

import "fmt"

// FormatError reports where a mesh file violates its format.
type FormatError struct {
	File   string // the name of the file, or "input" where it has none
	Line   int    // the line, counted from 1; 0 in a binary file
	Offset int64  // the byte, counted from 0, in a binary file
	Msg    string // what was expected and what was found
}

// Error returns "mesh: FILE:LINE: expected this, found that", or, in a binary file,
// "mesh: FILE: byte OFFSET: expected this, found that".
func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("mesh: %s: byte %d: %s", e.File, e.Offset, e.Msg)
	}
	return fmt.Sprintf("mesh: %s:%d: %s", e.File, e.Line, e.Msg)
}
