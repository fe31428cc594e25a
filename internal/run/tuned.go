package run

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/stream"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
)

// A loop is worth the search for other forms when its calls have taken so long in all, unless trials are patient.
const worthTrying = time.Second

// ErrLikeAnother is why a form is not tried that the backend runs like another one: it could not do what was chosen.
var ErrLikeAnother = errors.New("it runs like another form")

// tune returns what tries choices for a loop that the backend is about to prepare with that memory.
func (l *Loop) tune(spec backend.Spec, m *backend.Memory) *tuned {
	l.tuned.drop()
	tuner, rt := l.rt.Config().Tuner, l.rt
	if tuner == nil || !tuner.Mode.Learn || rt.Rank() > 0 || rt.Several() && l.same != nil { // other ranks use later what the first one learns
		return nil
	}
	t := &tuned{loop: l, about: l.About(), spec: spec, memory: *m, since: l.own.Time}
	newPlan := m.NewPlan
	m.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
		p, in, err := newPlan(r)
		t.first = planned{r, in, l.plan, l.order, l.staged}
		return p, in, err
	}
	switch b := l.binding; {
	case !tuner.Mode.Blocks && rt.Device() == nil:
		t.memory.NewPlan = nil // all forms have one plan
	case l.same.InOrder() == nil && l.rearranged == nil: // what the loop is bound to stays alive for the plans of other forms
		t.memory.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) { return l.newPlan(b, r) }
	}
	report := m.ReportTime
	m.ReportTime = func(d time.Duration) { report(d); t.took += d }
	t.memory.ReportTime = m.ReportTime
	choices := m.ReportChoices
	m.ReportChoices = func(c choice.Made) { choices(c); t.taken = c }
	return t
}

// About returns what choosers are told of a loop that has been bound.
func (l *Loop) About() choice.Subject {
	s := l.code()
	return l.binding.About(s, s.Chosen.From(choice.User))
}

// begin begins to try choices, if that is worthwhile.
func (t *tuned) begin() {
	l := t.loop
	tuner := l.rt.Config().Tuner
	measures := t.large() && !tuner.Patient() // whether the memory limits the loop
	if !tuner.Patient() && l.own.Time < worthTrying || measures && !t.affordsTriad() {
		return
	}
	f := tuning.Facts{Subject: t.about, Taken: t.taken.Choices, Bytes: l.bytes, Cache: tune.CoreCache(), Block: backend.HostBlockSize(t.memory.Last-t.memory.First, t.spec.Cost, t.spec.Bytes)}
	if c, ok := l.rt.Backend().(compiles); ok && c.Builder() != nil {
		f.Compilers = jit.OtherCompilers(c.Builder().Compiler())
	}
	if b, ok := l.rt.Backend().(backend.Strategist); ok {
		f.Strategies, f.CPU = b.Strategies(t.spec), l.rt.Device().Device().Info().CPU
	}
	limited, spent := false, time.Duration(0)
	if measures && tuner.Learns(f) {
		limited, spent = t.limited()
	}
	if !limited {
		t.search = tuner.Search(strings.TrimPrefix(l.name, "loop "), f)
	}
	if t.search == nil {
		l.tuned = nil
		return
	}
	t.search.Spend(0, spent)
	how, code := l.own.How, l.own.Code
	again := func() { t.memory.ReportHow(how, code); t.memory.ReportChoices(t.taken) }
	t.forms = []tunedForm{{runner: l.runner, ready: true, verified: true, reports: []func(){again}, planned: t.first}}
}

// A loop that moves its bytes nearly as fast as the memory does has nothing to win. How fast that is takes some time to measure.
const (
	nearly       = 0.9
	measureTriad = 250 * time.Millisecond // of each thread
)

// large reports whether a call moves more bytes on the host than caches hold.
func (t *tuned) large() bool {
	return t.loop.rt.Device() == nil && t.loop.bytes >= int64(tune.DefaultMachine().Tiles.Cached)
}

// affordsTriad reports whether the loop's calls have earned that the memory is measured, or it has been.
func (t *tuned) affordsTriad() bool {
	l := t.loop
	return engineOf(l.rt).triad > 0 || tuning.Affords(l.own.Time-t.since, measureTriad*time.Duration(l.rt.HostThreads()))
}

// limited reports whether the memory limits the loop, and what measuring that has taken.
func (t *tuned) limited() (limited bool, spent time.Duration) {
	l, e := t.loop, engineOf(t.loop.rt)
	if e.triad == 0 {
		start, threads := time.Since(epoch), l.rt.HostThreads()
		e.triad = stream.Triad(2*tune.DefaultMachine().Tiles.Cached, threads)
		spent = (time.Since(epoch) - start) * time.Duration(threads)
	}
	return float64(l.own.Bytes)/l.own.Time.Seconds()/1e9 > nearly*e.triad, spent
}

// drop ends the trials with what they have found so far.
func (t *tuned) drop() {
	if t != nil {
		t.search.Drop()
	}
}

