// Package trial finds out which of several forms of a call is fastest, from the times of the program's own calls: each runs
// one form, and nothing runs twice. Which form runs must make no difference that the program minds but for time.
// The package has no clock: callers measure.
package trial

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/sorting"
)

// A trial alternates between the chosen form and the others, so that all meet the same neighbors on the machine, and compares
// each call of another form with the call of the chosen one before it. It ends when most of these ratios agree, more of
// them the more there are: a few interrupted calls change nothing, and a busy machine makes the trial longer. Of several
// other forms the better half stays after each round, which is twice as long as the one before, and the last one is
// compared anew, since the best of many has been lucky, too.
const (
	warm    = 4  // calls of each form that do not count: caches are cold, and threads are adapted
	counted = 7  // calls of each form that do, at least; in the first round of several, and of the last form
	most    = 64 // and at most
	// The other form must be so much faster, as a fraction.
	margin = 0.01
	// A form leaves if it is surely not faster by this fraction.
	worth = 0.02
	// A form leaves at once if its first calls all take so many times as long.
	hopeless, hopelessCalls = 1.5, 3
	// A trial is longer than another program's turn on a core, and than loops run on one thread to see
	// whether that is faster, unless it has very many calls.
	least = 100 * time.Millisecond
	// Between trials there are so many times the calls of one.
	leastPause, mostPause = 64, 1 << 10
	// The other forms may take so much longer than the chosen one, in all their calls, as a fraction of the
	// time of all calls: they wait for their turn where they could exceed that.
	share = 1. / 200
	// Before its first call a form is expected to take so much longer, as a fraction.
	expected = 1. / 8
)

// Trial chooses between form 0, the plain one, and others, again and again, ever more rarely while the choice stays the same.
type Trial struct {
	forms   []form
	chosen  int
	others  []int         // that still take part in the trial that goes on
	turn    int           // calls of others
	round   int           // of several others
	plain   time.Duration // the call before, of the chosen form; 0 if another one must not follow
	total   time.Duration // of all calls
	lost    float64       // in trials that have ended
	share   float64       // that may be lost
	left    int           // calls until the next trial begins; 0 while one goes on
	ahead   time.Duration // what each of these counts in total
	pause   int           // in trials
	ended   bool          // a trial has
	resumed bool          // another process has begun the trial
	result  string
}

// New returns the trial of forms with these names, the plain one first.
func New(plain string, others ...string) *Trial {
	t := &Trial{share: share, pause: leastPause, forms: []form{{name: plain, known: Result{Ratio: 1, Low: 1, High: 1}}}}
	t.Add(others...)
	return t
}

// Add adds forms to the trial that goes on, or begins one of them alone against the form that has been chosen.
func (t *Trial) Add(names ...string) {
	if t.ended {
		t.ended, t.others = false, nil
		t.total -= time.Duration(t.left) * t.ahead // which will not come
		t.left, t.plain, t.turn, t.round = 0, 0, 0, 0
	}
	for _, name := range names {
		t.others = append(t.others, len(t.forms))
		t.forms = append(t.forms, form{name: name})
	}
}

// Patiently makes the trial try other forms whatever that costs.
func (t *Trial) Patiently() { t.share = math.Inf(1) }

// Takes reports whether a form takes part in the trial that goes on.
func (t *Trial) Takes(form int) bool { return slices.Contains(t.others, form) }

// Tries reports whether a form is being tried for the first time.
func (t *Trial) Tries() bool { return !t.ended && len(t.others) > 0 }

// Next returns the form of the next call, and whether its time is to be noted. Forms for which waits reports that they
// cannot run yet do not.
func (t *Trial) Next(waits func(form int) bool) (form int, timed bool) {
	switch {
	case t.left > 0:
		t.left--
		return t.chosen, false
	case t.plain == 0:
		return t.chosen, len(t.others) > 0
	}
	for _, other := range t.others { // one after another, so that what a short program leaves is decided for some
		if !waits(other) && !t.served(other) && t.affordable(&t.forms[other]) {
			return other, true
		}
	}
	return t.chosen, len(t.others) > 0
}

// served reports whether a form has had its calls in a round, in which others still lack some.
func (t *Trial) served(form int) bool {
	return len(t.others) > 1 && len(t.forms[form].ratios) >= min(most, counted<<t.round)
}

// allServed reports whether several forms have all had their calls in a round.
func (t *Trial) allServed() bool {
	return len(t.others) > 1 && !slices.ContainsFunc(t.others, func(o int) bool { return !t.served(o) })
}

// affordable reports whether another form may follow the call before.
func (t *Trial) affordable(f *form) bool {
	loss := float64(t.plain) * expected
	if len(f.every) > 0 {
		loss = float64(t.plain) * f.slower
	}
	return t.losses()+loss <= t.share*float64(t.total)
}

// losses returns what trials have cost until now.
func (t *Trial) losses() float64 {
	lost := t.lost
	for i := range t.forms {
		lost += t.forms[i].lost()
	}
	return lost
}

// Note records the time of the call for which Next has returned a form.
func (t *Trial) Note(form int, took time.Duration) {
	t.total += took
	if form == t.chosen {
		t.plain = max(1, took)
		return
	}
	t.forms[form].note(took, t.plain)
	t.plain = 0
	t.turn++
	if f := &t.forms[form]; f.calls == hopelessCalls && slices.Min(f.every) > hopeless {
		if t.leave(form); len(t.others) == 0 {
			t.choose(t.chosen, form)
			return
		}
	}
	for t.allServed() { // also those that have as many calls as there are in the longest round
		t.halve()
	}
	if len(t.others) == 1 {
		t.decide(t.others[0])
	}
}

