package run

import (
	"slices"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/timeline"
)

// haloRun is how a loop runs on several ranks. A call sends what other ranks need of this one's
// values, runs the elements that need nothing of theirs, waits for theirs, and runs the others: the
// owned ones, and those of the halo that contribute to owned values or whose values would otherwise
// have to be sent.
type haloRun struct {
	rt         *entity.Runtime
	ends       []int // of prefixes, among the elements or indices that the loop runs over
	core       int   // the leading elements that read no halo through maps
	plan       halo.Loop
	use        []exchange.Stale // by plan.Args' dats
	parts      [][]halo.Part    // by them: of the whole set
	depth      int
	steps      map[string]*Step // by what is valid and wanted
	key        []byte
	reductions []loop.Reduction
	globals    []*store.Storage // that the loop uses
	reduced    []*store.Storage // those of them that it reduces into
	reducing   *exchange.Reducing
	meter      *meter
	given      *Step         // of the next call; nil: the loop's own
	alone      bool          // nothing is sent: see userkernel.Kernel.Alone
	ordered    int           // the elements, if all run as one part, in the order of their numbers; otherwise -1
	took       time.Duration // the last call to compute what needs no messages
	computed   time.Duration // the last call to compute everything
}

// Step is how a call of a loop runs on several ranks, for one state of the halos. Nil leaves it to the loop.
type Step struct {
	halo.Step
	update *exchange.Update // nil if there is nothing to send
	whole  bool             // halos are valid everywhere, not only where the loop reaches them
	late   bool             // no element may run before the update has ended: it would overwrite what they change
}

// newHaloRun prepares a loop, of which ranks may run their elements alone, for several ranks; it returns nil on one.
func newHaloRun(b *bind.Binding, m *meter, alone bool) *haloRun {
	s := b.Over.Set
	if !s.Among() {
		return nil
	}
	a := &haloRun{rt: b.Runtime, plan: halo.Loop{Subset: b.Over.Subset != nil || !b.Loop.WritesAll()}, depth: s.Depth(), steps: map[string]*Step{}, meter: m, alone: alone, ordered: -1}
	if o := b.Same.InOrder(); o != nil {
		a.ordered, a.depth = len(o.Elements), 1
	}
	for x := range 2*s.Depth() + 1 {
		a.ends = append(a.ends, b.Over.Prefix(x))
	}
	for i, arg := range b.Args {
		switch {
		case arg.Kind == loop.Global:
			a.globals = append(a.globals, arg.Data.Storage())
			if b.Loop.Args[i].Reduces() {
				a.reductions = append(a.reductions, loop.ReductionOf(b.Loop, b.Loop.Args[i]))
				a.reduced = append(a.reduced, arg.Data.Storage())
			}
		case arg.Kind == loop.Mat:
			a.plan.Args = append(a.plan.Args, halo.Arg{Dat: halo.NoDat, Access: arg.Access, Mapped: true})
		case arg.Kind == loop.Dat && !arg.Data.Hidden():
			access := arg.Access
			if d := b.Loop.Args[i].Data; b.Loop.Single(d) {
				access = b.Loop.DataAccess(d)
			}
			a.add(arg, access)
		}
	}
	for _, u := range a.use {
		a.plan.Restricted = append(a.plan.Restricted, u.Through != nil)
	}
	a.reducing = exchange.NewReducing(a.reductions, func(d time.Duration) {
		m.addReduction(d)
		a.rt.Timeline().Ended(timeline.Wait, m.own.Kernel, d)
	})
	a.core = b.Core
	return a
}

// add adds the use of a dat by an argument. The access is that of the loop as a whole.
func (a *haloRun) add(arg entity.Arg, access loop.Access) {
	d := arg.Data
	i := slices.IndexFunc(a.use, func(u exchange.Stale) bool { return u.Storage == d.Storage() })
	first := i < 0
	if first {
		i = len(a.use)
		a.use = append(a.use, exchange.Stale{Storage: d.Storage(), Row: d.Width() * d.Scalar().Size()})
		a.parts = append(a.parts, d.Set().Parts())
	}
	u := &a.use[i]
	switch {
	case first && arg.Map != nil && arg.Map.Reach() != nil:
		u.Through, u.Parts = arg.Map.Reach(), arg.Map.Reach().Parts
	case u.Through == nil || arg.Map == nil || arg.Map.Reach() != u.Through:
		u.Through = nil
		u.Parts = a.parts[i]
	}
	a.plan.Args = append(a.plan.Args, halo.Arg{Dat: i, Access: access, Mapped: arg.Map != nil})
}

// next returns how the next call runs.
func (a *haloRun) next() (*Step, error) {
	a.key = a.key[:0]
	for i := range a.use {
		u := &a.use[i]
		reached := 0
		s := u.Storage.Halo()
		if u.Through != nil && s.Through == u.Through {
			reached = s.Reached
		}
		a.key = append(a.key, byte(min(s.Valid, 255)), byte(s.Wanted), byte(reached))
	}
	if s := a.steps[string(a.key)]; s != nil {
		return s, nil
	}
	values := make([]halo.Values, len(a.use))
	for i, u := range a.use {
		values[i] = halo.Values{Valid: min(u.Storage.Halo().Valid, 2*a.depth), Wanted: u.Storage.Halo().Wanted}
	}
	s := &Step{Step: halo.Plan(a.plan, values, a.depth)}
	var list []exchange.Stale
	for i, u := range a.use {
		u.From, u.To = values[i].Valid, s.Before[i]
		h := u.Storage.Halo()
		if u.From < u.To && !(u.Through != nil && h.Through == u.Through && h.Reached >= u.To) {
			list = append(list, u)
		}
	}
	if list != nil {
		var err error
		if s.update, err = exchange.NewUpdate(a.rt.Link(), list); err != nil {
			return nil, err
		}
	}
	a.steps[string(a.key)] = s
	return s, nil
}

