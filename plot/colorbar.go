package plot

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// barShape is the outline of the colour bar, in pixels from its upper left
// corner: a rectangle that is pointed where values go on beyond the range.
type barShape struct {
	corners     []point
	top, bottom float64 // of the part between the tips
}

func newBarShape(size image.Point, below, above bool) barShape {
	w, h := float64(size.X), float64(size.Y)
	tip := 0.75 * w
	s := barShape{bottom: h}
	if above {
		s.top = tip
		s.corners = append(s.corners, point{w / 2, 0})
	}
	if below {
		s.bottom = h - tip
	}
	s.corners = append(s.corners, point{w, s.top}, point{w, s.bottom})
	if below {
		s.corners = append(s.corners, point{w / 2, h})
	}
	s.corners = append(s.corners, point{0, s.bottom}, point{0, s.top})
	return s
}

// height returns where a value at this part of the range is.
func (s barShape) height(part float64) float64 {
	return s.bottom + part*(s.top-s.bottom)
}

// drawBar draws the colour bar: the colours of the scale with ticks, their
// texts, the quantity, and lines at levels, where the picture has iso-lines.
func (lay *layout) drawBar(dst *image.RGBA, s scale, levels []float64) error {
	shape := newBarShape(lay.bar.Size(), s.limits.below, s.limits.above)
	lay.drawColors(dst, shape, s)
	lay.drawOutline(dst, shape.corners)
	for _, v := range levels {
		y := shape.height(s.limits.part(v))
		line := newStrokes(lay.bar.Dx(), lay.bar.Dy())
		line.line(point{0, y}, point{float64(lay.bar.Dx()), y}, isoWidth*lay.unit)
		line.onto(dst, lay.bar.Min, s.isoLine(v))
	}
	return lay.drawScale(dst, shape, s)
}

// drawColors fills the bar.
func (lay *layout) drawColors(dst *image.RGBA, shape barShape, s scale) {
	r := newRaster(fine*lay.bar.Dx(), fine*lay.bar.Dy())
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
	resolve(dst, lay.bar.Min, r, fine, palette)
}

// drawScale draws what is beside the bar.
func (lay *layout) drawScale(dst *image.RGBA, shape barShape, s scale) error {
	u, bar := lay.unit, lay.bar
	length, line := int(math.Round(tickLength*u)), lay.line()
	textX := float64(bar.Max.X) + (tickLength+tickGap)*u
	for i, label := range lay.scale.labels {
		y := float64(bar.Min.Y) + shape.height(lay.scale.at(i))
		row := int(math.Round(y)) - line/2
		fill(dst, image.Rect(bar.Max.X, row, bar.Max.X+length, row+line), lineColor)
		// Right-aligned, so that digits of the same worth are in a column.
		label.drawMiddle(dst, textX+lay.scale.widest()-label.width(), y)
	}
	if err := lay.scale.drawPower(dst, u, float64(bar.Min.X), float64(bar.Min.Y)-tickSize*u, false); err != nil {
		return err
	}
	lay.drawSwatch(dst, s.palette[invalid], textX)
	lay.drawLabel(dst, textX+max(lay.scale.widest(), lay.swatchWidth()), float64(bar.Min.Y)+shape.height(0.5))
	return nil
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

// drawOutline draws a line around the bar, whose corners are given from its own
// upper left corner on.
func (lay *layout) drawOutline(dst *image.RGBA, corners []point) {
	w, h := float64(lay.bar.Dx()), float64(lay.bar.Dy())
	around := 2 * lay.line() // the line is outside the bar
	edge := newStrokes(lay.bar.Dx()+2*around, lay.bar.Dy()+2*around)
	place := func(p point) point {
		// Half a line outwards, so that it covers whole pixels.
		half := float64(lay.line()) / 2
		outwards := func(v, size float64) float64 {
			switch v {
			case 0:
				return -half
			case size:
				return size + half
			}
			return v
		}
		return point{outwards(p.x, w) + float64(around), outwards(p.y, h) + float64(around)}
	}
	for i, a := range corners {
		edge.line(place(a), place(corners[(i+1)%len(corners)]), float64(lay.line()))
	}
	edge.onto(dst, lay.bar.Min.Sub(image.Pt(around, around)), lineStyle{lineColor, 1})
}

func (lay *layout) swatchWidth() float64 {
	if lay.swatch.Empty() {
		return 0
	}
	return lay.swatchLabel.width()
}

// drawSwatch draws the colour of invalid values with its text, if there are
// any.
func (lay *layout) drawSwatch(dst *image.RGBA, c color.RGBA, textX float64) {
	if lay.swatch.Empty() {
		return
	}
	fill(dst, lay.swatch, c)
	drawFrame(dst, lay.swatch, lay.line(), lineColor)
	lay.swatchLabel.drawMiddle(dst, textX, float64(lay.swatch.Min.Y+lay.swatch.Max.Y)/2)
}
