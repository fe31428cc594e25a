package kernel

import (
	"cmp"
	"fmt"
)

// Pos is a position in a kernel's source. The zero Pos means nowhere.
type Pos struct {
	File      string
	Line, Col int
}

// Known reports whether p is a real position.
func (p Pos) Known() bool { return p.Line > 0 }

// Compare compares positions by their lines and columns.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

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
