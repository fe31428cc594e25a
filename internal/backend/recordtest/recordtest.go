// Package recordtest has a backend for tests of what prepares and runs loops: it computes nothing, and records what
// would run.
package recordtest

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tiling"
)

// Backend records what its loops would do. Kernels fail whose names end in "_fail".
type Backend struct {
	Prepared []string // the kernels of loops
	Trace    []string // what has run, by the names of kernels: "k", "tiles of k, l", "sequence of k, l"

	// Name returns what a kernel is recorded as; nil: its name.
	Name func(kernel string) string
	// Part makes the trace tell each step of calls in parts, and what Part returns then: "begin k", "k [0, 3)",
	// "k [3, 4) for others", "finish k". Nil leaves it at the name for each part.
	Part func() string
}

// Queuing is a backend that queues loops together.
type Queuing struct{ *Backend }

// Translated is a backend that has the code of some loops alone.
type Translated struct {
	*Backend
	Has func(kernel string) bool
}

// HasCode implements backend.Translated.
func (t Translated) HasCode(s backend.Spec) bool { return t.Has(s.Kernel.Name) }

// Generate implements backend.Backend.
func (b *Backend) Generate(backend.Spec) (string, error) { return "", nil }

// CallsKernels implements backend.Backend.
func (b *Backend) CallsKernels() bool { return false }

// Check implements backend.Backend.
func (b *Backend) Check() error { return nil }

// Close implements backend.Backend.
func (b *Backend) Close() error { return nil }

// Prepare implements backend.Backend.
func (b *Backend) Prepare(s backend.Spec, _ backend.Memory) (backend.Runner, error) {
	b.Prepared = append(b.Prepared, s.Kernel.Name)
	return &runner{b: b, kernel: s.Kernel.Name, loop: s.Loop}, nil
}

// PrepareTiles implements backend.Tiler.
func (b *Backend) PrepareTiles(loops []backend.TileLoop, _ *tiling.Schedule) (backend.Tiles, error) {
	g := &group{b: b, what: "tiles"}
	for _, l := range loops {
		g.runners = append(g.runners, l.Runner.(*runner))
	}
	return g, nil
}

// PrepareSequence implements backend.Sequencer.
func (q Queuing) PrepareSequence(runners []backend.Runner) backend.Sequence {
	g := &group{b: q.Backend, what: "sequence"}
	for _, r := range runners {
		g.runners = append(g.runners, r.(*runner))
	}
	return g
}

// ran records what has run, and fails if the kernel does.
func (b *Backend) ran(what, kernel string) error {
	b.Trace = append(b.Trace, what)
	if strings.HasSuffix(kernel, "_fail") {
		return errors.New("it fails")
	}
	return nil
}

// runner records that its loop runs.
type runner struct {
	b      *Backend
	kernel string
	loop   *loop.Loop
	begun  bool
}

func (r *runner) name() string {
	if r.b.Name != nil {
		return r.b.Name(r.kernel)
	}
	return r.kernel
}

// step records a step of a call in parts.
func (r *runner) step(what string) error {
	if r.b.Part == nil {
		return nil
	}
	return r.b.ran(what+r.b.Part(), "")
}

func (r *runner) Ready() error { return nil }
func (r *runner) Run() error   { return r.b.ran(r.name(), r.kernel) }

func (r *runner) Begin([]unsafe.Pointer) error {
	r.begun = true
	return r.step("begin " + r.name())
}

func (r *runner) RunPart(p backend.Part) error {
	if r.b.Part == nil || strings.HasSuffix(r.kernel, "_fail") {
		return r.Run()
	}
	what := fmt.Sprintf("%s [%d, %d)", r.name(), p.First, p.Last)
	if !p.Reduce {
		what += " for others"
	}
	return r.step(what)
}

// Combine returns sums of no elements.
func (r *runner) Combine() (totals []unsafe.Pointer, err error) {
	for _, a := range r.loop.Args {
		if a.Reduces() {
			totals = append(totals, loop.ReductionOf(r.loop, a).New())
		}
	}
	return totals, nil
}

func (r *runner) Finish() error {
	r.begun = false
	return r.step("finish " + r.name())
}

// group records that several loops run together.
type group struct {
	b       *Backend
	what    string
	runners []*runner
}

func (g *group) Ready() error { return nil }
func (g *group) How() string  { return "some " + g.what }

func (g *group) RunTiles() error {
	for _, r := range g.runners {
		if !r.begun {
			return fmt.Errorf("%s has not begun", r.kernel)
		}
	}
	_, err := g.Run()
	return err
}

func (g *group) Run() (int, error) {
	var names []string
	for _, r := range g.runners {
		names = append(names, r.name())
	}
	return 0, g.b.ran(g.what+" of "+strings.Join(names, ", "), "")
}
