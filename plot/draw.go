package plot

import (
	"image"
	"image/color"
)

const isoWidth = 1.3 // in units

// Iso-lines are to be seen well, and not more than well.
var (
	darkLine  = lineStyle{color.RGBA{0x10, 0x16, 0x1e, 255}, 0.5}
	lightLine = lineStyle{color.RGBA{0xff, 0xff, 0xff, 255}, 0.45}
)

// drawMesh draws what is inside the frame and returns the values of the
// iso-lines.
func (d *data) drawMesh(dst *image.RGBA, lay *layout, s scale, o Options) []float64 {
	w, h := lay.box.Dx(), lay.box.Dy()
	samples := newRaster(fine*w, fine*h)
	d.paint(samples, lay.ground.finer(fine), s)
	mend(samples)

	rims := d.rims(samples)
	fillBodies(samples, func(sample point) bool {
		return !lay.view.contains(d.mesh.bounds()) && enclosed(d.mesh, rims, lay.ground.finer(fine).back(sample))
	})
	resolve(dst, lay.box.Min, samples, fine, s.palette)

	levels := d.drawContours(dst, lay, s, samples, o.Contours)
	drawRims(dst, lay, d.mesh, rims, samples, o.Body)
	return levels
}

// paint draws the cells.
func (d *data) paint(r *raster, g ground, s scale) {
	if !d.smooth {
		inks := make([]ink, len(d.cellwise))
		for c, v := range d.cellwise {
			inks[c] = s.ink(s.limits.part(v))
		}
		paintFlat(r, d.mesh, g, inks)
		return
	}
	levels := make([]float64, len(d.nodal))
	for n, v := range d.nodal {
		levels[n] = s.limits.part(v) * (shades - 1)
	}
	paintSmooth(r, d.mesh, g, levels, d.bad, shades-1)
}

// rims returns the boundary of the mesh if any of it can be in view: if some
// sample is bare.
func (d *data) rims(r *raster) []loop {
	for _, k := range r.ink {
		if k == bare {
			return boundary(d.mesh, d.merged())
		}
	}
	return nil
}

// drawContours draws about n iso-lines and returns their values.
func (d *data) drawContours(dst *image.RGBA, lay *layout, s scale, samples *raster, n int) []float64 {
	if n == 0 {
		return nil
	}
	lo, hi := s.limits.lo, s.limits.hi
	step := niceStep(hi-lo, n+n/2+1) // the nearest nice number of lines is from 0.6 to 1.5 of n
	// Half a step within: a line at the very end of the range is noise.
	levels := multiples(step, lo+step/2, hi-step/2)

	w, h := lay.box.Dx(), lay.box.Dy()
	dark, light := newStrokes(w, h), newStrokes(w, h)
	pick := func(level int) *strokes {
		if s.isoLine(levels[level]) == lightLine {
			return light
		}
		return dark
	}
	paintContours(d.mesh, lay.ground, w, h, d.nodal, levels, isoWidth*lay.unit, pick)
	dark.mask(samples)
	light.mask(samples)
	dark.onto(dst, lay.box.Min, darkLine)
	light.onto(dst, lay.box.Min, lightLine)
	return levels
}

// drawRims draws lines along the boundary of the mesh: around bodies in their
// colour, which gives them a smooth outline, elsewhere in grey. Cracks between
// cells are part of the boundary but not of the picture, and get no line.
func drawRims(dst *image.RGBA, lay *layout, m Mesh, rims []loop, r *raster, inside color.RGBA) {
	w, h := lay.box.Dx(), lay.box.Dy()
	width := 1.6 * lay.unit
	outer, bodies := newStrokes(w, h), newStrokes(w, h)
	for _, l := range rims {
		for _, e := range l.edges {
			a, b := lay.ground.at(m.XY, e.a), lay.ground.at(m.XY, e.b)
			if outOfSight([]point{a, b}, w, h, width) {
				continue
			}
			switch {
			case l.hole() || beside(r, a, b, body):
				bodies.line(a, b, width)
			case beside(r, a, b, bare):
				outer.line(a, b, width)
			}
		}
	}
	outer.onto(dst, lay.box.Min, lineStyle{lineColor, 1})
	bodies.onto(dst, lay.box.Min, lineStyle{inside, 1})
}

// beside reports whether samples next to the line from a to b, in pixels, have
// the ink k.
func beside(r *raster, a, b point, k ink) bool {
	const places = 8
	for p := range places {
		t := (float64(p) + 0.5) / places
		x := int(fine * (a.x + t*(b.x-a.x)))
		y := int(fine * (a.y + t*(b.y-a.y)))
		for j := max(y-1, 0); j <= min(y+1, r.h-1); j++ {
			for i := max(x-1, 0); i <= min(x+1, r.w-1); i++ {
				if r.ink[j*r.w+i] == k {
					return true
				}
			}
		}
	}
	return false
}
