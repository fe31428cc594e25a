package plot

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// drawAxes draws the frame around the mesh, the ticks and their labels.
func (lay *layout) drawAxes(dst *image.RGBA) {
	u, box := lay.unit, lay.box
	drawFrame(dst, box, lay.line(), lineColor)

	length, line := int(math.Round(tickLength*u)), lay.line()
	for i, label := range lay.x.labels {
		x := pixelBetween(box.Min.X, box.Max.X, lay.x.at(i))
		fill(dst, image.Rect(x-line/2, box.Max.Y, x-line/2+line, box.Max.Y+length), lineColor)
		label.draw(dst, float64(x)-label.width()/2, float64(box.Max.Y)+(tickLength+tickGap)*u+label.figureHeight())
	}
	for i, label := range lay.y.labels {
		y := pixelBetween(box.Max.Y, box.Min.Y, lay.y.at(i))
		fill(dst, image.Rect(box.Min.X-length, y-line/2, box.Min.X, y-line/2+line), lineColor)
		label.drawMiddle(dst, float64(box.Min.X)-(tickLength+tickGap)*u-label.width(), float64(y))
	}
	if lay.xLabel.string != "" {
		below := (tickLength+tickGap+tickSize)*u + labelSize*u
		lay.xLabel.draw(dst, float64(box.Min.X+box.Max.X)/2-lay.xLabel.width()/2, float64(box.Max.Y)+below)
	}
	if lay.yLabel.string != "" {
		left := (tickLength+2*tickGap)*u + lay.y.widest()
		lay.yLabel.drawUpwards(dst, float64(box.Min.X)-left-0.3*labelSize*u, float64(box.Min.Y+box.Max.Y)/2+lay.yLabel.width()/2)
	}
	lay.x.drawPower(dst, u, float64(box.Max.X), float64(box.Max.Y)+(tickLength+tickGap)*u+2.2*tickSize*u, true)
	lay.y.drawPower(dst, u, float64(box.Min.X), float64(box.Min.Y)-tickSize*u, true)
}

// drawTitle draws title and subtitle above the mesh, at its left side where
// there is room for them.
func (lay *layout) drawTitle(dst *image.RGBA) {
	u := lay.unit
	edge := margin * u
	y := edge
	for _, t := range [...]text{lay.title, lay.subtitle} {
		if t.string == "" {
			continue
		}
		x := max(edge, min(float64(lay.box.Min.X), float64(lay.size.X)-edge-t.width()))
		t.draw(dst, x, y+0.75*t.size)
		y += lineHeight * t.size
	}
}

// line returns the width of the thin lines in pixels.
func (lay *layout) line() int {
	return max(1, int(math.Round(1.2*lay.unit)))
}

// pixelBetween returns the pixel at this fraction of the way from a to b.
func pixelBetween(a, b int, part float64) int {
	return int(math.Round(float64(a) + part*float64(b-a)))
}

// drawFrame draws a line of this width around r, outside it.
func drawFrame(dst *image.RGBA, r image.Rectangle, width int, c color.RGBA) {
	outer := r.Inset(-width)
	fill(dst, image.Rect(outer.Min.X, outer.Min.Y, outer.Max.X, r.Min.Y), c)
	fill(dst, image.Rect(outer.Min.X, r.Max.Y, outer.Max.X, outer.Max.Y), c)
	fill(dst, image.Rect(outer.Min.X, r.Min.Y, r.Min.X, r.Max.Y), c)
	fill(dst, image.Rect(r.Max.X, r.Min.Y, outer.Max.X, r.Max.Y), c)
}

func fill(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	draw.Draw(dst, r, image.NewUniform(c), image.Point{}, draw.Src)
}
