package kernel

import "fmt"

// Pos is a position in a kernel's source. The zero Pos means nowhere.
type Pos struct {
	File      string
	Line, Col int
}

// Known reports whether p is a real position.
func (p Pos) Known() bool { return p.Line > 0 }

// String returns file:line:column, as compilers print it.
func (p Pos) String() string {
	switch {
	case !p.Known():
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}
