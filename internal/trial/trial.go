// Package trial finds out whether another form of a call is faster than the plain one, from the times of
// the program's own calls: each runs one form, and nothing runs twice. Which form runs must make no
// difference but for time. The package has no clock: callers measure.
package trial

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/go-op2/op2/internal/sorting"
)

// A trial alternates between the forms, so that both meet the same neighbors on the machine, and compares each call
// of one with the call of the other before it. It ends when most of these ratios agree, more of them the more there
// are: a few interrupted calls change nothing, and a busy machine makes the trial longer.
const (
	warm    = 4  // calls of each form that do not count: caches are cold, and threads are adapted
	counted = 7  // calls of each form that do, at least
	most    = 64 // and at most
	// Where ratios do not agree, the other form must be so much faster, as a fraction.
	margin = 0.01
	// A trial is longer than another program's turn on a core, and than loops run on one thread to see
	// whether that is faster.
	least = 100 * time.Millisecond
	// Between trials there are so many times the calls of one.
	leastPause, mostPause = 64, 1 << 10
	// The other form may take so much longer than the plain one, in all its calls, as a fraction of the
	// time of all calls: it waits for its turn where it could exceed that.
	share = 1. / 200
	// Before its first call it is expected to take so much longer, as a fraction.
	expected = 1. / 8
)

// Trial chooses between form 0, the plain one, and form 1, again and again, ever more rarely while the
// choice stays the same.
type Trial struct {
	names  [2]string
	chosen int
	times  [2][]time.Duration // of the trial that goes on, in pairs
	sums   [2]time.Duration
	total  time.Duration // of all calls
	lost   time.Duration // by form 1
	left   int           // calls until the next trial begins; 0 while one goes on
	pause  int           // in trials
	result string
}

// New returns the trial of two forms with these names.
func New(plain, other string) *Trial {
	return &Trial{names: [2]string{plain, other}, pause: leastPause}
}

// Next returns the form of the next call, and whether its time is to be noted.
func (t *Trial) Next() (form int, timed bool) {
	switch {
	case t.left > 0:
		t.left--
		return t.chosen, false
	case len(t.times[0]) > len(t.times[1]):
		return 1, true
	}
	return 0, true
}

// Note records the time of the call for which Next has returned a form.
func (t *Trial) Note(form int, took time.Duration) {
	t.total += took
	if form == 0 && !t.affordable(took) {
		return
	}
	t.times[form] = append(t.times[form], took)
	t.sums[form] += took
	if form == 0 {
		return
	}
	t.lost = max(0, t.lost+took-t.times[0][len(t.times[1])-1])
	if t.sums[0]+t.sums[1] >= least && len(t.times[1]) >= warm+counted {
		if form, sure := t.faster(); sure {
			t.choose(form)
		}
	}
}

// faster returns the faster form, and whether that is sure: the ratios within the confidence interval of their median,
// which is some twice their standard error wide on both sides, say the same; or there are enough.
func (t *Trial) faster() (form int, sure bool) {
	var ratios []float64
	for i, took := range t.times[1][warm:] {
		ratios = append(ratios, float64(took)/float64(max(1, t.times[0][warm+i])))
	}
	sort.Float64s(ratios)
	n := len(ratios)
	beyond := max(0, n/2-int(math.Sqrt(float64(n)))) // of the interval, on each side
	switch {
	case ratios[n-1-beyond] < 1:
		return 1, true
	case ratios[beyond] >= 1:
		return 0, true
	case ratios[n/2] < 1-margin:
		return 1, n >= most
	}
	return 0, n >= most
}

// affordable reports whether the other form may run, which the plain one, in that time, has just done.
func (t *Trial) affordable(plain time.Duration) bool {
	loss := float64(plain) * expected
	if n := len(t.times[1]); n > 0 {
		loss = max(0, float64(t.sums[1]-t.sums[0])/float64(n))
	}
	return float64(t.lost)+loss <= share*float64(t.total)
}

// choose ends a trial with the form that runs from now on.
func (t *Trial) choose(form int) {
	medians := [2]time.Duration{median(t.times[0][warm:]), median(t.times[1][warm:])}
	before, again := t.chosen, t.result != ""
	t.chosen = form
	if again && t.chosen == before {
		t.pause = min(2*t.pause, mostPause)
	} else {
		t.pause = leastPause
	}
	t.left = t.pause * 2 * len(t.times[1])
	t.total += time.Duration(t.left) * medians[t.chosen]
	t.times, t.sums = [2][]time.Duration{}, [2]time.Duration{}
	t.result = fmt.Sprintf("%s %v, %s %v: %s", t.names[0], medians[0], t.names[1], medians[1], t.names[t.chosen])
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Clone(times)
	sorting.By(sorted, cmp.Compare)
	return sorted[len(sorted)/2]
}

// String returns what the last trial measured and chose: "apart 20µs, fused 21µs: apart".
func (t *Trial) String() string {
	if t.result == "" {
		return fmt.Sprintf("%s at first, %s now and then", t.names[0], t.names[1])
	}
	return t.result
}
