package plot

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// barShape is the outline of the color bar, in pixels from the upper left corner of the rectangle
// that contains it: the bar, and room for a tip at either end, which is drawn where values exceed
// the range. The bar itself does not move when tips are drawn, so that it is in the same place in
// all pictures of a series.
type barShape struct {
	rect        image.Rectangle
	corners     []point
	top, bottom float64 // of the part between the tips
}

func (lay *layout) barShape(l limits) barShape {
	tip := lay.tip()
	s := barShape{rect: image.Rect(lay.bar.Min.X, lay.bar.Min.Y-tip, lay.bar.Max.X, lay.bar.Max.Y+tip)}
	w, h := float64(s.rect.Dx()), float64(s.rect.Dy())
	s.top, s.bottom = float64(tip), h-float64(tip)
	if l.above {
		s.corners = append(s.corners, point{w / 2, 0})
	}
	s.corners = append(s.corners, point{w, s.top}, point{w, s.bottom})
	if l.below {
		s.corners = append(s.corners, point{w / 2, h})
	}
	s.corners = append(s.corners, point{0, s.bottom}, point{0, s.top})
	return s
}

// height returns the position of a value at this fraction of the range.
func (s barShape) height(part float64) float64 {
	return s.bottom + part*(s.top-s.bottom)
}

// drawBar draws the color bar: the colors of the scale with ticks, their labels, the quantity, and
// lines at levels, if the picture has iso-lines.
func (lay *layout) drawBar(dst *image.RGBA, s inkScale, levels []float64) {
	shape := lay.barShape(s.limits)
	drawColors(dst, shape, s)
	lay.drawOutline(dst, shape)
	for _, v := range levels {
		y := shape.height(s.limits.part(v))
		line := newContrast(shape.rect.Dx(), shape.rect.Dy())
		line.on(s.dark(v)).line(point{0, y}, point{float64(shape.rect.Dx()), y}, isoWidth*lay.unit)
		line.onto(dst, shape.rect.Min, darkLine, lightLine)
	}
	lay.drawScale(dst, shape, s)
}

// drawColors fills the bar.
func drawColors(dst *image.RGBA, shape barShape, s inkScale) {
	r := newRaster(fine*shape.rect.Dx(), fine*shape.rect.Dy())
	corners := make([]point, len(shape.corners))
	for i, p := range shape.corners {
		corners[i] = point{fine * p.x, fine * p.y}
	}
	r.flat(corners, firstInk)
	for j := range r.h {
		part := ((float64(j)+0.5)/fine - shape.bottom) / (shape.top - shape.bottom)
		row := r.ink[j*r.w : (j+1)*r.w]
		for i := range row {
			if row[i] != bare {
				row[i] = s.ink(part)
			}
		}
	}
	palette := slices.Clone(s.palette)
	palette[bare] = pageColor
	resolve(dst, shape.rect.Min, r, fine, palette)
}

// drawScale draws the labels next to the bar.
func (lay *layout) drawScale(dst *image.RGBA, shape barShape, s inkScale) {
	u, bar := lay.unit, lay.bar
	length, line := int(math.Round(tickLength*u)), lay.line()
	textX := float64(bar.Max.X) + (tickLength+tickGap)*u
	for i, label := range lay.scale.labels {
		y := float64(shape.rect.Min.Y) + shape.height(lay.scale.at(i))
		row := int(math.Round(y)) - line/2
		fill(dst, image.Rect(bar.Max.X, row, bar.Max.X+length, row+line), lineColor)
		// Right-aligned, so that digits line up.
		label.drawMiddle(dst, textX+lay.scale.widest()-label.width(), y)
	}
	lay.drawExtremes(dst, s.limits, textX)
	lay.scale.drawPower(dst, u, float64(bar.Min.X), float64(bar.Min.Y-lay.tip())-0.9*tickSize*u, false)
	lay.drawSwatch(dst, s.palette[invalid], textX)
	lay.drawLabel(dst, textX+lay.scale.widest(), float64(shape.rect.Min.Y)+shape.height(0.5))
}

// drawExtremes writes the extreme values next to the tips of the bar.
func (lay *layout) drawExtremes(dst *image.RGBA, l limits, textX float64) {
	beside := 1.05 * tickSize * lay.unit // clear of the text at the end of the range
	for _, end := range []struct {
		beyond   bool
		sign     string
		value, y float64
	}{
		{l.above, "max ", l.greatest, float64(lay.bar.Min.Y) - beside},
		{l.below, "min ", l.least, float64(lay.bar.Max.Y) + beside},
	} {
		if !end.beyond {
			continue
		}
		right := float64(lay.size.X) - 0.6*margin*lay.unit
		t := lay.scale.face.fit(end.sign+extreme(l.value(end.value), lay.scale.power), tickSize*lay.unit, right-textX, textColor)
		t.drawMiddle(dst, textX, end.y)
	}
}

// drawLabel draws the quantity right of x, its middle at the height y: upwards
// unless it is short.
func (lay *layout) drawLabel(dst *image.RGBA, x, y float64) {
	t, u := lay.label, lay.unit
	switch {
	case t.string == "":
	case t.width() <= labelSize*u:
		t.drawMiddle(dst, x+labelSize*u, y)
	default:
		t.drawUpwards(dst, x+1.65*labelSize*u, min(y+t.width()/2, float64(lay.bar.Max.Y)))
	}
}

// drawOutline draws a line around the bar.
func (lay *layout) drawOutline(dst *image.RGBA, shape barShape) {
	around := 2 * lay.line() // the line is outside the bar
	edge := newStrokes(shape.rect.Dx()+2*around, shape.rect.Dy()+2*around)
	least, greatest := shape.corners[0], shape.corners[0]
	for _, p := range shape.corners {
		least, greatest = point{min(least.x, p.x), min(least.y, p.y)}, point{max(greatest.x, p.x), max(greatest.y, p.y)}
	}
	place := func(p point) point {
		// Half a line outwards, so that it covers whole pixels.
		half := float64(lay.line()) / 2
		outwards := func(v, least, greatest float64) float64 {
			switch v {
			case least:
				return v - half
			case greatest:
				return v + half
			}
			return v
		}
		return point{outwards(p.x, least.x, greatest.x) + float64(around), outwards(p.y, least.y, greatest.y) + float64(around)}
	}
	for i, a := range shape.corners {
		edge.line(place(a), place(shape.corners[(i+1)%len(shape.corners)]), float64(lay.line()))
	}
	edge.onto(dst, shape.rect.Min.Sub(image.Pt(around, around)), lineStyle{lineColor, 1})
}

// drawSwatch draws the color of invalid values with its text, if there are
// any.
func (lay *layout) drawSwatch(dst *image.RGBA, c color.RGBA, textX float64) {
	if lay.swatch.Empty() {
		return
	}
	fill(dst, lay.swatch, c)
	drawFrame(dst, lay.swatch, lay.line(), lineColor)
	lay.swatchLabel.drawMiddle(dst, textX, float64(lay.swatch.Min.Y+lay.swatch.Max.Y)/2)
}
