package gofunc

import (
	"cmp"
	"fmt"
	"strconv"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/plan"
)

// runner is a prepared loop: how its elements are divided, and what runs them.
type runner struct {
	crew    crew.Crew
	plan    *plan.Plan
	memory  backend.Memory
	kernel  *kernel.Kernel
	threads int // at most
	runs    []backend.Run
	from    []int32 // block b has the runs [from[b], from[b+1])

	bodies []*body // one, or those of a fused loop, which run one after another in each block

	reduced     []reduction
	partialSize uintptr
	partials    P // by block

	whole *piece
	parts *parts // nil until the first call in parts
}

// Prepare converts the loop program to columns of addresses, and steps that move copies.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := callable(s); err != nil {
		return nil, err
	}
	var err error
	if m.Plan, _, err = m.NewPlan(backend.PlanRequest{BlockSize: s.BlockSize(m.Last - m.First), Boundaries: m.Boundaries}); err != nil {
		return nil, err
	}
	m.NewPlan = nil // which may keep a lot alive
	r := &runner{kernel: s.Kernel, memory: m, plan: m.Plan, threads: min(e.pool.Threads, cmp.Or(s.Chosen.Threads, e.pool.Threads))}
	r.crew = crew.Crew{Pool: e.pool, Waited: m.ReportWait, Stop: e.stop, Do: r.do, Failure: failures(r.locate), Labels: m.Labels}
	e.addBodies(r, s, m)
	r.runs, r.from = m.Runs()
	if err := r.createBatches(); err != nil {
		return nil, err
	}
	r.partials = newLines(r.partialSize * uintptr(max(1, r.plan.Blocks())))
	m.ReportHow(r.how()+backend.Shares(r.whole.pace.Most(), "goroutines", r.plan), "")
	if m.ReportChoices != nil {
		taken := s.Chosen.Only(choice.Block, choice.Threads)
		taken.Took(choice.Block, strconv.Itoa(m.Plan.BlockSize))
		taken.Took(choice.Threads, strconv.Itoa(r.whole.pace.Most()))
		m.ReportChoices(taken)
	}
	return r, nil
}

// addBodies gives the runner its bodies: those of the parts of a fused loop.
func (e *engine) addBodies(r *runner, s backend.Spec, m backend.Memory) {
	if s.Parts == nil {
		e.addBody(r, s, m)
		return
	}
	r.memory.Parts = nil
	for i := range s.Parts {
		e.addBody(r, s.Parts[i], m.Parts[i])
	}
}

// addBody adds a body, with data of its own.
func (e *engine) addBody(r *runner, s backend.Spec, m backend.Memory) {
	called := s.Func != nil
	p := lower.Lower(s.Loop, s.Kernel, lower.Target{Pointers: called, Strips: true, AddsFrom: addsFrom, Once: e.sameBits, Poison: e.poison})
	b := &body{loop: s.Loop, fn: s.Func}
	b.order(p)
	r.arguments(b, s.Kernel, p, m)
	if called {
		b.call, b.passed = callOf(b.words)
		if s.Loop.Layers.Of == 0 {
			b.visit(len(s.Kernel.Entry().Params) + len(s.Kernel.LeftOut))
		}
		b.useStrides()
	} else {
		b.call, b.passed = e.interpret(s.Kernel, p, b, m), b.words
	}
	r.bodies = append(r.bodies, b)
}

func (r *runner) how() string {
	interpreted := 0
	for _, b := range r.bodies {
		if b.fn == nil {
			interpreted++
		}
	}
	switch n := len(r.bodies); {
	case interpreted == 0 && n == 1:
		return "Go functions"
	case interpreted == 0:
		return fmt.Sprintf("%d Go functions, block by block", n)
	case n == 1:
		return "C, interpreted"
	default:
		return fmt.Sprintf("%d functions, block by block, %d of them C, interpreted", n, interpreted)
	}
}

// createBatches creates the batches, and slots for the goroutines that work on them: no more than the
// largest color has blocks.
func (r *runner) createBatches() (err error) {
	if r.whole, err = r.newPiece(r.plan.First, r.plan.Last); err != nil {
		return err
	}
	r.staff(r.whole.pace.Most())
	return nil
}

// staff makes room for a number of goroutines.
func (r *runner) staff(goroutines int) {
	for _, b := range r.bodies {
		for len(b.workers) < goroutines {
			b.workers = append(b.workers, worker{})
		}
		b.worker(0)
	}
}

// do runs a block as worker number.
func (r *runner) do(block int32, number int) { r.block(int(block), number) }

// locate records the element that a worker is at, and the part of a fused loop.
func (r *runner) locate(f *backend.Fault, number int) {
	at := r.bodies[0].workers[number].body
	w := &r.bodies[at].workers[number]
	f.Element, f.Elements = w.first, 1
	if r.bodies[at].loop.Layers.Of == 0 {
		f.Element += *marked(w.table)
	}
	if len(r.bodies) > 1 {
		f.Part = at + 1
	}
}

// newLines returns size bytes of memory on cache lines of their own.
func newLines(size uintptr) P {
	const line = 64
	start := P(unsafe.SliceData(make([]uint64, (size+2*line)/8)))
	return add(start, -uintptr(start)&(line-1))
}
