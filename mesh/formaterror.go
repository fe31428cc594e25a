package mesh

import "fmt"

// FormatError reports where a mesh file violates its format.
type FormatError struct {
	File string // the name of the file, or "input" where it has none
	Line int    // the line, counted from 1
	Msg  string // what was expected and what was found
}

// Error returns "mesh: FILE:LINE: expected this, found that".
func (e *FormatError) Error() string {
	return fmt.Sprintf("mesh: %s:%d: %s", e.File, e.Line, e.Msg)
}
