package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// addsFrom is the smallest number of values of a reduction for which a kernel that only adds does
// so in the block's partial result: for fewer there are sums, which accumulate in registers.
var addsFrom = len(opsFor[loop.Float64].sums)

// order chooses the length of strips, whose copies are fetched together, and decides whether these
// are stored element by element, because several arguments lead to the same values. If an element
// must see what another one left, the length is one.
func (b *body) order(p *lower.Program) {
	const cache = 16 << 10 // the part of the L1 cache that a strip's values may take
	if p.Turn {
		b.strip = 1
		return
	}
	size := 0
	for _, param := range p.Params {
		for _, part := range param.Parts {
			size += part.Values * part.Type.Size()
		}
	}
	b.strip = max(1, min(stripLen, cache/size))
	changed := make([]bool, len(b.loop.Data))
	for _, move := range p.Moves {
		if move.When == lower.After && move.Place.Kind == lower.Values {
			b.interleaved = b.interleaved || changed[move.Place.Data]
			changed[move.Place.Data] = true
		}
	}
}

// arguments binds the loop program of a body to memory.
func (r *runner) arguments(own *body, k *kernel.Kernel, p *lower.Program, m backend.Memory) {
	b := &binder{body: own, runner: r, program: p, memory: m, copies: make([]local, len(p.Locals))}
	b.arrangeWords(k)
	for i := range p.Params {
		first, end := p.LocalsOf(i)
		for l := first; l < end; l++ {
			b.local(l)
		}
		b.point(i)
	}
	for _, move := range p.Moves {
		b.move(move)
	}
	if b.loop.Layers.Of > 0 {
		b.reserveTargets()
	}
	if bounds := b.loop.Layers.Bounds; bounds > 0 {
		b.bounds = m.Data[bounds-1]
	}
	for _, s := range p.Scatters {
		b.scatter(s)
	}
}

// binder is the state of binding one program.
type binder struct {
	*body
	runner  *runner
	program *lower.Program
	memory  backend.Memory
	copies  []local // by the program's locals: in scratch memory, or among partial results
}

// local reserves memory for local n: for each element of a strip, or in each block's partial
// results.
func (b *binder) local(n int) {
	l := b.program.Locals[n]
	size := uintptr(max(1, l.Rows) * l.Dim * l.Type.Size())
	if l.Role == lower.Number {
		size = unsafe.Sizeof(0)
	}
	r := b.program.Reduction(n)
	if r == nil {
		b.copies[n] = local{b.slots[l.Param], b.newScratch(size), size}
		return
	}
	b.copies[n] = local{b.slots[l.Param], b.runner.partialSize, size}
	b.runner.partialSize += uintptr(l.Stride())
	b.runner.reduced = append(b.runner.reduced, reduction{loop.ReductionOf(b.loop, b.loop.Args[r.Arg]), b.memory.Data[r.Data], b.copies[n].offset})
}

// newScratch reserves size bytes of scratch memory for each element of a strip.
func (b *body) newScratch(size uintptr) uintptr {
	offset := b.scratchSize
	b.scratchSize += (size*uintptr(b.strip) + 7) &^ 7
	return offset
}

// point records what parameter i points at.
func (b *binder) point(i int) {
	switch p := &b.program.Params[i]; {
	case p.Var.Count > 0:
		if b.counts == nil {
			b.counts = map[int]uintptr{}
		}
		b.counts[p.Var.Count] = b.copies[p.Local].offset
	case p.Pass != lower.InPlace && b.program.Locals[p.Local].Loop:
		b.partial = append(b.partial, local{slot: b.slots[i], offset: b.copies[p.Local].offset})
	case p.Pass != lower.InPlace:
		b.locals = append(b.locals, b.rows(p.Var, b.copies[p.Local]))
	case p.Place.Kind == lower.Global:
		b.fixed = append(b.fixed, fixed{b.slots[i], b.memory.Data[p.Place.Data]})
	default:
		b.columns = append(b.columns, column{b.slots[i], b.placeOf(p.Place, 1)})
	}
}