// settle records which values are valid after a step.
func (a *haloRun) settle(s *Step) {
	for i, u := range a.use {
		h := u.Storage.Halo()
		switch {
		case a.plan.Writes(i):
			h.Written(s.After[i].Valid)
		case u.Through != nil && !s.whole && s.Before[i] > h.Valid:
			h.Through, h.Reached = u.Through, s.Before[i]
		default:
			h.Valid = max(h.Valid, s.After[i].Valid)
		}
		h.Wanted = s.After[i].Wanted
	}
}

// Brings reports whether messages bring values before the loop runs.
func (s *Step) Brings() bool { return s.update != nil }

// begin waits for reductions of globals that the loop uses, and for those of its last call.
func (a *haloRun) begin() error {
	if a == nil {
		return nil
	}
	return a.settleReductions()
}

func (a *haloRun) settleReductions() error {
	for _, s := range a.globals {
		if err := exchange.SettleReduction(s); err != nil {
			return err
		}
	}
	return a.reducing.Settle()
}

// together reports whether ranks run the loop together.
func (a *haloRun) together() bool { return a != nil && !a.alone }

// run runs a loop once, after begin.
func (a *haloRun) run(r backend.Runner) error {
	if a == nil {
		return r.Run()
	}
	return a.runAmong(r)
}

// runAmong is run on several ranks.
func (a *haloRun) runAmong(r backend.Runner) error {
	if a.alone {
		return a.runAlone(r)
	}
	s, err := a.given, error(nil)
	if s == nil {
		s, err = a.next()
	}
	if err != nil {
		return err
	}
	u := s.update
	if u != nil {
		if err := u.Start(); err != nil {
			return err
		}
	}
	if err := r.Begin(nil); err != nil {
		return err
	}
	if a.ordered >= 0 {
		return a.runInOrder(r, s)
	}
	a.rt.Comm().Computes(a.took)
	start := time.Since(epoch)
	first, waited := 0, time.Duration(0)
	if u != nil {
		if !s.late {
			if err := r.RunPart(backend.Part{First: 0, Last: a.core, Reduce: true}); err != nil {
				return err
			}
			first = a.core
		}
		a.took = time.Since(epoch) - start
		if err := a.finish(u); err != nil {
			return err
		}
		waited = time.Since(epoch) - start - a.took
	}
	owned, last := a.ends[0], a.ends[s.Execute]
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
	a.computed = time.Since(epoch) - start - waited
	if u == nil {
		a.took = a.computed
	}
	a.settle(s)
	return a.reduce(r)
}

// runAlone runs the elements that belong to this rank.
func (a *haloRun) runAlone(r backend.Runner) error {
	start := time.Since(epoch)
	if err := a.runHere(r); err != nil {
		return err
	}
	a.computed = time.Since(epoch) - start
	for i, u := range a.use {
		if a.plan.Writes(i) {
			u.Storage.Outdate()
		}
	}
	return nil
}

// runHere runs the elements that belong to this rank, whether or not others do.
func (a *haloRun) runHere(r backend.Runner) error {
	if err := r.Begin(nil); err != nil {
		return err
	}
	if err := r.RunPart(backend.Part{First: 0, Last: a.ends[0], Reduce: true}); err != nil {
		return err
	}
	if len(a.reductions) > 0 {
		if _, err := r.Combine(); err != nil {
			return err
		}
	}
	return r.Finish()
}

// finish waits for an update.
func (a *haloRun) finish(u *exchange.Update) error {
	start := a.rt.Timeline().Now()
	err := u.Finish()
	a.meter.addHalo(u)
	a.rt.Timeline().Add(timeline.Wait, a.meter.own.Kernel, start, u.Sends.Bytes)
	if a.rt.Device() != nil { // whose own time is all that is counted otherwise
		a.meter.addTime(u.Waited)
	}
	return err
}

// runInOrder runs all elements at once, which leaves none to run before an update has arrived.
func (a *haloRun) runInOrder(r backend.Runner, s *Step) error {
	if s.update != nil {
		if err := a.finish(s.update); err != nil {
			return err
		}
	}
	start := time.Since(epoch)
	if err := r.RunPart(backend.Part{First: 0, Last: a.ordered}); err != nil {
		return err
	}
	a.computed = time.Since(epoch) - start
	a.settle(s)
	return r.Finish()
}

// reduce starts to combine the totals of reductions with those of the other ranks.
func (a *haloRun) reduce(r backend.Runner) error {
	if len(a.reductions) == 0 {
		return r.Finish()
	}
	totals, err := r.Combine()
	if err != nil {
		return err
	}
	return a.reducing.Start(a.rt.Comm(), r, a.reductions, a.reduced, totals)
}
