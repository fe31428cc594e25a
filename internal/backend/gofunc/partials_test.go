package gofunc

import (
	"testing"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// No two blocks write to the same cache line, whatever the reductions of a loop.
func TestPartialsShareNoLines(t *testing.T) {
	for _, dims := range [][]int{{1}, {4}, {1, 1}, {9}, {3, 17, 1}} {
		for _, scalar := range []loop.Scalar{loop.Int8, loop.Float32, loop.Float64} {
			l, entry := &loop.Loop{}, &kernel.Func{}
			memory := backend.Memory{}
			for i, dim := range dims {
				l.Args = append(l.Args, loop.Arg{Kind: loop.Global, Access: loop.Inc, Data: i, Map: loop.Direct})
				l.Data = append(l.Data, loop.Data{Kind: loop.Global, Type: scalar, Dim: dim})
				entry.Params = append(entry.Params, &kernel.Var{Name: "x"})
				memory.Data = append(memory.Data, newLines(uintptr(8*dim)))
			}
			k := &kernel.Kernel{Uses: make([]kernel.Use, len(dims)), Funcs: []*kernel.Func{entry}}
			r := &runner{}
			r.arguments(&body{loop: l, strip: 1}, k, lower.Lower(l, k, lower.Target{AddsFrom: addsFrom}), memory)
			const blocks, line = 3, 64
			r.partials = newLines(r.partialSize * blocks)
			lines := map[uintptr]int{}
			for b := range blocks {
				for i, d := range r.reduced {
					first := uintptr(add(r.partialsOf(b), d.offset))
					for at := first / line; at <= (first+uintptr(d.Bytes())-1)/line; at++ {
						if other, taken := lines[at]; taken && other != b {
							t.Errorf("%v %s: reduction %d of block %d shares a cache line with block %d", dims, scalar, i, b, other)
						}
						lines[at] = b
					}
				}
			}
		}
	}
}
