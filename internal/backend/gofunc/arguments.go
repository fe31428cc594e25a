package gofunc

import (
	"runtime"
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
	b := &binder{body: own, runner: r, program: p, memory: m, copies: make([]localParam, len(p.Locals))}
	b.arrangeWords(k)
	for i := range p.Params {
		first, end := p.LocalsOf(i)
		for l := first; l < end; l++ {
			b.reserveLocal(l)
		}
		b.pointAt(i)
	}
	for _, move := range p.Moves {
		b.addTransfer(move)
	}
	if b.loop.Layers.Of > 0 {
		b.reserveTargets()
	}
	if bounds := b.loop.Layers.Bounds; bounds > 0 {
		b.bounds = m.Data[bounds-1]
	}
	for _, s := range p.Scatters {
		b.addMat(s)
	}
}

// binder is the state of binding one program.
type binder struct {
	*body
	runner  *runner
	program *lower.Program
	memory  backend.Memory
	copies  []localParam // by the program's locals: in scratch memory, or among partial results
}

// arrangeWords gives the parameters their slots, and passes the lengths of slices, and nil for what is left out.
func (b *binder) arrangeWords(k *kernel.Kernel) {
	var words []int
	for _, v := range k.Params() {
		words = append(words, wordsOf(v))
	}
	slots, n := arrange(words, registersOf(runtime.GOARCH))
	b.words, b.slots = n, make([]int, len(b.program.Params))
	for i, p := range b.program.Params {
		if p.Var.Count == 0 {
			b.slots[i] = slots[k.Number(i)]
		}
	}
	for _, missing := range k.LeftOut {
		for w := range words[missing.At] {
			b.constants = append(b.constants, constant{slots[missing.At] + w, 0})
		}
	}
	for i, p := range b.program.Params {
		if p.Var.Slices > 0 {
			array := kernel.Elem(p.Var.Type).(*kernel.Array)
			if array.Count > 0 {
				b.lengths = append(b.lengths, varyingLength{b.slots[i] + 1, array.Count})
				continue
			}
			n := uintptr(array.Len)
			b.constants = append(b.constants, constant{b.slots[i] + 1, n}, constant{b.slots[i] + 2, n})
		}
	}
}

// reserveLocal reserves memory for local n: for each element of a strip, or in each block's partial
// results.
func (b *binder) reserveLocal(n int) {
	l := b.program.Locals[n]
	size := uintptr(max(1, l.Rows) * l.Dim * l.Type.Size())
	if l.Role == lower.Number {
		size = unsafe.Sizeof(0)
	}
	r := b.program.Reduction(n)
	if r == nil {
		b.copies[n] = localParam{b.slots[l.Param], b.newScratch(size), size}
		return
	}
	b.copies[n] = localParam{b.slots[l.Param], b.runner.partialSize, size}
	b.runner.partialSize += uintptr(l.Stride())
	b.runner.reduced = append(b.runner.reduced, reduction{loop.ReductionOf(b.loop, b.loop.Args[r.Arg]), b.memory.Data[r.Data], b.copies[n].offset})
}

// pointAt records what parameter i points at.
func (b *binder) pointAt(i int) {
	switch p := &b.program.Params[i]; {
	case p.Var.Count > 0:
		if b.counts == nil {
			b.counts = map[int]uintptr{}
		}
		b.counts[p.Var.Count] = b.copies[p.Local].offset
	case p.Pass != lower.InPlace && b.program.Locals[p.Local].Loop:
		b.partial = append(b.partial, localParam{slot: b.slots[i], offset: b.copies[p.Local].offset})
	case p.Pass != lower.InPlace:
		b.locals = append(b.locals, b.pointee(p.Var, b.copies[p.Local]))
	case p.Place.Kind == lower.Global:
		b.fixed = append(b.fixed, fixed{b.slots[i], b.memory.Data[p.Place.Data]})
	default:
		b.columns = append(b.columns, column{b.slots[i], b.placeOf(p.Place, 1)})
	}
}

// addTransfer adds a transfer of values, before or after the calls.
func (b *binder) addTransfer(m lower.Move) {
	if m.Local < 0 { // data in place is poisoned there
		d := b.loop.Data[m.Place.Data]
		b.before = append(b.before, transfer{place: b.placeOf(m.Place, m.Rows), levels: []lower.Level{m.Place.Level}, dim: m.Dim, move: opsFor[d.Type].poison})
		return
	}
	l, own := b.program.Locals[m.Local], b.copies[m.Local]
	o, dim := &opsFor[l.Type], m.Dim
	s := transfer{dim: dim, row: uintptr(dim * l.Type.Size()), local: own.offset + uintptr(m.Offset*l.Type.Size()), size: own.size, levels: []lower.Level{m.Place.Level}, apart: !b.program.Whole(m)}
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
	if s.of = (passedDat{m.Param, m.Place.Data}); m.Place.Level.Of > 0 && len(*list) > 0 { // it may follow that of another level
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

// pointee returns the pointee of a parameter with its values in own: these, or slices of them.
func (b *binder) pointee(v *kernel.Var, own localParam) localParam {
	if v.Slices < 2 {
		return own
	}
	array := kernel.Elem(v.Type).(*kernel.Array)
	h := headers{values: own, rows: array.Len, cols: array.Elem.(*kernel.Array).Len, count: array.Elem.(*kernel.Array).Count, ofSlice: unsafe.Sizeof([]byte{})}
	h.size = own.size / uintptr(h.rows)
	size := h.ofSlice * uintptr(h.rows)
	h.at = localParam{own.slot, b.newScratch(size), size}
	b.headers = append(b.headers, h)
	return h.at
}

// addMat records where a local matrix goes.
func (b *binder) addMat(s lower.Scatter) {
	own, l := b.copies[s.Local], b.program.Locals[s.Local]
	x := mat{
		values: b.memory.Data[s.Data], local: own.offset + uintptr((s.Row*l.Dim+s.Col)*l.Type.Size()), width: l.Dim, size: own.size, write: s.Do == lower.Store,
		rows: s.Rows, cols: s.Cols, rowDim: s.RowDim, colDim: s.ColDim, blocks: b.memory.Elements[s.Data], nonzeros: b.memory.Nonzeros[s.Nonzeros],
		rowsOf: b.memory.Maps[s.Map], colsOf: b.memory.Maps[s.ColMap], scatter: opsFor[l.Type].scatter,
	}
	if x.nonzeros.Table == nil {
		x.found = b.newScratch(uintptr(4 * x.rows * x.cols))
	}
	b.mats = append(b.mats, x)
}
