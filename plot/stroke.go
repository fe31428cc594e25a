package plot

import (
	"image"
	"image/color"
	"math"
)

// strokes collects lines of one color as the coverage of each pixel. Where lines cross or join, the
// larger coverage counts, so joints and crossings are no darker than the lines.
type strokes struct {
	w, h  int
	cover []uint8 // shape [h, w]

	// If front is not nil, lines belong to the cell of that number, and are hidden where a later one is
	// in front. Shape [h, w].
	front []int32
	of    int32
}

// lineStyle is a color and its opacity, from 0 to 1.
type lineStyle struct {
	color   color.RGBA
	opacity float64
}

func newStrokes(w, h int) *strokes {
	return &strokes{w: w, h: h, cover: make([]uint8, w*h)}
}

// contrast is lines that are dark on light colors, and light on dark ones.
type contrast struct{ dark, light *strokes }

func newContrast(w, h int) contrast { return contrast{newStrokes(w, h), newStrokes(w, h)} }

// on returns the lines on dark colors, or on light ones.
func (c contrast) on(dark bool) *strokes {
	if dark {
		return c.light
	}
	return c.dark
}

// onto draws the dark lines and then the light ones, as strokes.onto does.
func (c contrast) onto(dst *image.RGBA, origin image.Point, dark, light lineStyle) {
	c.dark.onto(dst, origin, dark)
	c.light.onto(dst, origin, light)
}

// line adds a line with round ends from a to b, in pixels.
func (s *strokes) line(a, b point, width float64) {
	reach := width/2 + 0.5
	rows := samplesIn(min(a.y, b.y)-reach, max(a.y, b.y)+reach, span{0, s.h})
	dx, dy := b.x-a.x, b.y-a.y
	for j := rows.lo; j < rows.hi; j++ {
		y := float64(j) + 0.5
		// Only the part of the line near this row, or long slanted lines would visit every pixel of
		// their bounding box.
		t0, t1 := 0.0, 1.0
		if math.Abs(dy) > 2*reach {
			t0, t1 = (y-reach-a.y)/dy, (y+reach-a.y)/dy
			if t0 > t1 {
				t0, t1 = t1, t0
			}
			t0, t1 = max(t0, 0), min(t1, 1)
		}
		x0, x1 := a.x+t0*dx, a.x+t1*dx
		cols := samplesIn(min(x0, x1)-reach, max(x0, x1)+reach, span{0, s.w})
		for i := cols.lo; i < cols.hi; i++ {
			if s.front != nil && s.front[j*s.w+i] > s.of {
				continue
			}
			d := distanceToLine(point{float64(i) + 0.5, y}, a, b)
			c := uint8(255*min(max(reach-d, 0), 1) + 0.5)
			k := &s.cover[j*s.w+i]
			*k = max(*k, c)
		}
	}
}

// mask removes the lines where there is no cell. r has fine by fine samples per pixel.
func (s *strokes) mask(r *raster) {
	for p, cover := range s.cover {
		if cover == 0 {
			continue
		}
		x, y := p%s.w*fine, p/s.w*fine
		cells := 0
		for j := range fine {
			for _, k := range r.ink[(y+j)*r.w+x:][:fine] {
				if k != bare && k != body {
					cells++
				}
			}
		}
		s.cover[p] = uint8(int(cover) * cells / (fine * fine))
	}
}

// onto draws the lines on the part of the picture whose upper left corner is
// origin.
func (s *strokes) onto(dst *image.RGBA, origin image.Point, style lineStyle) {
	for j := range s.h {
		for i, cover := range s.cover[j*s.w : (j+1)*s.w] {
			if cover == 0 {
				continue
			}
			k := dst.PixOffset(origin.X+i, origin.Y+j)
			blend(dst.Pix[k:k+3], style.color, style.opacity*float64(cover)/255)
		}
	}
}

// blend moves the color of a pixel toward c.
func blend(rgb []uint8, c color.RGBA, part float64) {
	for k, v := range [3]uint8{c.R, c.G, c.B} {
		rgb[k] = uint8(float64(rgb[k])*(1-part) + float64(v)*part + 0.5)
	}
}

func distance(a, b point) float64 {
	return math.Hypot(b.x-a.x, b.y-a.y)
}

// distanceToLine returns how far p is from the nearest point between a and b.
func distanceToLine(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if d2 := dx*dx + dy*dy; d2 > 0 {
		t = min(max(((p.x-a.x)*dx+(p.y-a.y)*dy)/d2, 0), 1)
	}
	return math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy)
}