// move adds a step.
func (b *binder) move(m lower.Move) {
	if m.Local < 0 { // data in place is poisoned there
		d := b.loop.Data[m.Place.Data]
		b.before = append(b.before, step{place: b.placeOf(m.Place, m.Rows), levels: []lower.Level{m.Place.Level}, dim: m.Dim, move: opsFor[d.Type].poison})
		return
	}
	l, own := b.program.Locals[m.Local], b.copies[m.Local]
	o, dim := &opsFor[l.Type], m.Dim
	s := step{dim: dim, row: uintptr(dim * l.Type.Size()), local: own.offset + uintptr(m.Offset*l.Type.Size()), size: own.size, levels: []lower.Level{m.Place.Level}, apart: !b.program.Whole(m)}
	switch m.Place.Kind {
	case lower.ElementNo:
		b.indices = append(b.indices, index{offset: own.offset})
		return
	case lower.Result:
		s.partial, s.offset = true, b.copies[m.Place.Local].offset
	case lower.Values:
		s.place = b.placeOf(m.Place, m.Rows)
		if l.Role == lower.Number && m.Place.Level.Of > 0 {
			b.indices = append(b.indices, index{own.offset, b.memory.Data[m.Place.Data], b.loop.Data[m.Place.Data].Type})
			return
		}
		if l.Role == lower.Number {
			s.move = numbersFrom(b.loop.Data[m.Place.Data].Type)
			b.before = append(b.before, s)
			return
		}
		if m.Place.Map == loop.Direct && b.loop.Layers.Of == 0 && !m.Place.Some {
			dim = dynamicDim // the values of consecutive elements are one long row
		}
	default: // a matrix, or all parts
		s.dim *= m.Rows
	}
	switch {
	case m.Do == lower.Zero:
		b.zeroed = append(b.zeroed, own)
		return
	case m.Do == lower.Identity:
		s.move = fillRows(b.loop.Ops[m.By], l.Type)
	case m.Do == lower.Combine:
		s.move = combineRows(b.loop.Ops[m.By], l.Type)
	case l.Whole(m.Do):
		s.move = addRecords(l.Value, l.Type)
	case m.Do == lower.Poison:
		s.move = o.poisonCopies
	case m.Do == lower.Load:
		s.move = o.fetch(dim)
	case m.Do == lower.Add && s.partial && dim < len(o.sums):
		s.move = o.sums[dim]
	default:
		s.move = o.leave(m.Do, dim)
	}
	list := &b.after
	if m.Do.Arrives() {
		list = &b.before
	}
	if s.of = (part{m.Param, m.Place.Data}); m.Place.Level.Of > 0 && len(*list) > 0 { // it may follow that of another level
		if last := &(*list)[len(*list)-1]; last.of == s.of {
			last.levels = append(last.levels, m.Place.Level)
			return
		}
	}
	*list = append(*list, s)
}

func (b *binder) placeOf(at lower.Place, rows int) place {
	d := b.loop.Data[at.Data]
	p := place{base: b.memory.Data[at.Data], size: uintptr(d.Dim * d.Type.Size()), rows: rows}
	if of := uintptr(at.Level.Of); of > 0 {
		p.level, p.rise = p.size/of*uintptr(at.Level.First), p.size/of*uintptr(at.Level.Step)
	}
	if at.Some {
		p.some, p.base = true, add(p.base, uintptr(at.First*d.Type.Size()))
	}
	if at.Map != loop.Direct {
		p.targets = add(b.memory.Maps[at.Map], uintptr(4*at.Component))
		p.arity = uintptr(4 * b.loop.Maps[at.Map].Arity)
		p.step = p.arity
		p.varying = b.loop.Maps[at.Map].Varying
		if rows > 1 {
			p.step = 4
		}
	}
	return p
}