// next returns what runs in the next call of a loop with these arguments, whose runner is that.
func (t *tuned) next(r backend.Runner, args []entity.Arg) (backend.Runner, error) {
	if t == nil {
		return r, nil
	}
	if t.search == nil {
		if t.begin(); t.search == nil {
			return r, nil
		}
	}
	t.search.Earn(t.loop.own.Time - t.since)
	t.advance()
	t.adopt()
	t.form, t.timed = t.search.Next(func(i int) bool { return !t.forms[i].ready })
	if !t.forms[t.form].ready { // chosen in an earlier process
		t.form, t.timed = 0, false
	}
	if f := &t.forms[t.form]; !f.verified && t.loop.rt.Config().Tuner.Mode.Verify {
		f.verified = true
		start := time.Since(epoch)
		differs, err := t.verify(t.form, args)
		t.search.Spend(0, time.Since(epoch)-start)
		if err != nil {
			return nil, err
		}
		if differs != nil {
			t.search.Refuse(t.form, differs)
			t.form, t.timed = 0, false
		}
	}
	t.took = 0
	return t.forms[t.form].runner, nil
}

// advance prepares forms that have not been, and makes those ready whose code has been compiled. Patient trials wait for the
// compiler: a program may be shorter than that takes.
func (t *tuned) advance() {
	patient := t.loop.rt.Config().Tuner.Patient()
	for len(t.forms) < len(t.search.Choices) {
		t.forms = append(t.forms, tunedForm{})
	}
	var waiting []int
	chosen, _ := t.search.Chosen() // in an earlier process, maybe
	for i := range t.forms {
		f := &t.forms[i]
		if f.ready || f.refused || i != chosen && !t.search.Takes(i) {
			continue
		}
		err := error(nil)
		if f.runner == nil {
			if err = t.prepare(i); err == nil && patient {
				waiting = append(waiting, i)
				continue
			}
		}
		if w, is := f.runner.(backend.Waiter); err == nil && is && w.Waits() {
			continue
		}
		t.finish(i, err)
	}
	for _, i := range waiting {
		t.finish(i, nil)
	}
}

// finish makes a form ready whose code has been compiled, or refuses it.
func (t *tuned) finish(i int, err error) {
	compiled := time.Duration(0)
	f, start := &t.forms[i], time.Since(epoch)
	if err == nil {
		err = f.runner.Ready()
		if c, is := f.runner.(backend.Compiled); is {
			compiled = c.Took()
		}
	}
	t.search.Spend(compiled, time.Since(epoch)-start)
	if err == nil && f.taken != (choice.Choices{}) && (f.taken == t.taken.Choices || slices.ContainsFunc(t.forms, func(o tunedForm) bool { return o.ready && o.taken == f.taken })) {
		err = ErrLikeAnother
	}
	if f.ready, f.refused = err == nil, err != nil; f.refused {
		t.search.Refuse(i, err)
	}
}

// prepare prepares the form with a choice.
func (t *tuned) prepare(i int) (err error) {
	f, m, s, l := &t.forms[i], t.memory, t.spec, t.loop
	s.Chosen = s.Chosen.From(choice.User).Over(t.search.Choices[i].By(choice.Tuning)).Over(s.Chosen)
	m.ReportHow = func(how, code string) { f.reports = append(f.reports, func() { t.memory.ReportHow(how, code) }) }
	m.ReportChoices = func(c choice.Made) {
		f.taken = c.Choices
		f.reports = append(f.reports, func() { t.memory.ReportChoices(c) })
	}
	m.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
		if t.memory.NewPlan == nil || r.Same(t.first.request) {
			f.planned = t.first
			return f.plan, f.in, nil
		}
		before := planned{plan: l.plan, order: l.order, staged: l.staged}
		p, in, err := t.memory.NewPlan(r)
		f.planned = planned{r, in, l.plan, l.order, l.staged}
		l.plan, l.order, l.staged = before.plan, before.order, before.staged
		return p, in, err
	}
	start := time.Since(epoch)
	f.runner, err = l.rt.Backend().Prepare(s, m)
	t.search.Spend(0, time.Since(epoch)-start)
	return err
}

// note counts a call that took so long on the host.
func (t *tuned) note(took time.Duration) {
	if t == nil || !t.timed {
		return
	}
	if h := t.loop.halos; h != nil {
		took = h.computed
	}
	if t.loop.rt.Device() != nil {
		if t.loop.rt.Settle() != nil { // the next call that uses data returns the error
			return
		}
		took = t.took
	}
	t.search.Note(t.form, took)
	t.adopt()
}

// adopt makes the loop that of the form that has been chosen, in this process or an earlier one. Its runner stays what it
// was: tiles that have been prepared with it begin and finish it.
func (t *tuned) adopt() {
	chosen, _ := t.search.Chosen()
	if chosen == t.adopted || !t.forms[chosen].ready {
		return
	}
	f := &t.forms[chosen]
	t.adopted, t.chosen = chosen, t.search.Choices[chosen].By(choice.Tuning)
	t.loop.plan, t.loop.order, t.loop.staged = f.plan, f.order, f.staged
	for _, report := range f.reports {
		report()
	}
}
