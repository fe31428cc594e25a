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
	"github.com/go-op2/op2/internal/tune"
)

// parts is the state of calls in parts.
type parts struct {
	layout   *layout // that the call runs with
	used     int     // number of partial results so far
	totals   []total
	host     []unsafe.Pointer // of the totals
	combined bool             // the totals are

	unchecked bool // parts have run since it was last checked whether an element has failed
}

// total is the combined result of a reduction.
type total struct {
	arg, data, bytes int
	buffer           device.Buffer
	host             unsafe.Pointer
}

// piece holds the launches of a part.
type piece struct {
	launches []launch
	args     []device.Arg
	first    int // of its partial results, if they are those of blocks
	groups   int // number of partial results
}

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
		r.own(t.buffer)
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
	p.layout, p.used, p.combined, p.unchecked = r.next(), 0, false, false
	return p.layout.neutralize(r, 0, p.layout.room)
}

// neutralize makes partial results change nothing.
func (l *layout) neutralize(r *runner, first, count int) error {
	if l.neutral == nil {
		l.neutral = make([]device.Buffer, len(l.spec.Loop.Args))
	}
	for _, t := range r.parts.totals {
		if l.neutral[t.arg] == 0 {
			a := l.spec.Loop.Args[t.arg]
			value := neutralOf(l.spec.Loop, a)
			values := slices.Repeat(value, max(l.room, 1)*t.bytes/len(value))
			b, err := upload(l.engine, values)
			if err != nil {
				return err
			}
			r.own(b)
			l.neutral[t.arg] = b
		}
		at := first * t.bytes
		if err := l.engine.device.Copy(l.variant.partials[t.arg], at, l.neutral[t.arg], at, count*t.bytes); err != nil {
			return err
		}
	}
	return nil
}

// RunPart queues the launches of a part. Partial results that do not count are discarded.
func (r *runner) RunPart(part backend.Part) error {
	l := r.parts.layout
	p, err := l.pieces.Of(part, l.memory, func() (*piece, error) { return l.newPiece(r, part) })
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
	if !l.inBlocks() {
		first = r.parts.used
	}
	if first+p.groups > l.room {
		return fmt.Errorf("the parts of a call overlap: [%d, %d) is too much", part.First, part.Last)
	}
	if part.Reduce {
		r.parts.used += p.groups
	}
	r.parts.unchecked = true
	return r.timed(func() error {
		l.variant.count = 0
		err := r.wrote(l.variant.launch(p.launches, p.args, first))
		if err != nil || part.Reduce {
			return err
		}
		return l.neutralize(r, first, p.groups)
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
	return r.fault(p.layout.variant)
}

// inBlocks reports whether work-groups run the blocks of a plan, which have one partial result each,
// so that it is the same one in every part.
func (l *layout) inBlocks() bool {
	return l.variant.strategy == tune.Blocks || l.variant.strategy.Stages()
}

func (l *layout) newPiece(r *runner, part backend.Part) (*piece, error) {
	p := &piece{args: l.variant.args}
	var err error
	switch {
	case l.reach != nil:
		p.launches = l.variant.launches
		p.args, err = l.gather(r, part)
	case l.plan != nil:
		err = l.colors(p, part)
	default:
		p.groups = l.groupsOf(part.Last - part.First)
		p.launches = []launch{{groups: p.groups, offset: int32(part.First), end: int32(part.Last)}}
	}
	return p, err
}

// colors makes a launch for each color that a part of the plan has.
func (l *layout) colors(p *piece, part backend.Part) error {
	blocks, err := l.plan.Part(part.First, part.Last)
	if err != nil {
		return err
	}
	for _, c := range blocks.Colors {
		groups := int(c[1] - c[0])
		if !l.inBlocks() {
			groups = l.groupsOf(groups)
		}
		p.launches = append(p.launches, launch{groups, c[0], c[1], int32(p.groups)})
		p.groups += groups
	}
	if l.inBlocks() {
		p.first = blocks.First
	}
	return nil
}

// gather returns the arguments with which targets gather from the elements of a part.
func (l *layout) gather(r *runner, part backend.Part) ([]device.Arg, error) {
	m := *l.memory
	m.First, m.Last = part.First, part.Last
	reach, err := newReach(l.spec.Loop, &m)
	if err != nil {
		return nil, err
	}
	args := slices.Clone(l.variant.args)
	for i, slot := range l.variant.program.Params {
		values := reach.offsets
		switch slot.What {
		case codegen.SlotReachFirst:
		case codegen.SlotReach:
			values = reach.references
		default:
			continue
		}
		b := new(device.Buffer)
		if *b, err = upload(l.engine, values); err != nil {
			return nil, err
		}
		r.own(*b)
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
	l, d := p.layout, r.engine.device
	for _, t := range p.totals { // the kernel combines with them instead of with the globals
		if err := d.Copy(t.buffer, 0, l.neutral[t.arg], 0, t.bytes); err != nil {
			return nil, err
		}
		r.data[t.data] = t.buffer
	}
	if err := r.timed(func() error { return l.variant.combinePartials(l.room) }); err != nil {
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
	l := p.layout
	v := l.variant
	count := l.room
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
