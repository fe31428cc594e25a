package core

import (
	"slices"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// across is what a loop needs on several ranks. A call sends what other ranks need of this one's
// values, runs the elements that need nothing of theirs, waits for theirs, and runs the others: the
// owned ones, and those of the halo that contribute to owned values or whose values would otherwise
// have to be sent.
type across struct {
	comm       comm.Comm
	ends       []int // of prefixes, among the elements or indices that the loop runs over
	core       int   // the leading elements that read no halo through maps
	use        []use
	subset     bool
	executes   int // the prefix that the loop has to run over
	reductions []loop.Reduction
	globals    []*Storage // that the loop uses
	reduced    []*Storage // those of them that it reduces into
	reducing   *reducing
	updates    map[string]*update // by what is outdated
	meter      *meter
	outdated   []outdated // of the current call
}

// use is how a loop uses a storage on a set.
type use struct {
	outdated
	access         loop.Access
	direct, mapped bool
}

// newAcross prepares a loop for several ranks; it returns nil on one.
func (b *binder) newAcross(m *meter) *across {
	s := b.over.Set
	if s.spread == nil {
		return nil
	}
	a := &across{comm: b.rt.Comm(), subset: b.over.Subset != nil, updates: map[string]*update{}, meter: m}
	for x := range 2*len(s.extents.Layers) + 1 {
		a.ends = append(a.ends, b.over.prefix(x))
	}
	a.ends[len(a.ends)-1] = b.over.Last()
	for i, arg := range b.args {
		switch {
		case arg.kind == loop.Global:
			a.globals = append(a.globals, arg.data.storage)
			if b.desc.Args[i].Reduces() {
				a.reductions = append(a.reductions, loop.ReductionOf(b.desc, b.desc.Args[i]))
				a.reduced = append(a.reduced, arg.data.storage)
			}
		case arg.kind == loop.Mat:
			a.executes = 1
		case arg.kind == loop.Dat:
			a.add(arg)
		}
	}
	a.reducing = newReducing(a.reductions, m)
	a.core = b.core()
	return a
}

// add adds the use of a dat by an argument.
func (a *across) add(arg Arg) {
	i := slices.IndexFunc(a.use, func(u use) bool { return u.storage == arg.data.storage })
	if i < 0 {
		i = len(a.use)
		d := arg.data
		a.use = append(a.use, use{access: arg.access, outdated: outdated{storage: d.storage, row: d.dim * d.scalar.Size()}})
	}
	u := &a.use[i]
	switch {
	case arg.m == nil || arg.m.reach == nil || u.direct || u.mapped && u.through != arg.m:
		u.through = nil
	case !u.mapped:
		u.through, u.parts = arg.m, arg.m.reach
	}
	if s := arg.data.set; u.through == nil && s.spread != nil {
		u.parts = s.spread.parts
	}
	u.direct = u.direct || arg.m == nil
	u.mapped = u.mapped || arg.m != nil
	if arg.m != nil && arg.access != loop.Read {
		a.executes = 1
	}
}

// core returns the number of leading elements from which no map that the loop reads through leads
// into a halo.
func (b *binder) core() int {
	end := b.over.Size()
	for _, a := range b.args {
		if a.kind != loop.Dat || a.m == nil || a.access != loop.Read && a.access != loop.RW {
			continue
		}
		owned := int32(a.m.to.extents.Owned)
		for i := range end {
			e := i
			if b.over.Subset != nil {
				e = int(b.over.Subset.elements[i])
			}
			if slices.ContainsFunc(a.targets(nil, e), func(t int32) bool { return t >= owned }) {
				end = i
				break
			}
		}
	}
	return end
}

// boundaries returns the elements at which parts of the loop may start and end.
func (b *binder) boundaries() []int {
	s := b.over.Set
	if s.spread == nil {
		return nil
	}
	at := []int{b.core()}
	for x := range 2 * len(s.extents.Layers) {
		at = append(at, b.over.prefix(x))
	}
	slices.Sort(at)
	last := b.over.Last()
	return slices.DeleteFunc(slices.Compact(at), func(e int) bool { return e == 0 || e >= last })
}

// need returns the prefix of the values that a loop over prefix x reads.
func (u *use) need(x int) int {
	n := 0
	if u.mapped && (u.access == loop.Read || u.access == loop.RW) {
		n = 2 * (x/2 + 1)
	}
	if u.direct && u.access != loop.Write {
		n = max(n, x)
	}
	return n
}

// extent returns the prefix that a call runs over: what it has to, or as much of the halo as it
// needs no message for, if a later loop reads that.
func (a *across) extent() int {
	if a.executes > 0 {
		return a.executes
	}
	wanted, possible := 0, len(a.ends)-2
	for i := range a.use {
		u := &a.use[i]
		if u.access != loop.Read {
			wanted = max(wanted, u.storage.wanted)
		}
	}
	if wanted == 0 {
		return 0
	}
	for i := range a.use {
		u := &a.use[i]
		for possible > 0 && u.need(possible) > u.storage.valid {
			possible--
		}
	}
	if possible >= min(wanted, len(a.ends)-2) {
		return min(wanted, possible)
	}
	return 0
}

// stale returns what has to be updated before a loop over prefix x; nil if nothing.
func (a *across) stale(x int) (*update, error) {
	a.outdated = a.outdated[:0]
	var key []byte
	for i := range a.use {
		u := &a.use[i]
		n := u.need(x)
		u.storage.wanted = max(u.storage.wanted, n)
		if n <= u.storage.valid || u.through != nil && u.storage.through == u.through && n <= u.storage.reached {
			continue
		}
		o := u.outdated
		o.from, o.to = u.storage.valid, n
		a.outdated = append(a.outdated, o)
		key = append(key, byte(i), byte(o.from), byte(o.to))
	}
	if key == nil {
		return nil, nil
	}
	if u := a.updates[string(key)]; u != nil {
		return u, nil
	}
	u, err := newUpdate(a.comm, a.outdated)
	if err == nil {
		a.updates[string(key)] = u
	}
	return u, err
}

// settle records which values are valid after a loop over prefix x.
func (a *across) settle(x int) {
	for _, o := range a.outdated {
		if o.storage.through, o.storage.reached = o.through, o.to; o.through == nil {
			o.storage.valid = max(o.storage.valid, o.to)
		}
	}
	for i := range a.use {
		u := &a.use[i]
		switch {
		case u.access == loop.Read:
		case u.mapped:
			u.storage.spoil(max(0, 2*((x+1)/2-1)))
		case a.subset:
			u.storage.spoil(min(u.storage.valid, x))
		default:
			u.storage.spoil(x)
		}
	}
}

// begin waits for reductions of globals that the loop uses, and for those of its last call.
func (a *across) begin() error {
	if a == nil {
		return nil
	}
	for _, s := range a.globals {
		if err := s.reducing.settle(); err != nil {
			return err
		}
	}
	return a.reducing.settle()
}

// run runs a loop once, after begin.
func (a *across) run(r backend.Runner) error {
	x := a.extent()
	u, err := a.stale(x)
	if err != nil {
		return err
	}
	if u != nil {
		if err := u.start(); err != nil {
			return err
		}
	}
	if err := r.Begin(nil); err != nil {
		return err
	}
	first := 0
	if u != nil {
		if err := r.RunPart(backend.Part{First: 0, Last: a.core, Reduce: true}); err != nil {
			return err
		}
		first = a.core
		start := time.Since(epoch)
		if err := u.finish(); err != nil {
			return err
		}
		a.meter.addHalo(u, time.Since(epoch)-start)
	}
	owned, last := a.ends[0], a.ends[x]
	if len(a.reductions) == 0 {
		owned = last
	}
	if err := r.RunPart(backend.Part{First: first, Last: owned, Reduce: true}); err != nil {
		return err
	}
	if last > owned {
		if err := r.RunPart(backend.Part{First: owned, Last: last}); err != nil {
			return err
		}
	}
	a.settle(x)
	return a.reduce(r)
}

// reduce starts to combine the totals of reductions with those of the other ranks.
func (a *across) reduce(r backend.Runner) error {
	if len(a.reductions) == 0 {
		return r.Finish()
	}
	totals, err := r.Combine()
	if err != nil {
		return err
	}
	for _, s := range a.reduced {
		s.reducing = a.reducing
	}
	return a.reducing.start(a.comm, r, a.reductions, totals)
}
