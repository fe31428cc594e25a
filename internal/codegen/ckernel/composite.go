package ckernel

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// composite prints the value of an array or a struct that is not an initializer.
func (p *Printer) composite(e *kernel.Composite) string {
	t, init := e.Type(), p.initializer(e, false)
	if p.target.Literals {
		return "(" + p.Ctype(t, false) + dims(t) + ")" + init
	}
	array, ok := t.(*kernel.Array)
	if !ok {
		return p.Ctype(t, false) + init
	}
	return fmt.Sprintf("%s<%s%s, %d>{%s}.values", p.helpers.use("array"), p.Ctype(t, false), dims(array.Elem), array.Len, init)
}

// initializer returns c in braces, without trailing zeros: C sets to zero what an initializer leaves out (C99 6.7.8).
func (p *Printer) initializer(c *kernel.Composite, each bool) string {
	elems := make([]string, len(c.Elems))
	last := 0 // the number of elements up to the last one that is given
	for i, e := range c.Elems {
		switch e := e.(type) {
		case nil:
			elems[i] = p.zero(kernel.PartType(c.Type(), i), each)
			continue
		case *kernel.Composite:
			elems[i] = p.initializer(e, each)
		default:
			elems[i] = p.value(e, each)
		}
		last = i + 1
	}
	if last == 0 {
		return p.zero(c.Type(), each)
	}
	return "{" + strings.Join(elems[:last], ", ") + "}"
}

// zero returns the initializer of a zero value of t.
func (p *Printer) zero(t kernel.Type, each bool) string {
	if each {
		return p.vec.Zero(kernel.Leaf(t), strings.Count(dims(t), "["))
	}
	switch s := kernel.Scalar(t); {
	case s == loop.Invalid:
		return "{0}"
	case s == loop.Bool:
		return "false"
	}
	return "0"
}

// plain reports whether C has an initializer for c: none of its elements is an array that is not
// itself a literal.
func (p *Printer) plain(c *kernel.Composite) bool {
	for _, e := range c.Elems {
		if e == nil {
			continue
		}
		inner, ok := e.(*kernel.Composite)
		if ok && !p.plain(inner) || !ok && facts.IsArray(e.Type()) {
			return false
		}
	}
	return true
}
