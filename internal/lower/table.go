package lower

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// The operations that fill a copy before the kernel, and that store its result, by access.
var (
	arrives = [...]Op{loop.Read: Load, loop.Write: Poison, loop.RW: Load, loop.Inc: Zero, loop.Min: Load, loop.Max: Load, loop.Reduce: Identity}
	leaves  = [...]Op{loop.Read: Nothing, loop.Write: Store, loop.RW: Store, loop.Inc: Add, loop.Min: Min, loop.Max: Max, loop.Reduce: Combine}
)

// Lower derives the program of a loop and its kernel, which has been analyzed and whose parameters
// fit the loop's arguments.
func Lower(l *loop.Loop, k *kernel.Kernel, t Target) *Program {
	b := &builder{Target: t, loop: l, kernel: k, program: &Program{Kernel: k.Name}}
	b.parameters()
	b.share()
	for i := range b.program.Params {
		for _, part := range b.program.Params[i].Parts {
			switch a := l.Args[part.Arg]; a.Kind {
			case loop.Index:
				b.index(i, a)
			case loop.Global:
				b.global(i, part.Arg, a)
			case loop.Mat:
				b.mat(i, a)
			default:
				b.dat(i, part.Arg, a)
			}
		}
	}
	b.stage()
	b.maps()
	return b.program
}

type builder struct {
	Target
	loop    *loop.Loop
	kernel  *kernel.Kernel
	program *Program

	indirect []bool               // by loop.Data: some argument reaches the dat through a map
	changed  []bool               // some argument changes the dat through a map
	copied   []bool               // by loop.Data, with Strips: changed in copies
	inPlace  map[*kernel.Var]bool // globals that can be read in place, if Apart
	gathered int
}

// parameters lists the parameters and their parts.
func (b *builder) parameters() {
	entry := b.kernel.Entry()
	params := make([]Param, len(entry.Params))
	for i, v := range entry.Params {
		params[i].Var = v
	}
	for i, a := range b.loop.Args {
		p := &params[b.loop.Param(i)]
		part := Part{Arg: i, Type: b.loop.Type(a), Rows: b.loop.Arity(a), Values: b.loop.Values(a)}
		if a.Kind != loop.Index {
			part.Value = b.loop.Data[a.Data].Value
		}
		p.Parts = append(p.Parts, part)
	}
	b.program.Params = params
}

// share determines how arguments share dats.
func (b *builder) share() {
	n := len(b.loop.Data)
	b.indirect, b.changed, b.copied = make([]bool, n), make([]bool, n), make([]bool, n)
	if b.Apart {
		b.inPlace = readOnly(b.program.Params, b.loop, b.kernel)
	}
	for i, a := range b.loop.Args {
		if a.Kind != loop.Dat {
			continue
		}
		b.indirect[a.Data] = b.indirect[a.Data] || a.Indirect()
		b.changed[a.Data] = b.changed[a.Data] || a.Indirect() && a.Access != loop.Read
		b.copied[a.Data] = b.copied[a.Data] || b.Strips && a.Access != loop.Read && !b.asItIs(i, a)
	}
}

// index passes the element's number, or the one that a table has for it.
func (b *builder) index(i int, a loop.Arg) {
	p, place := &b.program.Params[i], Place{Kind: ElementNo}
	if a.Data >= 0 {
		place = Place{Kind: Values, Data: a.Data, Map: loop.Direct}
	}
	place.Level = Level{Of: b.loop.Layers.Of, Step: 1}
	own := b.local(i, Local{Role: Number, Type: kernel.Leaf(p.Var.Type), Dim: 1, Pack: b.Lanes != nil})
	b.move(Move{Param: i, When: Before, Do: Load, Place: place, Local: own, Rows: 1, Dim: 1})
	p.Pass, p.Local = Own, own
}

// global passes a global.
//
//	read         in place, or a copy
//	inc          the partial result, where the kernel only adds, or a zero to be added to it
//	min, max     a copy of the partial result, to be combined with it
//	reduce       an identity, to be combined with it
func (b *builder) global(i, arg int, a loop.Arg) {
	p := &b.program.Params[i]
	lanes := b.Lanes != nil && b.Lanes(p.Var)
	place := Place{Kind: Global, Data: a.Data}
	own := Local{Role: Value, Type: b.loop.Type(a), Value: b.loop.Data[a.Data].Value, Dim: b.loop.Dim(a), Pack: lanes, Loop: b.Lanes != nil}
	if a.Access == loop.Read {
		if !lanes && (!b.Apart || b.inPlace[p.Var]) {
			p.Pass, p.Place = InPlace, place
			return
		}
		when := Before
		if own.Loop {
			when = First
		}
		p.Pass, p.Local = Own, b.local(i, own)
		b.move(Move{Param: i, When: when, Do: Load, Place: place, Local: p.Local, Rows: 1, Dim: own.Dim})
		return
	}

	own.Role, own.Loop = Partial, true
	r := Reduction{Arg: arg, Data: a.Data, Local: b.local(i, own), Begin: arrives[a.Access], Combine: leaves[a.Access], Finish: leaves[a.Access], By: a.Op}
	if b.Alone && r.Begin == Load {
		r.Finish = Store
	}
	b.program.Reductions = append(b.program.Reductions, r)
	p.Pass, p.Local = Own, r.Local
	if a.Access == loop.Inc && b.onlyAdds(i) && own.Dim >= b.AddsFrom {
		return
	}
	own.Role, own.Loop = Share, false
	p.Local = b.local(i, own)
	result := Place{Kind: Result, Local: r.Local}
	b.move(Move{Param: i, When: Before, Do: arrives[a.Access], Place: result, Local: p.Local, Rows: 1, Dim: own.Dim, By: a.Op})
	b.move(Move{Param: i, When: After, Do: leaves[a.Access], Place: result, Local: p.Local, Rows: 1, Dim: own.Dim, By: a.Op})
}

