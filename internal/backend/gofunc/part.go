package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
)

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
