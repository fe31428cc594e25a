package run

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// Exchanges is how several ranks run loops one after another: with one exchange of messages before as many of
// them as the layers of halo allow, instead of one before each loop that reads what another rank has
// changed. Nil is the trivial form: each loop has its own.
type Exchanges struct {
	rt     *entity.Runtime
	loops  []*Loop
	plan   []halo.Loop      // arguments number dats
	dats   []exchange.Stale // whole: what any loop reaches
	of     [][]int          // by loop, and by what it uses: the dat
	depth  int
	steady []halo.Exchange    // of a call that repeats
	calls  int                // exchanges of it that bring something
	apart  int                // loop by loop
	steps  map[string][]*Step // of all loops, by what is valid and wanted
	key    []byte
}

// NewExchanges returns how ranks run the loops; nil on one rank, and if some loops run in an order other than that
// of the elements' numbers.
func NewExchanges(loops []*Loop) *Exchanges {
	x := &Exchanges{rt: loops[0].rt, loops: loops, steps: map[string][]*Step{}}
	for _, l := range loops {
		a := l.halos
		if a == nil || a.ordered >= 0 || l.same != nil {
			return nil
		}
		if x.depth = a.depth; x.depth != loops[0].halos.depth {
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
func (x *Exchanges) add(a *haloRun) {
	of := make([]int, len(a.use))
	for i, u := range a.use {
		if of[i] = slices.IndexFunc(x.dats, func(d exchange.Stale) bool { return d.Storage == u.Storage }); of[i] < 0 {
			of[i] = len(x.dats)
			x.dats = append(x.dats, exchange.Stale{Storage: u.Storage, Row: u.Row, Parts: a.parts[i]})
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

// Next returns the steps of the next call of all loops; nil if they have their own.
func (x *Exchanges) Next() ([]*Step, error) {
	if x == nil {
		return nil, nil
	}
	x.key = x.key[:0]
	values := make([]halo.Values, len(x.dats))
	for i, d := range x.dats {
		values[i] = halo.Values{Valid: min(d.Storage.Halo().Valid, 2*x.depth), Wanted: d.Storage.Halo().Wanted}
		x.key = append(x.key, byte(values[i].Valid), byte(values[i].Wanted))
	}
	if s := x.steps[string(x.key)]; s != nil {
		return s, nil
	}
	var steps []*Step
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
func (x *Exchanges) adds(i int, values []halo.Values, before []int) bool {
	return slices.ContainsFunc(x.plan[i].Args, func(a halo.Arg) bool {
		return a.Dat != halo.NoDat && a.Mapped && a.Access != loop.Read && values[a.Dat].Valid < before[a.Dat]
	})
}

// update returns the exchange that makes prefixes of dats valid; nil if they are.
func (x *Exchanges) update(values []halo.Values, before []int) (*exchange.Update, error) {
	var list []exchange.Stale
	for i, d := range x.dats {
		if d.From, d.To = values[i].Valid, before[i]; d.From < d.To {
			list = append(list, d)
		}
	}
	if list == nil {
		return nil, nil
	}
	return exchange.NewUpdate(x.rt.Link(), list)
}

// step returns a step of loop i.
func (x *Exchanges) step(i int, of halo.Step, u *exchange.Update) *Step {
	s := &Step{Step: halo.Step{Execute: of.Execute}, update: u, whole: true}
	for _, d := range x.of[i] {
		s.Before, s.After = append(s.Before, of.Before[d]), append(s.After, of.After[d])
	}
	return s
}

// Calls returns the number of exchanges in a call that repeats, and loop by loop.
func (x *Exchanges) Calls() (together, apart int) { return x.calls, x.apart }

// Starts reports by loop whether it is the first after an exchange, in a call that repeats; nil on one
// rank.
func (x *Exchanges) Starts() []bool {
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

// Executed returns the prefixes that loops execute in a call that repeats; nil on one rank.
func (x *Exchanges) Executed(first, loops int) []int {
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
