package plot

import (
	"math"
	"strconv"
	"strings"
)

// Logarithmic colors are linear ones of the values' decimal logarithms: everything from the choice of limits to
// iso-lines works on these, and numbers are shown as the values that they stand for.

// logarithmic returns a field and options for linear colors of logarithms.
func logarithmic(f Field, o Options) (Field, Options) {
	if !o.Log {
		return f, o
	}
	values := make([]float64, len(f.Values))
	for i, v := range f.Values {
		values[i] = math.Log10(v)
	}
	f.Values = values
	if o.Max != 0 {
		o.Min, o.Max = math.Log10(o.Min), math.Log10(o.Max)
		o.given = true
	}
	return f, o
}

// levels returns about n round values between the ends.
func (l limits) levels(n int) []float64 {
	if l.log {
		step := (l.hi - l.lo) / float64(4*n) // apart from the ends
		return logTicks(l.lo+step, l.hi-step, n)
	}
	step := niceStep(l.hi-l.lo, n+n/2+1) // the nearest nice number of lines is from 0.6 to 1.5 of n
	// Half a step inside: a line at the very end of the range is noise.
	return multiples(step, l.lo+step/2, l.hi-step/2)
}

// newLogAxis is newAxis for logarithms, whose labels are above each other.
func newLogAxis(face typeface, unit, lo, hi, length float64) axis {
	a := axis{lo: lo, hi: hi, face: face, ticks: logTicks(lo, hi, max(2, int(length/(tickSpacing*unit))))}
	for _, t := range a.ticks {
		a.labels = append(a.labels, face.set(logLabel(t), tickSize*unit, textColor))
	}
	return a
}

// logTicks returns at most about n logarithms of round values from lo to hi: of powers of ten, with 2 and 5 times these
// where there is room; in less than a decade, of multiples of one step.
func logTicks(lo, hi float64, n int) (ticks []float64) {
	const slack = 1e-9
	decades := hi - lo
	if decades < 1 {
		low, high := math.Pow(10, lo), math.Pow(10, hi)
		for _, v := range multiples(niceStep(high-low, n), low, high) {
			ticks = append(ticks, math.Log10(v))
		}
		return ticks
	}
	mantissas := []float64{1}
	if 3*decades <= float64(n) {
		mantissas = []float64{1, 2, 5}
	}
	every := max(1, math.Ceil(decades/float64(n)))
	for e := every * math.Floor(lo/every); e <= hi+slack; e += every {
		for _, m := range mantissas {
			if t := e + math.Log10(m); t >= lo-slack && t <= hi+slack {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// logLabel returns the label of the value with logarithm t.
func logLabel(t float64) string {
	s := strconv.FormatFloat(math.Pow(10, t), 'g', 4, 64)
	mantissa, exponent, found := strings.Cut(s, "e")
	if found {
		n, _ := strconv.Atoi(exponent)
		s = mantissa + "e" + strconv.Itoa(n)
	}
	return strings.ReplaceAll(s, "-", "\u2212")
}
