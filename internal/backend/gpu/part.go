package gpu

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
)

// newParts allocates the totals.
func (r *runner) newParts() (*parts, error) {
	p := &parts{}
	for i, a := range r.spec.Loop.Args {
		if !a.Reduces() {
			continue
		}
		t := total{arg: i, data: a.Data, bytes: resultBytes(r.spec.Loop, a), host: loop.ReductionOf(r.spec.Loop, a).New()}
		var err error
		if t.buffer, err = r.engine.alloc(t.bytes); err != nil {
			return nil, err
		}
		r.keepBuffer(t.buffer)
		p.totals, p.host = append(p.totals, t), append(p.host, t.host)
	}
	return p, nil
}

func resultBytes(l *loop.Loop, a loop.Arg) int { return l.Dim(a) * l.Type(a).Size() }

// Begin chooses the variant, takes the consts, and initializes all partial results.
func (r *runner) Begin(consts []unsafe.Pointer) error {
	if consts == nil {
		consts = r.memory.Consts
	}
	if err := r.begin(consts); err != nil {
		return err
	}
	if r.parts == nil {
		p, err := r.newParts()
		if err != nil {
			return err
		}
		r.parts = p
	}
	p := r.parts
	p.variant, p.used, p.combined, p.unchecked = r.next(), 0, false, false
	return p.variant.neutralize(r, 0, p.variant.room)
}

// neutralize makes partial results change nothing.
func (v *variant) neutralize(r *runner, first, count int) error {
	if v.neutral == nil {
		v.neutral = make([]device.Buffer, len(v.spec.Loop.Args))
	}
	for _, t := range r.parts.totals {
		if v.neutral[t.arg] == 0 {
			a := v.spec.Loop.Args[t.arg]
			value := neutralOf(v.spec.Loop, a)
			values := slices.Repeat(value, max(v.room, 1)*t.bytes/len(value))
			b, err := upload(v.engine, values)
			if err != nil {
				return err
			}
			r.keepBuffer(b)
			v.neutral[t.arg] = b
		}
		at := first * t.bytes
		if err := v.engine.device.Copy(v.partials[t.arg], at, v.neutral[t.arg], at, count*t.bytes); err != nil {
			return err
		}
	}
	return nil
}

// RunPart queues the launches of a part. Partial results that do not count are discarded.
func (r *runner) RunPart(part backend.Part) error {
	v := r.parts.variant
	p, err := v.pieces.Of(part, v.memory, func() (*piece, error) { return v.newPiece(r, part) })
	if err != nil || part.Empty() {
		return err
	}
	if err := errors.Join(r.engine.config.Stop.Err(), r.engine.takeDeferred()); err != nil {
		return err
	}
	if err := r.bring(true); err != nil {
		return err
	}
	first := p.first
	if !v.inBlocks() {
		first = r.parts.used
	}
	if first+p.groups > v.room {
		return fmt.Errorf("the parts of a call overlap: [%d, %d) is too much", part.First, part.Last)
	}
	if part.Reduce {
		r.parts.used += p.groups
	}
	r.parts.unchecked = true
	return r.timed(func() error {
		v.count = 0
		err := r.wrote(v.launchAll(p.launches, p.args, first))
		if err != nil || part.Reduce {
			return err
		}
		return v.neutralize(r, first, p.groups)
	})
}

// faultOfParts checks once for all parts so far whether an element has failed: that waits for the
// device, and nothing should wait between parts.
func (r *runner) faultOfParts() error {
	p := r.parts
	if !p.unchecked {
		return nil
	}
	p.unchecked = false
	return r.fault(p.variant)
}

func (v *variant) newPiece(r *runner, part backend.Part) (*piece, error) {
	p := &piece{args: v.args}
	var err error
	switch {
	case v.reach != nil:
		p.launches = v.launches
		p.args, err = v.gatherPart(r, part)
	case v.plan != nil:
		err = v.colors(p, part)
	default:
		p.groups = v.groupsOf(part.Last - part.First)
		p.launches = []launch{{groups: p.groups, offset: int32(part.First), end: int32(part.Last)}}
	}
	return p, err
}

// colors makes a launch for each color that a part of the plan has.
func (v *variant) colors(p *piece, part backend.Part) error {
	blocks, err := v.plan.Part(part.First, part.Last)
	if err != nil {
		return err
	}
	for _, c := range blocks.Colors {
		groups := int(c[1] - c[0])
		if !v.inBlocks() {
			groups = v.groupsOf(groups)
		}
		p.launches = append(p.launches, launch{groups, c[0], c[1], int32(p.groups)})
		p.groups += groups
	}
	if v.inBlocks() {
		p.first = blocks.First
	}
	return nil
}

// gatherPart returns the arguments with which targets gather from the elements of a part.
func (v *variant) gatherPart(r *runner, part backend.Part) ([]device.Arg, error) {
	m := *v.memory
	m.First, m.Last = part.First, part.Last
	reach, err := newReach(v.spec.Loop, &m)
	if err != nil {
		return nil, err
	}
	args := slices.Clone(v.args)
	for i, slot := range v.program.Params {
		values := reach.offsets
		switch slot.What {
		case codegen.SlotReachFirst:
		case codegen.SlotReach:
			values = reach.references
		default:
			continue
		}
		b := new(device.Buffer)
		if *b, err = upload(v.engine, values); err != nil {
			return nil, err
		}
		r.keepBuffer(*b)
		args[i].Value = unsafe.Pointer(b)
	}
	return args, nil
}

// Combine combines the partial results, and waits for the totals.
func (r *runner) Combine() ([]unsafe.Pointer, error) {
	p := r.parts
	if err := r.faultOfParts(); err != nil {
		return nil, err
	}
	if p.combined || len(p.totals) == 0 {
		return p.host, nil
	}
	v, d := p.variant, r.engine.device
	for _, t := range p.totals { // the kernel combines with them instead of with the globals
		if err := d.Copy(t.buffer, 0, v.neutral[t.arg], 0, t.bytes); err != nil {
			return nil, err
		}
		r.data[t.data] = t.buffer
	}
	if err := r.timed(func() error { return v.combinePartials(v.room) }); err != nil {
		return nil, err
	}
	for _, t := range p.totals {
		if err := d.Download(t.host, t.buffer, 0, t.bytes); err != nil {
			return nil, err
		}
	}
	p.combined = true
	return p.host, nil
}

// Finish combines the partial results, or if there are totals these, with the globals.
func (r *runner) Finish() error {
	p := r.parts
	if err := r.faultOfParts(); err != nil {
		return err
	}
	if len(p.totals) > 0 {
		if err := r.bring(true); err != nil {
			return err
		}
		if err := r.finish(p); err != nil {
			return err
		}
	}
	r.tried()
	return nil
}

func (r *runner) finish(p *parts) error {
	v := p.variant
	count := v.room
	if p.combined { // the only partial results
		count = 1
		for i := range p.totals {
			t := &p.totals[i]
			if err := r.engine.device.Upload(t.buffer, 0, t.host, t.bytes); err != nil {
				return err
			}
			own := &v.partials[t.arg]
			defer func(b device.Buffer) { *own = b }(*own)
			*own = t.buffer
		}
	}
	return r.timed(func() error { return r.wrote(v.combinePartials(count)) })
}
