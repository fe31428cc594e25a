package core

import (
	"slices"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// exchanges is how several ranks run loops of a chain: with one exchange of messages before as many of
// them as the layers of halo allow, instead of one before each loop that reads what another rank has
// changed.
type exchanges struct {
	rt     *Runtime
	loops  []*Loop
	plan   []halo.Loop // arguments number dats
	dats   []outdated  // whole: what any loop reaches
	of     [][]int     // by loop, and by what its across uses: the dat
	depth  int
	steady []halo.Exchange    // of a call that repeats
	calls  int                // exchanges of it that bring something
	apart  int                // loop by loop
	steps  map[string][]*step // of all loops, by what is valid and wanted
	key    []byte
}

// newExchanges returns how ranks run the loops; nil if some run in another order than that of the elements'
// numbers.
func newExchanges(rt *Runtime, loops []*Loop) *exchanges {
	x := &exchanges{rt: rt, loops: loops, steps: map[string][]*step{}}
	for _, l := range loops {
		a := l.across
		if a == nil || a.ordered >= 0 || l.same != nil {
			return nil
		}
		if x.depth = a.depth; x.depth != loops[0].across.depth {
			return nil
		}
		x.add(a)
	}
	values := make([]halo.Values, len(x.dats))
	for i := range values {
		values[i].Valid = 2 * x.depth
	}
	x.steady, x.calls, x.apart = halo.Repeated(x.plan, values, x.depth)
	return x
}

// add adds a loop.
func (x *exchanges) add(a *across) {
	of := make([]int, len(a.use))
	for i, u := range a.use {
		if of[i] = slices.IndexFunc(x.dats, func(d outdated) bool { return d.storage == u.storage }); of[i] < 0 {
			of[i] = len(x.dats)
			x.dats = append(x.dats, outdated{storage: u.storage, row: u.row, parts: a.parts[i]})
		}
	}
	p := halo.Loop{Subset: a.plan.Subset}
	for _, arg := range a.plan.Args {
		if arg.Dat != halo.NoDat {
			arg.Dat = of[arg.Dat]
		}
		p.Args = append(p.Args, arg)
	}
	x.of, x.plan = append(x.of, of), append(x.plan, p)
}

// next returns the steps of the next call of all loops; nil if they have their own.
func (x *exchanges) next() ([]*step, error) {
	if x == nil {
		return nil, nil
	}
	x.key = x.key[:0]
	values := make([]halo.Values, len(x.dats))
	for i, d := range x.dats {
		values[i] = halo.Values{Valid: min(d.storage.valid, 2*x.depth), Wanted: d.storage.wanted}
		x.key = append(x.key, byte(values[i].Valid), byte(values[i].Wanted))
	}
	if s := x.steps[string(x.key)]; s != nil {
		return s, nil
	}
	var steps []*step
	for _, e := range halo.PlanChain(x.plan, values, x.depth) {
		u, err := x.update(values, e.Steps[0].Before)
		if err != nil {
			return nil, err
		}
		late := u != nil && x.adds(len(steps), values, e.Steps[0].Before)
		for _, s := range e.Steps {
			steps = append(steps, x.step(len(steps), s, u))
			values, u = s.After, nil
		}
		steps[len(steps)-len(e.Steps)].late = late
	}
	x.steps[string(x.key)] = steps
	return steps, nil
}

// adds reports whether loop i changes values of the halo that an exchange brings.
func (x *exchanges) adds(i int, values []halo.Values, before []int) bool {
	return slices.ContainsFunc(x.plan[i].Args, func(a halo.Arg) bool {
		return a.Dat != halo.NoDat && a.Mapped && a.Access != loop.Read && values[a.Dat].Valid < before[a.Dat]
	})
}

// update returns the exchange that makes prefixes of dats valid; nil if they are.
func (x *exchanges) update(values []halo.Values, before []int) (*update, error) {
	var list []outdated
	for i, d := range x.dats {
		if d.from, d.to = values[i].Valid, before[i]; d.from < d.to {
			list = append(list, d)
		}
	}
	if list == nil {
		return nil, nil
	}
	return newUpdate(x.rt, list)
}

// step returns a step of loop i as its across takes it.
func (x *exchanges) step(i int, of halo.Step, u *update) *step {
	s := &step{Step: halo.Step{Execute: of.Execute}, update: u, whole: true}
	for _, d := range x.of[i] {
		s.Before, s.After = append(s.Before, of.Before[d]), append(s.After, of.After[d])
	}
	return s
}

// worth reports whether a call that repeats has fewer exchanges than loop by loop, or none more if some
// loops may be tiled between them.
func (x *exchanges) worth(tiles bool) bool {
	return x != nil && (x.calls < x.apart || tiles && x.calls == x.apart)
}

// starts reports by loop whether it is the first after an exchange, in a call that repeats; nil on one
// rank.
func (x *exchanges) starts() []bool {
	if x == nil {
		return nil
	}
	starts := make([]bool, len(x.loops))
	first := 0
	for _, e := range x.steady {
		starts[first] = true
		first += len(e.Steps)
	}
	return starts
}

// executed returns the prefixes that loops execute in a call that repeats; nil on one rank.
func (x *exchanges) executed(first, loops int) []int {
	if x == nil {
		return nil
	}
	var prefixes []int
	for _, e := range x.steady {
		for _, s := range e.Steps {
			prefixes = append(prefixes, s.Execute)
		}
	}
	return prefixes[first : first+loops]
}
