package plot

import (
	"image"
	"image/color"
	"slices"
)

// rims returns the boundary of the mesh if any of it can be in view, that is, if some sample is
// bare.
func (d *data) rims(r *raster) []loop {
	if slices.Contains(r.ink, bare) {
		return boundary(d.mesh, d.merged())
	}
	return nil
}

// drawRims draws lines along the boundary of the mesh: in the bodies' color around bodies, which
// smooths their outlines, elsewhere in gray. Cracks between cells are part of the boundary but not
// of the picture, and get no line.
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
