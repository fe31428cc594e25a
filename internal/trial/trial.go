// Package trial finds out which of two forms of the same call is faster, from the times of the program's
// own calls: each runs one form, and nothing runs twice. Which form runs must make no difference but for
// time. The package has no clock: callers measure.
package trial

import (
	"fmt"
	"slices"
	"time"
)

// A trial alternates between the forms, so that both meet the same neighbors on the machine, and compares
// medians, which a few interrupted calls do not change.
const (
	warm    = 4 // calls of each form that do not count: caches are cold, and threads are adapted
	counted = 7 // calls of each form that do, at least
	// A trial is longer than another program's turn on a core, and than loops run on one thread to see
	// whether that is faster.
	least = 100 * time.Millisecond
	// Between trials there are so many times the calls of one: with the fewest, and a form that takes
	// twice as long, trials cost 1 %.
	leastPause, mostPause = 64, 1 << 10
)

// Trial chooses between form 0 and form 1, again and again, ever more rarely while the choice stays the
// same.
type Trial struct {
	names  [2]string
	chosen int
	times  [2][]time.Duration // of the trial that goes on
	took   time.Duration      // all of them
	left   int                // calls until the next one begins; 0 while one goes on
	pause  int                // in trials
	result string
}

// New returns the trial of two forms with these names.
func New(first, second string) *Trial {
	return &Trial{names: [2]string{first, second}, pause: leastPause}
}

// Form returns the form for the next call.
func (t *Trial) Form() int {
	switch {
	case t.left > 0:
		return t.chosen
	case len(t.times[0]) > len(t.times[1]):
		return 1
	}
	return 0
}

// Note records the time of a call in the form that Form returned.
func (t *Trial) Note(took time.Duration) {
	if t.left > 0 {
		t.left--
		return
	}
	form := t.Form()
	t.times[form] = append(t.times[form], took)
	t.took += took
	if form == 1 && t.took >= least && len(t.times[1]) >= warm+counted {
		t.choose()
	}
}

// choose ends a trial.
func (t *Trial) choose() {
	first, second := median(t.times[0][warm:]), median(t.times[1][warm:])
	before, again := t.chosen, t.result != ""
	t.chosen = 0
	if second < first {
		t.chosen = 1
	}
	if again && t.chosen == before {
		t.pause = min(2*t.pause, mostPause)
	} else {
		t.pause = leastPause
	}
	t.left = t.pause * 2 * len(t.times[1])
	t.times, t.took = [2][]time.Duration{}, 0
	t.result = fmt.Sprintf("%s %v, %s %v: %s", t.names[0], first, t.names[1], second, t.names[t.chosen])
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// String returns what the last trial measured and chose: "fused 21µs, apart 20µs: apart".
func (t *Trial) String() string {
	if t.result == "" {
		return fmt.Sprintf("%s and %s take turns", t.names[0], t.names[1])
	}
	return t.result
}
