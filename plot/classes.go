package plot

import (
	"fmt"
	"math"
)

// checkClasses returns an error unless every cell has a class from 0 to before
// n, or none: NaN.
func (f Field) checkClasses(onNodes bool, n int) error {
	if onNodes {
		return fmt.Errorf("plot: classes are those of cells, not of nodes")
	}
	for c, v := range f.Values {
		if !math.IsNaN(v) && !(v >= 0 && v < float64(n) && v == math.Trunc(v)) {
			return fmt.Errorf("plot: cell %d has the value %g, want a class from 0 to %d, or NaN", c, v, n-1)
		}
	}
	return nil
}

// classify gives s the colors of n classes, and a color for values that are not finite.
func (s inkScale) classify(n int) {
	s.palette[invalid] = Category(-1)
	for i := range shades {
		s.palette[int(firstInk)+i] = Category(i * n / shades)
	}
}

// newClassAxis returns the axis of a range of classes that is length pixels
// long, with a tick at each class, or at each second, fifth and so on where
// there is no room for that.
func newClassAxis(face typeface, unit float64, l limits, length float64) axis {
	a := axis{lo: l.lo, hi: l.hi, face: face}
	step := max(1, niceStep((l.hi-l.lo)/length*1.8*tickSize*unit, 1))
	a.ticks = multiples(step, l.lo, l.hi)
	a.setLabels(step, unit)
	return a
}