// dat passes a dat's values at the element, or at the elements that a map leads to.
//
//	             one element                all components of a map
//	read, rw     in place                   in place, where the kernel takes pointers to rows;
//	write        in place, poisoned         otherwise a copy
//	inc          in place, where the kernel only adds; otherwise a zero to be added, or stored in
//	             a fresh dat
//	min, max     a copy, to be combined
//	reduce       an identity, to be combined
//
// in place only if that is possible at all. Parts of a parameter are copied, one after the other.
func (b *builder) dat(i, arg int, a loop.Arg) {
	p := &b.program.Params[i]
	rows := b.loop.Arity(a)
	inTurn := b.InTurn && b.changed[a.Data] && a.Access != loop.Read
	b.program.Turn = b.program.Turn || inTurn || a.Access == loop.RW && (b.changed[a.Data] || b.meets(a))
	if b.asItIs(arg, a) && !b.copied[a.Data] {
		p.Pass, p.Place = InPlace, b.placeOf(a, 0)
		if a.WholeMap() {
			p.Pass = InPlaceRows
		}
		if b.Poison && a.Access == loop.Write && !b.hasBlank(a) {
			b.move(Move{Param: i, When: Before, Do: Poison, Place: p.Place, Local: -1, Rows: rows, Dim: b.loop.Dim(a)})
		}
		return
	}

	own := Local{Role: Copy, Type: b.loop.Type(a), Value: b.loop.Data[a.Data].Value, Dim: b.loop.Dim(a), Pack: b.Lanes != nil}
	p.Pass = Own
	switch {
	case a.Part():
		own.Role, own.Dim = Copies, a.Cols
	case a.WholeMap():
		own.Role, own.Rows = Copies, rows
		if kernel.TakesRows(p.Var.Type) {
			p.Pass = OwnRows
		}
	}
	if !a.Next {
		p.Local = b.local(i, own)
	}
	for level := range b.loop.LevelsOf(a).First {
		rows := b.loop.PerLevel(a)
		move := Move{Param: i, When: Before, Do: b.arriving(a), Place: b.placeOf(a, level), Local: p.Local, Offset: a.Offset + level*rows*b.loop.Dim(a), Rows: rows, Dim: b.loop.Dim(a), By: a.Op}
		switch {
		case !a.Part() || move.Do == Load:
			b.move(move)
		case !a.Next: // zero or poison all parts at once
			b.move(Move{Param: i, When: Before, Do: move.Do, Local: p.Local, Rows: 1, Dim: a.Cols})
		}
		move.When, move.Do = After, leaves[a.Access]
		if b.loop.Data[a.Data].Fresh {
			move.Do = Store
		}
		if b.Collisions != Elsewhere && b.changed[a.Data] {
			move.When, move.Atomic = Collide, b.Collisions == Atomically
		}
		b.move(move)
	}
}

// meets reports whether several layers of a column may reach the same values through argument a.
func (b *builder) meets(a loop.Arg) bool {
	l := b.loop.LevelsOf(a)
	return b.loop.Layers.Of > 0 && (len(l.First) > 1 || l.Step == 0 || b.loop.Ways(a.Data) > 1)
}

// mat passes a local matrix: a zero to be added, or one that is written. A part of several is a block
// of it.
func (b *builder) mat(i int, a loop.Arg) {
	p, d := &b.program.Params[i], b.loop.Data[a.Data]
	rows, cols := b.loop.Local(a)
	if a.Part() {
		rows, cols = a.Rows, a.Cols
	}
	if !a.Next {
		p.Pass, p.Local = Own, b.local(i, Local{Role: Matrix, Type: d.Type, Rows: rows, Dim: cols})
		if kernel.TakesRows(p.Var.Type) {
			p.Pass = OwnRows
		}
		b.move(Move{Param: i, When: Before, Do: b.arriving(a), Local: p.Local, Rows: rows, Dim: cols})
	}
	e := b.loop.Nonzeros[a.Nonzeros]
	s := Scatter{
		Param: i, When: After, Do: leaves[a.Access], Data: a.Data, Local: p.Local,
		Nonzeros: a.Nonzeros, Map: a.Map, ColMap: a.ColMap, Search: e.Search, Masked: e.Masked, Layers: b.loop.Layers.Of,
		Rows: b.loop.Maps[a.Map].Arity, Cols: b.loop.Maps[a.ColMap].Arity, RowDim: d.Dim, ColDim: d.ColDim,
		Row: a.Offset / cols, Col: a.Offset % cols,
	}
	if b.Collisions != Elsewhere && a.Access == loop.Inc { // a value that is written is written by only one element
		s.When, s.Atomic = Collide, b.Collisions == Atomically
	}
	b.program.Scatters = append(b.program.Scatters, s)
}

