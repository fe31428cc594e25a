package ckernel

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// mostApart is the number of values of a variable up to which a barrier leaves them in registers.
const mostApart = 32

// barrier prints a barrier: inline assembly that hides from the compiler how floats were computed, so that it
// fuses no product before with a sum after. OpenCL C has no inline assembly, and no barriers.
func (p *Printer) barrier(s *kernel.Barrier) {
	if !p.target.Assembly {
		return
	}
	for _, v := range s.Vars {
		if kernel.Count(v.Type) > mostApart && p.target.Memory {
			p.helpers.use("apart")
			p.w.Line("%s(%s);", p.helpers.use("apart_memory"), p.vars[v])
			continue
		}
		for _, place := range p.floats(v.Type, p.vars[v], nil) {
			p.w.Line("%s(%s);", p.helpers.use("apart"), place)
		}
	}
}

// floats returns the places of all floats in a value of type t, after those found before.
func (p *Printer) floats(t kernel.Type, place string, found []string) []string {
	switch t := t.(type) {
	case *kernel.Array:
		for i := range t.Len {
			found = p.floats(t.Elem, fmt.Sprintf("%s[%d]", place, i), found)
		}
	case *kernel.Struct:
		for _, f := range t.Fields {
			found = p.floats(f.Type, place+"."+p.fields[t][f.Name], found)
		}
	case kernel.Basic:
		if loop.Scalar(t).Float() {
			found = append(found, place)
		}
	}
	return found
}
