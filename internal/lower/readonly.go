package lower

import (
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// readOnly returns the globals that the kernel only reads, and passes to no other function or
// variable: it can read them in place, even if its other pointers lead to copies.
func readOnly(params []Param, l *loop.Loop, k *kernel.Kernel) map[*kernel.Var]bool {
	if k.IsC() && !k.Exact {
		return nil
	}
	entry := k.Entry()
	found, stored := map[*kernel.Var]bool{}, kernel.Stored(entry)
	for _, p := range params {
		for _, part := range p.Parts {
			if a := l.Args[part.Arg]; a.Kind == loop.Global && a.Access == loop.Read && !stored[p.Var] {
				found[p.Var] = true
			}
		}
	}
	handedOn := func(e kernel.Expr) {
		if e != nil && !kernel.Is[kernel.Basic](e.Type()) {
			delete(found, kernel.Root(e))
		}
	}
	for _, d := range kernel.All[*kernel.Decl](entry.Body) {
		handedOn(d.Init)
	}
	for _, c := range kernel.All[*kernel.Call](entry.Body) {
		for _, a := range c.Args {
			handedOn(a)
		}
	}
	return found
}
