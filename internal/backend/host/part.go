package host

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/loop"
)

func (r *runner) newParts() *parts {
	p := &parts{consts: backend.NewConsts(r.spec.Kernel, r.memory.Consts)}
	var partials []int // args
	for i, slot := range r.library.program.Slots {
		if slot.What == codegen.SlotPartial {
			partials = append(partials, i)
		}
	}
	for _, a := range r.spec.Loop.Args {
		if !a.Reduces() {
			continue
		}
		x := result{Reduction: loop.ReductionOf(r.spec.Loop, a), global: r.memory.Data[a.Data]}
		x.total, x.apart = x.New(), x.New()
		for i, slot := range r.library.program.Slots {
			if slot == (codegen.Slot{What: codegen.SlotData, N: a.Data}) {
				x.arg = i
			}
		}
		if r.shared != nil {
			at := partials[len(p.results)]
			x.partials, x.stride = r.args[at], r.library.program.Slots[at].N
		}
		p.results = append(p.results, x)
		p.totals = append(p.totals, x.total)
	}
	return p
}

// Begin copies the consts and initializes all results.
func (r *runner) Begin(consts []unsafe.Pointer) error {
	if r.parts == nil {
		r.parts = r.newParts()
	}
	p := r.parts
	p.combined = false
	p.consts.Take(consts)
	for i := range p.results {
		x := &p.results[i]
		x.Begin(x.total, x.global)
		if r.shared != nil {
			x.beginBlocks(0, r.memory.Plan.Blocks())
		}
	}
	return nil
}

// beginBlocks initializes the partial results of the blocks [first, last).
func (x *result) beginBlocks(first, last int) {
	for b := first; b < last; b++ {
		x.Reduction.Begin(x.of(b), x.global)
	}
}

// of returns the partial result of block b.
func (x *result) of(b int) unsafe.Pointer { return unsafe.Add(x.partials, b*x.stride) }

// RunPart calls the wrapper for a part. Results that do not count are discarded.
func (r *runner) RunPart(part backend.Part) error {
	p, err := r.parts.pieces.Of(part, &r.memory, func() (*piece, error) { return r.newPiece(part) })
	if err != nil || part.Empty() {
		return err
	}
	if err := r.stop.Err(); err != nil {
		return err
	}
	for i := range r.parts.results {
		x := &r.parts.results[i]
		switch {
		case r.shared != nil:
		case part.Reduce:
			p.args[x.arg] = x.total
		default:
			x.Begin(x.apart, x.global)
			p.args[x.arg] = x.apart
		}
	}
	if err := r.call(p.args, p.shared); err != nil {
		return err
	}
	if r.shared != nil && !part.Reduce {
		for i := range r.parts.results {
			r.parts.results[i].beginBlocks(p.blocks.First, p.blocks.Last)
		}
	}
	return nil
}

func (r *runner) newPiece(part backend.Part) (*piece, error) {
	p := &piece{args: append([]unsafe.Pointer(nil), r.args...)}
	if r.shared == nil {
		m := r.memory
		m.First, m.Last = part.First, part.Last
		p.runs, _ = r.runsOf(m)
		p.count = int64(len(p.runs))
	} else if err := r.share(p, part); err != nil {
		return nil, err
	}
	for i, slot := range r.library.program.Slots {
		switch slot.What {
		case codegen.SlotRuns:
			if r.shared == nil {
				p.args[i] = unsafe.Pointer(unsafe.SliceData(p.runs))
			}
		case codegen.SlotCount:
			p.args[i] = unsafe.Pointer(&p.count)
		case codegen.SlotConst:
			p.args[i] = r.parts.consts.At(slot.N)
		case codegen.SlotJob:
			p.args[i] = unsafe.Pointer(&p.shared.job)
		case codegen.SlotOrder:
			p.args[i] = address(p.order)
		case codegen.SlotCombined:
			p.args[i] = unsafe.Pointer(&r.parts.none)
		}
	}
	return p, nil
}

// share lists the blocks of a part by color, for the team.
func (r *runner) share(p *piece, part backend.Part) error {
	all := r.memory.Plan
	var err error
	if p.blocks, err = all.Part(part.First, part.Last); err != nil {
		return err
	}
	colors := []int32{0}
	for _, c := range p.blocks.Colors {
		p.order = append(p.order, all.BlocksByColor[c[0]:c[1]]...)
		colors = append(colors, int32(len(p.order)))
	}
	p.shared = r.engine.share(colors, r.engine.threadsFor(p.blocks.LargestColor(), r.spec.Chosen.Threads), r.spec.Chosen.Schedule, r.memory.ReportWait)
	return p.shared.ready()
}

// Combine combines the partial results of blocks, in order.
func (r *runner) Combine() ([]unsafe.Pointer, error) {
	p := r.parts
	if !p.combined && r.shared != nil {
		for i := range p.results {
			x := &p.results[i]
			for b := range r.memory.Plan.Blocks() {
				x.Combine(x.total, x.of(b))
			}
		}
	}
	p.combined = true
	return p.totals, nil
}

// Finish combines the totals with the globals.
func (r *runner) Finish() error {
	if _, err := r.Combine(); err != nil {
		return err
	}
	for _, x := range r.parts.results {
		x.Combine(x.global, x.total)
	}
	return nil
}
