package plot

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// limits are the ends of a color range, lo < hi.
type limits struct {
	lo, hi       float64
	below, above bool // whether some value lies beyond

	least, greatest float64 // of all values, if some lie beyond

	log bool // all of these are logarithms
}

// of returns the limits as those of a picture with options.
func (l limits) of(o Options) limits {
	l.log = o.Log
	return l
}

// census holds what a picture shows: a value for each cell, its weight, and the extremes of what is
// drawn. Only finite values count. If there are none, least is greater than greatest.
type census struct {
	cells           []weighted
	least, greatest float64
}

type weighted struct{ value, weight float64 }

func newCensus() census {
	return census{least: math.Inf(1), greatest: math.Inf(-1)}
}

// extend includes v in the extremes.
func (c *census) extend(v float64) {
	if finite(v) {
		c.least, c.greatest = min(c.least, v), max(c.greatest, v)
	}
}

// chooseLimits returns a color range for c: the range of all values, rounded outwards a little to
// readable numbers.
//
// With trim the range leaves out a two-hundredth of the weight at either end if that makes it
// markedly smaller, so that a stagnation point, a shock or a faulty cell does not use up the colors
// of everything else.
func chooseLimits(c census, diverging, trim bool) limits {
	if c.least > c.greatest {
		return limits{lo: 0, hi: 1}
	}
	lo, hi := c.tame()
	if trim {
		lo, hi = c.trimmed()
	}
	if diverging && lo < 0 && hi > 0 {
		hi = max(-lo, hi)
		lo = -hi
	}
	if size := max(math.Abs(lo), math.Abs(hi)); hi-lo <= 1e-12*size {
		// All equal up to rounding: still draw a picture.
		if size == 0 {
			size = 10
		}
		lo, hi = lo-size/10, hi+size/10
	}
	step := niceStep(hi-lo, 25)
	lo = math.Floor(lo/step+1e-6) * step
	hi = math.Ceil(hi/step-1e-6) * step
	slack := 1e-5 * step
	return limits{lo: lo, hi: hi, below: c.least < lo-slack, above: c.greatest > hi+slack, least: c.least, greatest: c.greatest}
}

// tame returns the extremes of c, clamped so that their difference, even doubled, is finite.
func (c census) tame() (lo, hi float64) {
	const huge = math.MaxFloat64 / 1e3
	return max(c.least, -huge), min(c.greatest, huge)
}

// trimmed returns the range of c without its thin ends. It sorts c.
func (c census) trimmed() (lo, hi float64) {
	least, greatest := c.tame()
	sorting.By(c.cells, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	sum := 0.0
	for _, w := range c.cells {
		sum += w.weight
	}
	lo, hi = least, greatest
	// If no cell is left out, neither are its corners.
	room := sum / 200
	for i, w := range c.cells {
		if room -= w.weight; room <= 0 {
			if i > 0 {
				lo = max(lo, w.value)
			}
			break
		}
	}
	room = sum / 200
	for i, w := range slices.Backward(c.cells) {
		if room -= w.weight; room <= 0 {
			if i < len(c.cells)-1 {
				hi = min(hi, w.value)
			}
			break
		}
	}
	if lo >= hi { // one value and a few exceptions: show them
		return least, greatest
	}
	little := 0.15 * (hi - lo)
	if lo-least <= little {
		lo = least
	}
	if greatest-hi <= little {
		hi = greatest
	}
	return lo, hi
}

// givenLimits returns the range from lo to hi for a census.
func givenLimits(c census, lo, hi float64) limits {
	slack := 1e-9 * (hi - lo) // rounding is not beyond
	return limits{lo: lo, hi: hi, below: c.least < lo-slack, above: c.greatest > hi+slack, least: c.least, greatest: c.greatest}
}

// part returns where v is between the ends: 0 at lo, 1 at hi, NaN where v is
// not finite.
func (l limits) part(v float64) float64 {
	if !finite(v) {
		return math.NaN()
	}
	// Values far beyond the ends are not to overflow.
	const far = 1e6
	return min(max((v-l.lo)/(l.hi-l.lo), -far), far)
}

// classLimits returns the range in which each of n classes has an equal share, with its number in
// the middle.
func classLimits(n int) limits {
	return limits{lo: -0.5, hi: float64(n) - 0.5}
}

// value returns the value that a number on the scale stands for.
func (l limits) value(v float64) float64 {
	if l.log {
		return math.Pow(10, v)
	}
	return v
}