// halve ends a round.
func (t *Trial) halve() {
	t.round++
	by := func(a, b int) int { return cmp.Compare(median(t.forms[a].ratios), median(t.forms[b].ratios)) }
	ranked := sorting.Sorted(t.others, by)
	for place, o := range ranked {
		if low, _ := interval(t.forms[o].ratios); low >= 1-worth || 2*place >= len(ranked) {
			t.leave(o)
		}
	}
	switch len(t.others) {
	case 0:
		t.choose(t.chosen, ranked[0])
	case 1:
		t.forms[t.others[0]].again()
	}
}

// leave ends the part that a form takes in the trial.
func (t *Trial) leave(form int) {
	t.forms[form].measured(t.forms[t.chosen].known.Ratio)
	t.others = slices.DeleteFunc(t.others, func(o int) bool { return o == form })
}

// Refuse takes a form out of all trials, which cannot run, or not correctly. If it has been chosen, the plain one takes its
// place.
func (t *Trial) Refuse(form int) {
	t.forms[form].refused, t.forms[form].known = true, Result{}
	if form == t.chosen {
		t.chosen = 0
	}
	t.others = slices.DeleteFunc(t.others, func(o int) bool { return o == form || o == t.chosen })
	t.plain = 0
	switch {
	case len(t.others) == 0:
		t.left, t.ahead = math.MaxInt, 0
		t.ended = true
	}
	for t.allServed() { // and none of them would run again
		t.halve()
	}
}

// decide ends the trial if it is sure whether the last of the other forms is faster.
func (t *Trial) decide(form int) {
	f := &t.forms[form]
	if n := len(f.ratios); n < counted || f.sum+f.base < least && n < 4*most && !t.resumed || n > most/4 && n%8 > 0 {
		return
	}
	if faster, sure := f.faster(); sure {
		f.measured(t.forms[t.chosen].known.Ratio)
		if faster {
			t.choose(form, form)
		} else {
			t.choose(t.chosen, form)
		}
	}
}

// choose ends a trial with the form that runs from now on; last is the one that was compared last.
func (t *Trial) choose(form, last int) {
	again := t.ended && t.chosen == form
	t.describe(form, last)
	pace := medianTime(t.forms[last].times)
	if form != last {
		pace = medianTime(t.forms[last].before)
	}
	t.chosen, t.ended = form, true
	if again {
		t.pause = min(2*t.pause, mostPause)
	} else {
		t.pause = leastPause
	}
	t.left = t.pause * 2 * t.turn
	t.ahead = pace
	t.total += time.Duration(t.left) * t.ahead
	t.plain, t.turn, t.round = 0, 0, 0
	t.lost, t.others = t.losses(), nil
	for i := range t.forms {
		t.forms[i].begin()
	}
	// The plain form and the one that came closest are tried again.
	closest := -1
	for i := range t.forms {
		if f := &t.forms[i]; i != t.chosen && i != 0 && !f.refused && f.known.Ratio > 0 && (closest < 0 || f.known.Ratio < t.forms[closest].known.Ratio) {
			closest = i
		}
	}
	for _, o := range []int{0, closest} {
		if o >= 0 && o != t.chosen {
			t.others = append(t.others, o)
		}
	}
}

// describe keeps what the trial has measured and chosen, for String.
func (t *Trial) describe(chosen, last int) {
	var all []string
	for i := range t.forms {
		switch f := &t.forms[i]; {
		case i == t.chosen:
			all = append(all, fmt.Sprintf("%s %v", f.name, medianTime(t.forms[last].before)))
		case len(f.times) > 0:
			all = append(all, fmt.Sprintf("%s %v", f.name, medianTime(f.times)))
		}
	}
	t.result = strings.Join(all, ", ") + ": " + t.forms[chosen].name
}

// Chosen returns the form that runs unless others are tried, and whether a trial has chosen it.
func (t *Trial) Chosen() (form int, ended bool) { return t.chosen, t.ended }

// Open returns the ratios so far of the forms that still take part in the first trial; nil once it has ended.
func (t *Trial) Open() map[int][]float64 {
	if t.ended {
		return nil
	}
	open := map[int][]float64{}
	for _, o := range t.others {
		open[o] = t.forms[o].ratios
	}
	return open
}

// Resume goes on with a trial that another process has begun, given what Open returned there, and Results. A form that was
// surely faster than the plain one takes its place.
func (t *Trial) Resume(open map[int][]float64, results []Result) {
	t.others, t.resumed = sorting.Keys(open), true
	for o, ratios := range open {
		t.forms[o].ratios = slices.Clone(ratios)
	}
	for i, r := range results {
		t.forms[i].known = r
		if r.Calls > 0 && r.High < 1 && r.Ratio < t.forms[t.chosen].known.Ratio {
			t.chosen = i
		}
	}
	for t.allServed() && counted<<t.round < most {
		t.round++ // those that have left did so in earlier ones
	}
	for t.allServed() {
		t.halve()
	}
}

// Results returns what the trials have measured, by form.
func (t *Trial) Results() []Result {
	var all []Result
	for i := range t.forms {
		all = append(all, t.forms[i].known)
	}
	return all
}

// String returns what the last trial measured and chose: "apart 20µs, fused 21µs: apart".
func (t *Trial) String() string {
	if t.result == "" {
		var others []string
		for _, f := range t.forms[1:] {
			others = append(others, f.name)
		}
		return fmt.Sprintf("%s at first, %s now and then", t.forms[0].name, strings.Join(others, ", "))
	}
	return t.result
}
