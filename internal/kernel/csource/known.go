package csource

import "github.com/go-op2/op2/internal/kernel"

// Known lists the names that a kernel may use without declaring them.
type Known struct {
	Headers []string        // standard headers
	Macros  map[string]bool // that these define
	Types   map[string]bool // of the headers
	Math    map[string]bool // functions of math.h
	Others  map[string]bool // functions of the other headers
	Consts  []kernel.Const
	Structs []string // of the program
}
