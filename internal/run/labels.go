package run

import (
	"context"
	"runtime/pprof"

	"github.com/go-op2/op2/internal/entity"
)

// labels say in CPU profiles which loop a goroutine runs: its kernel as "op2.kernel", its set as "op2.set". The zero
// labels say nothing.
type labels struct {
	of      context.Context // nil: none
	outside context.Context // with the labels that the program's goroutine has otherwise
}

// newLabels returns the labels of a loop; the zero ones unless statistics are wanted.
func newLabels(rt *entity.Runtime, kernel, set string) labels {
	c := rt.Config()
	if !c.Stats {
		return labels{}
	}
	outside := c.Context
	if outside == nil {
		outside = context.Background()
	}
	return labels{pprof.WithLabels(outside, pprof.Labels("op2.kernel", kernel, "op2.set", set)), outside}
}

// begin labels the goroutine.
func (l labels) begin() {
	if l.of != nil {
		pprof.SetGoroutineLabels(l.of)
	}
}

// end gives the goroutine back the labels of the runtime's context.
func (l labels) end() {
	if l.of != nil {
		pprof.SetGoroutineLabels(l.outside)
	}
}
