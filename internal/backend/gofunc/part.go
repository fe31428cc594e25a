package gofunc

import (
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/plan"
)

// parts is what calls in parts need.
type parts struct {
	pieces   backend.Pieces[*piece]
	consts   *backend.Consts
	totals   []unsafe.Pointer // of the reductions: the partial results of block 0, once combined
	combined bool
}

// piece is a part of a loop, or all of it: its blocks, in batches by color.
type piece struct {
	*plan.Part
	batches []*batch
	pace    pace.Pace
}

// newPiece prepares the blocks with the elements [first, last).
func (r *runner) newPiece(first, last int) (*piece, error) {
	part, err := r.plan.Part(first, last)
	if err != nil {
		return nil, err
	}
	p := &piece{Part: part, pace: pace.New(min(r.pool.threads, part.LargestColor()))}
	for _, c := range part.Colors {
		p.batches = append(p.batches, newBatch(r, r.plan.BlocksByColor[c[0]:c[1]]))
	}
	return p, nil
}

// run runs the blocks on the number of goroutines that their pace chooses.
func (r *runner) run(p *piece) error {
	if p.pace.Most() < 2 {
		_, err := r.runOn(p, 1)
		return err
	}
	start := time.Now()
	waited, err := r.runOn(p, p.pace.Threads())
	p.pace.Note(time.Since(start), waited, len(p.batches))
	if waited > 0 && r.waited != nil {
		r.waited(waited)
	}
	return err
}

// Begin copies the consts and initializes all partial results.
func (r *runner) Begin(consts []unsafe.Pointer) error {
	p := r.parts
	if p == nil {
		p = &parts{consts: backend.NewConsts(r.spec.Kernel, r.memory.Consts)}
		for i := range r.reduced {
			p.totals = append(p.totals, add(r.partialsOf(0), r.reduced[i].offset))
		}
		r.parts = p
	}
	p.combined = false
	p.consts.Take(consts)
	r.begin(0, max(1, r.plan.Blocks()))
	return nil
}

// begin initializes the partial results of the blocks [first, last).
func (r *runner) begin(first, last int) {
	for b := first; b < last; b++ {
		for i := range r.reduced {
			r.reduced[i].begin(r.partialsOf(b))
		}
	}
}

// RunPart runs the blocks of a part. The kernel reads variables, which have the values of the call's
// consts meanwhile. Results that do not count are discarded.
func (r *runner) RunPart(part backend.Part) error {
	p, err := r.parts.pieces.Of(part, &r.memory, func() (*piece, error) { return r.newPiece(part.First, part.Last) })
	if err != nil || part.Empty() {
		return err
	}
	if err := r.stop.Err(); err != nil {
		return err
	}
	r.parts.consts.Swap()
	defer r.parts.consts.Swap()
	if err := r.run(p); err != nil {
		return err
	}
	if !part.Reduce {
		r.begin(p.First, p.Last)
	}
	return nil
}

// Combine combines the partial results of the blocks.
func (r *runner) Combine() ([]unsafe.Pointer, error) {
	if !r.parts.combined {
		r.combine(r.plan.Blocks())
		r.parts.combined = true
	}
	return r.parts.totals, nil
}

// Finish combines the totals with the globals.
func (r *runner) Finish() error {
	if _, err := r.Combine(); err != nil {
		return err
	}
	r.finish()
	return nil
}
