package bind

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/problem"
)

// Limits for the stacks of threads, which are 8 MiB: the kernel's arrays, of which packs have one
// for each of up to 16 elements, and its copies of reductions.
const (
	mostLocals     = 256 << 10
	mostReductions = 1 << 20
)

func (l *lowered) stack() error {
	ir := l.Kernel
	locals := ir.Locals
	for _, f := range ir.Funcs {
		if ir.Source != "" {
			break
		}
		kernel.Walk(f.Body, func(s kernel.Stmt) {
			if d, ok := s.(*kernel.Decl); ok {
				locals += bytesOf(d.Var.Type)
			}
		}, nil)
	}
	if locals > mostLocals {
		return &problem.ShapeError{What: l.What, Msg: fmt.Sprintf("kernel %s has local variables of %d bytes, %d are possible", ir.Name, locals, mostLocals),
			Hint: "keep large arrays in a dat, which is passed with RW"}
	}
	reductions := 0
	for i, a := range l.Loop.Args {
		if !a.Reduces() {
			continue
		}
		if reductions += l.Loop.Dim(a) * l.Loop.Type(a).Size(); reductions > mostReductions {
			return l.misshapen(i, fmt.Sprintf("the loop's reductions have %d bytes, %d are possible", reductions, mostReductions),
				"increment a dat through a map instead")
		}
	}
	return nil
}

// bytesOf returns the size of a local variable, without padding.
func bytesOf(t kernel.Type) int {
	switch t := t.(type) {
	case *kernel.Array:
		return t.Len * bytesOf(t.Elem)
	case *kernel.Struct:
		n := 0
		for _, f := range t.Fields {
			n += bytesOf(f.Type)
		}
		return n
	case kernel.Basic:
		return kernel.Leaf(t).Size()
	}
	return 8
}
