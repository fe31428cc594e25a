package trial

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/go-op2/op2/internal/sorting"
)

// form is what is known of a form: in the trial that goes on, and from those before.
type form struct {
	name    string
	refused bool
	known   Result

	calls     int
	sum, base time.Duration // of these, and of the calls of the chosen form before each
	shortest  float64       // of their ratios

	times, before []time.Duration // of calls that count
	ratios        []float64
}

// Result is what trials have measured of a form.
type Result struct {
	Calls int // that count; 0 if the form has not been measured
	// The ratio of its time to the plain form's: the median, and the ends of its confidence interval.
	Ratio, Low, High float64
}

// note records the time of a call, and of the call of the chosen form before it.
func (f *form) note(took, before time.Duration) {
	ratio := float64(took) / float64(before)
	if f.calls == 0 {
		f.shortest = math.Inf(1)
	}
	f.calls++
	f.sum, f.base, f.shortest = f.sum+took, f.base+before, min(f.shortest, ratio)
	if f.calls > warm {
		f.times, f.before, f.ratios = append(f.times, took), append(f.before, before), append(f.ratios, ratio)
	}
}

// begin forgets the calls of a trial.
func (f *form) begin() { *f = form{name: f.name, refused: f.refused, known: f.known} }

// again forgets them but for how often and how long the form ran.
func (f *form) again() { f.times, f.before, f.ratios = nil, nil, nil }

// measured keeps what the calls say, which were compared with a form of that ratio to the plain one.
func (f *form) measured(against float64) {
	if len(f.ratios) == 0 {
		f.known = Result{Calls: f.calls, Ratio: f.shortest * against, Low: f.shortest * against, High: f.shortest * against}
		return
	}
	low, high := interval(f.ratios)
	f.known = Result{Calls: len(f.ratios), Ratio: f.median() * against, Low: low * against, High: high * against}
}

func (f *form) median() float64 {
	sorted := slices.Clone(f.ratios)
	sort.Float64s(sorted)
	return sorted[len(sorted)/2]
}

// interval returns the confidence interval of the median, some twice its standard error wide on both sides.
func interval(ratios []float64) (low, high float64) {
	sorted := slices.Clone(ratios)
	sort.Float64s(sorted)
	n := len(sorted)
	beyond := max(0, n/2-int(math.Sqrt(float64(n))))
	return sorted[beyond], sorted[n-1-beyond]
}

// faster reports whether the form is faster than the chosen one, and whether that is sure: the confidence interval says
// so, or there are enough calls.
func (f *form) faster() (faster, sure bool) {
	low, high := interval(f.ratios)
	switch {
	case high < 1:
		return true, true
	case low >= 1:
		return false, true
	}
	return f.median() < 1-margin, len(f.ratios) >= most
}

func medianTime(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Clone(times)
	sorting.By(sorted, cmp.Compare)
	return sorted[len(sorted)/2]
}
