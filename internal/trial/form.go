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

	sum, base time.Duration // of all calls, and of the calls of the chosen form before each
	calls     int
	slower    float64   // by this fraction than those
	every     []float64 // of their ratios, the last ones

	times, before []time.Duration // of calls that count
	ratios        []float64
}

// Result is what trials have measured of a form.
type Result struct {
	Calls int // that count; 0 if the form has not been measured
	// The ratio of its time to the plain form's: the median, and the ends of its confidence interval.
	Ratio, Low, High float64
}

// ResultOf returns what ratios of times say, of which there are some.
func ResultOf(ratios []float64) Result {
	low, high := interval(ratios)
	return Result{Calls: len(ratios), Ratio: median(ratios), Low: low, High: high}
}

// note records the time of a call, and of the call of the chosen form before it.
func (f *form) note(took, before time.Duration) {
	ratio := float64(took) / float64(before)
	if f.calls++; len(f.every) == most {
		f.every = append(f.every[:0], f.every[1:]...)
	}
	f.every = append(f.every, ratio)
	f.sum, f.base = f.sum+took, f.base+before
	if f.calls <= most/4 || f.calls%8 == 0 { // sorting takes as long as some calls do
		f.slower = max(0, median(f.every)-1)
	}
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
	ratios := f.ratios
	if len(ratios) == 0 { // there was no hope
		ratios = f.every
	}
	f.known = ResultOf(ratios)
	f.known.Ratio, f.known.Low, f.known.High = f.known.Ratio*against, f.known.Low*against, f.known.High*against
}

// lost returns what its calls have cost. Interruptions, which meet the other calls as well, do not count.
func (f *form) lost() float64 { return f.slower * float64(f.base) }

func median(ratios []float64) float64 {
	sorted := slices.Clone(ratios)
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

// faster reports whether the form is worthwhile, and whether that is sure: the confidence interval says that it is faster than
// the chosen one, or not by much, or there are enough calls.
func (f *form) faster() (faster, sure bool) {
	low, high := interval(f.ratios)
	switch {
	case high < 1:
		return median(f.ratios) < 1-margin, true
	case low >= 1-worth:
		return false, true
	}
	return median(f.ratios) < 1-margin, len(f.ratios) >= most
}

func medianTime(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Clone(times)
	sorting.By(sorted, cmp.Compare)
	return sorted[len(sorted)/2]
}
