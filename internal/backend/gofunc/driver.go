package gofunc

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/stop"
)

// Driver is the backend `go`.
var Driver = backend.Driver{
	Name:    "go",
	Summary: "kernels as Go functions on goroutines",
	Probe: func(backend.Config) backend.Report {
		return backend.Report{Found: []backend.Item{{What: "Go", Detail: runtime.Version() + " " + runtime.GOARCH}}}
	},
	Open: func(c backend.Config) (backend.Backend, error) {
		return &engine{poison: c.Poison, warn: c.Warn, rank: c.Rank, sameBits: c.SameBits, pool: crew.NewPool(c.Threads), stop: c.Stop}, nil
	},
}

// engine is an open backend.
type engine struct {
	poison   bool
	sameBits bool
	pool     *crew.Pool
	stop     *stop.Flag
	warn     func(string)
	rank     int
	warned   bool // that C is interpreted
}

// Generate says which functions run: nothing is compiled.
func (e *engine) Generate(s backend.Spec) (string, error) {
	if err := callable(s); err != nil {
		return "", err
	}
	parts, which := s.Parts, ", one after another in each block"
	if parts == nil {
		parts, which = []backend.Spec{s}, ""
	}
	var functions []string
	for _, p := range parts {
		f := p.Kernel.Entry()
		text := fmt.Sprintf("the Go function %s (%s) itself", f.Name, f.Pos)
		if p.Func == nil {
			text = fmt.Sprintf("the C function %s (%s), interpreted", f.Name, f.Pos)
		}
		functions = append(functions, text)
	}
	return fmt.Sprintf("// %s%s; the backend go compiles nothing\n", strings.Join(functions, ", "), which), nil
}

// callable refuses kernels that can neither be called nor interpreted.
func callable(s backend.Spec) error {
	for _, p := range s.Parts {
		if err := callable(p); err != nil {
			return err
		}
	}
	if s.Parts != nil {
		return nil
	}
	if s.Func == nil && !s.Kernel.Captured() {
		return fmt.Errorf("%w: only a compiler understands the kernel, which is %s\n"+
			"  hint: write that as arithmetic, assignments and loops, or open the runtime with a backend that compiles, as sequential", backend.ErrUnavailable, s.Kernel.Beyond())
	}
	for _, p := range s.Kernel.Params() {
		if p.Slices > 0 {
			return passesSlices()
		}
	}
	return nil
}

// Place returns the processor and the version of Go.
func (e *engine) Place(backend.Spec) (machine, compiler string) {
	return jit.Processor(), runtime.Version()
}

// CallsKernels reports that kernels are called.
func (e *engine) CallsKernels() bool { return true }

// Check does nothing: the backend is always available.
func (e *engine) Check() error { return nil }

// Close ends the goroutines.
func (e *engine) Close() error {
	e.pool.Close()
	return nil
}
