package gofunc

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/lower"
)

// Prepare converts the loop program to columns of addresses, and transfers that move copies.
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
	r.crew = crew.Crew{Pool: e.pool, Waited: m.ReportWait, Stop: e.stop, Do: r.doBlock, Failure: failures(r.locateElement), Labels: m.Labels}
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

// newPiece prepares the blocks with the elements [first, last).
func (r *runner) newPiece(first, last int) (*piece, error) {
	part, err := r.plan.Part(first, last)
	if err != nil {
		return nil, err
	}
	p := &piece{Part: part, pace: pace.New(min(r.threads, part.LargestColor()))}
	for _, c := range part.Colors {
		p.batches = append(p.batches, crew.NewBatch(&r.crew, r.plan.BlocksByColor[c[0]:c[1]]))
	}
	return p, nil
}