// asItIs reports whether the kernel may work on the values of a dat in place: they arrive
// unchanged, and their layout is the one that the kernel takes.
func (b *builder) asItIs(arg int, a loop.Arg) bool {
	i := b.loop.Param(arg)
	switch {
	case b.loop.Varies(a), len(b.loop.LevelsOf(a).First) > 1: // a row may lead nowhere, rows are in several columns
		return false
	case b.InPlace && b.indirect[a.Data]:
		if a.Part() || a.WholeMap() || a.Access == loop.Write {
			return false
		}
	case !b.Pointers, a.Part(), a.WholeMap() && !kernel.TakesRows(b.program.Params[i].Var.Type):
		return false
	}
	if a.Access == loop.Inc {
		return b.onlyAdds(i) && !b.Once
	}
	return a.Access == loop.Read || a.Access == loop.Write || a.Access == loop.RW
}

func (b *builder) onlyAdds(i int) bool { return b.kernel.Uses[i].OnlyAdds() }

// arriving returns the operation that fills a copy for argument a. Blank fields, which kernels need not
// write, are zero.
func (b *builder) arriving(a loop.Arg) Op {
	if a.Access == loop.Write && b.hasBlank(a) {
		return Zero
	}
	if op := arrives[a.Access]; op != Poison || b.Poison {
		return op
	}
	return Nothing
}

func (b *builder) hasBlank(a loop.Arg) bool {
	l := b.loop.Data[a.Data].Value
	return l != nil && l.HasBlank()
}

// placeOf returns the place of a dat's values, in one of the levels that layers reach.
func (b *builder) placeOf(a loop.Arg, level int) Place {
	switch {
	case b.Collisions == Gathers && a.Access != loop.Read:
		b.gathered += b.loop.Arity(a)
		return Place{Kind: Gathered, Data: a.Data, Column: b.gathered - b.loop.Arity(a)}
	case b.Staged && b.indirect[a.Data]:
		return Place{Kind: Shared, Data: a.Data, Column: slices.Index(b.loop.WaysTo(a.Data), a.Way()), Some: a.Single > 0, First: b.loop.First(a)}
	}
	at := Place{Kind: Values, Data: a.Data, Map: a.Map, Some: a.Single > 0, First: b.loop.First(a)}
	if a.Indirect() && !a.WholeMap() {
		at.Component = a.Component
	}
	if l := b.loop.LevelsOf(a); a.Levels > 0 {
		at.Level = Level{Of: b.loop.Data[a.Data].Column, First: l.First[level], Step: l.Step}
	}
	return at
}

// local adds a local of parameter i.
func (b *builder) local(i int, l Local) int {
	l.Param = i
	b.program.Locals = append(b.program.Locals, l)
	return len(b.program.Locals) - 1
}

// move adds a move, unless it does nothing.
func (b *builder) move(m Move) {
	if m.Do != Nothing {
		b.program.Moves = append(b.program.Moves, m)
	}
}

// stage lists the dats of which a block has a copy.
func (b *builder) stage() {
	if !b.Staged {
		return
	}
	for d := range b.loop.Data {
		if !b.indirect[d] {
			continue
		}
		access := b.loop.DataAccess(d)
		s := Staging{Data: d, In: arrives[access], Out: leaves[access]}
		if s.In == Poison {
			s.In = Nothing
		}
		if s.Out != Nothing && (s.Out != Add || b.loop.Data[d].Record() != nil) { // the copy starts with the existing values
			s.Out = Store
			if s.In != Nothing {
				s.In = Load
			}
		}
		b.program.Staged = append(b.program.Staged, s)
	}
}

// maps lists the maps used by places and searches.
func (b *builder) maps() {
	read := make([]bool, len(b.loop.Maps))
	lead := func(at Place) {
		if at.Kind == Values && at.Map != loop.Direct {
			read[at.Map] = true
		}
	}
	for _, p := range b.program.Params {
		lead(p.Place)
	}
	for _, m := range b.program.Moves {
		lead(m.Place)
	}
	for _, s := range b.program.Scatters {
		if s.Search {
			read[s.Map], read[s.ColMap] = true, true
		}
	}
	for m := range read {
		if read[m] {
			b.program.Maps = append(b.program.Maps, m)
		}
	}
}
