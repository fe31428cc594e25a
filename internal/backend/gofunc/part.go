package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/plan"
)

// parts is the state of calls in parts.
type parts struct {
	pieces   backend.Pieces[*piece]
	consts   *backend.Consts
	totals   []unsafe.Pointer // of the reductions: the partial results of block 0, once combined
	combined bool
	tiles    *tiled // whose partial results count, too; or nil
}

// piece is a part of a loop, or all of it: its blocks, in batches by color.
type piece struct {
	*plan.Part
	batches []*crew.Batch
	pace    pace.Pace
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

// Begin copies the consts and initializes all partial results.
func (r *runner) Begin(consts []unsafe.Pointer) error {
	p := r.parts
	if p == nil {
		p = &parts{consts: backend.NewConsts(r.kernel, r.memory.Consts)}
		for i := range r.reduced {
			p.totals = append(p.totals, add(r.partialsOf(0), r.reduced[i].offset))
		}
		r.parts = p
	}
	p.combined, p.tiles = false, nil
	p.consts.Take(consts)
	r.beginBlocks(0, max(1, r.plan.Blocks()))
	return nil
}

// beginBlocks initializes the partial results of the blocks [first, last).
func (r *runner) beginBlocks(first, last int) {
	for b := first; b < last; b++ {
		r.begin(r.partialsOf(b))
	}
}

// begin initializes partial results.
func (r *runner) begin(partials P) {
	for i := range r.reduced {
		d := &r.reduced[i]
		d.Begin(add(partials, d.offset), d.global)
	}
}

// RunPart runs the blocks of a part. The kernel reads variables, which have the values of the call's
// consts meanwhile. Results that do not count are discarded.
func (r *runner) RunPart(part backend.Part) error {
	p, err := r.parts.pieces.Of(part, &r.memory, func() (*piece, error) { return r.newPiece(part.First, part.Last) })
	if err != nil || part.Empty() {
		return err
	}
	if err := r.crew.Stop.Err(); err != nil {
		return err
	}
	r.parts.consts.Swap()
	defer r.parts.consts.Swap()
	if err := r.crew.Run(p.batches, &p.pace); err != nil {
		return err
	}
	if !part.Reduce {
		r.beginBlocks(p.First, p.Last)
	}
	return nil
}

// Combine combines the partial results of the blocks, and then those of tiles.
func (r *runner) Combine() ([]unsafe.Pointer, error) {
	if !r.parts.combined {
		r.combine(r.partials, 1, r.plan.Blocks())
		if t := r.parts.tiles; t != nil {
			r.combine(t.partials, 0, len(t.from)-1)
		}
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
