package plot

import "image"

// axis is a line of numbers with ticks.
type axis struct {
	lo, hi float64
	ticks  []float64
	labels []text // one per tick
	power  int    // the labels are to be multiplied with 10^power
	face   typeface
}

// newAxis chooses the ticks of an axis from lo to hi that is length pixels long. Labels side by
// side need more room than labels above each other. Axes with the same scale get the same ticks if
// their labels permit.
func newAxis(face typeface, unit, lo, hi, length float64, sideBySide bool) axis {
	a := axis{lo: lo, hi: hi, face: face}
	pixel := (hi - lo) / length
	// Short axes get two ticks at less than the usual distance.
	spacing := max(min(tickSpacing*unit, length/2.2), 1.8*tickSize*unit)
	for ; ; spacing *= 1.5 {
		step := niceStep(pixel*min(spacing, length), 1)
		// The ends are rounded to pixels; ticks at them are to stay.
		a.ticks = multiples(step, lo-pixel/2, hi+pixel/2)
		a.setLabels(step, unit)
		if !sideBySide || a.widest()+tickSize*unit <= step/pixel {
			return a
		}
		if spacing > length { // not even two have room
			a.ticks, a.labels = a.ticks[:min(1, len(a.ticks))], a.labels[:min(1, len(a.labels))]
			return a
		}
	}
}

// setLabels makes the labels of ticks that are multiples of step.
func (a *axis) setLabels(step, unit float64) {
	var texts []string
	texts, a.power = tickLabels(a.ticks, step)
	a.labels = a.labels[:0]
	for _, s := range texts {
		a.labels = append(a.labels, a.face.set(s, tickSize*unit, textColor))
	}
}

// widest returns the width of the widest label.
func (a axis) widest() float64 {
	w := 0.0
	for _, t := range a.labels {
		w = max(w, t.width())
	}
	return w
}

// at returns how far tick i is from the lower end, as a fraction of the length.
func (a axis) at(i int) float64 {
	return min(max((a.ticks[i]-a.lo)/(a.hi-a.lo), 0), 1)
}

// drawPower draws "×10" with the power of a, if it has one, on the base line y:
// from x on, or with rightAligned up to there.
func (a axis) drawPower(dst *image.RGBA, unit, x, y float64, rightAligned bool) {
	if a.power == 0 {
		return
	}
	times := a.face.set("×10", tickSize*unit, textColor)
	power := a.face.set(decimal(float64(a.power), 0, 0), 0.72*tickSize*unit, textColor)
	if rightAligned {
		x -= times.width() + power.width()
	}
	times.draw(dst, x, y)
	power.draw(dst, x+times.width(), y-0.42*tickSize*unit)
}
