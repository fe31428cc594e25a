package gofunc

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/backend"
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
		return &engine{poison: c.Poison, sameBits: c.SameBits, pool: newPool(c.Threads), stop: c.Stop}, nil
	},
}

// engine is an open backend.
type engine struct {
	poison   bool
	sameBits bool
	pool     *pool
	stop     *stop.Flag
}

// Generate says which function runs: nothing is compiled.
func (e *engine) Generate(s backend.Spec) (string, error) {
	if err := callable(s); err != nil {
		return "", err
	}
	if s.Parts == nil {
		f := s.Kernel.Entry()
		return fmt.Sprintf("// the Go function %s (%s) itself; the backend go compiles nothing\n", f.Name, f.Pos), nil
	}
	var parts []string
	for _, p := range s.Parts {
		f := p.Kernel.Entry()
		parts = append(parts, fmt.Sprintf("%s (%s)", f.Name, f.Pos))
	}
	return fmt.Sprintf("// the Go functions %s themselves, one after another in each block; the backend go compiles nothing\n", strings.Join(parts, ", ")), nil
}

// callable refuses kernels that are not Go functions.
func callable(s backend.Spec) error {
	for _, p := range s.Parts {
		if err := callable(p); err != nil {
			return err
		}
	}
	if s.Parts != nil {
		return nil
	}
	if s.Func == nil {
		return fmt.Errorf("the kernel is written in C, which the backend go cannot run: %w\n"+
			"  hint: write it in Go, or open the runtime with a backend that compiles, as sequential", backend.ErrUnavailable)
	}
	for _, p := range s.Kernel.Entry().Params {
		if p.Slices > 0 {
			return passesSlices()
		}
	}
	return nil
}

// Check does nothing: the backend is always available.
func (e *engine) Check() error { return nil }

// Close ends the goroutines.
func (e *engine) Close() error {
	e.pool.close()
	return nil
}
