package plot

import (
	"image"
	"image/color"
)

const isoWidth = 1.3 // in units

// Iso-lines should be clearly visible, but not dominate.
var (
	darkLine  = lineStyle{color.RGBA{0x10, 0x16, 0x1e, 255}, 0.5}
	lightLine = lineStyle{color.RGBA{0xff, 0xff, 0xff, 255}, 0.45}
)

// drawContours draws about n iso-lines and returns their values.
func (d *data) drawContours(dst *image.RGBA, lay *layout, s inkScale, samples *raster, n int) []float64 {
	if n == 0 {
		return nil
	}
	levels := s.limits.levels(n)
	w, h := lay.box.Dx(), lay.box.Dy()
	lines := newContrast(w, h)
	on := make([]*strokes, len(levels))
	for i, v := range levels {
		on[i] = lines.on(s.dark(v))
	}
	paintContours(on, d.mesh, lay.ground, d.nodal, levels, isoWidth*lay.unit)
	lines.dark.mask(samples)
	lines.light.mask(samples)
	lines.onto(dst, lay.box.Min, darkLine, lightLine)
	return levels
}

// paintContours draws the lines on which the linear interpolation of values
// equals a level: of level i on on[i]. Levels ascend. Shapes: values [nodes],
// levels and on [levels]. Cells with a value that is not finite have no lines.
func paintContours(on []*strokes, m Mesh, g ground, values, levels []float64, width float64) {
	if len(levels) == 0 {
		return
	}
	least, greatest := levels[0], levels[len(levels)-1]
	rounding := 1e-9*(greatest-least) + 1e-12*max(-least, greatest)
	p := make([]point, m.Corners)
	v := make([]float64, m.Corners)
	for c := range m.cells() {
		lo, hi := values[m.cell(c)[0]], values[m.cell(c)[0]]
		for i, n := range m.cell(c) {
			p[i], v[i] = g.at(m.XY, n), values[n]
			lo, hi = min(lo, v[i]), max(hi, v[i])
		}
		if !(hi-lo > rounding) {
			continue // a constant but for rounding, or not finite: no lines
		}
		first, last := 0, len(levels)
		for first < last && !(levels[first] >= lo) {
			first++
		}
		for first < last && !(levels[last-1] < hi) {
			last--
		}
		if first == last || outOfSight(p, on[0].w, on[0].h, width) {
			continue
		}
		fan(p, v, func(p [3]point, v [3]float64) {
			for k := first; k < last; k++ {
				if a, b, ok := crossing(p, v, levels[k]); ok {
					on[k].line(a, b, width)
				}
			}
		})
	}
}

// outOfSight reports whether all of p lies beyond one side of a grid, and
// further than margin.
func outOfSight(p []point, w, h int, margin float64) bool {
	left, right, up, down := true, true, true, true
	for _, q := range p {
		left = left && q.x < -margin
		right = right && q.x > float64(w)+margin
		up = up && q.y < -margin
		down = down && q.y > float64(h)+margin
	}
	return left || right || up || down
}

// crossing returns the ends of the line across the triangle p on which the
// linear interpolation of v equals level.
func crossing(p [3]point, v [3]float64, level float64) (a, b point, ok bool) {
	var ends [3]point
	n := 0
	for i := range p {
		j := (i + 1) % 3
		if (v[i] <= level) == (v[j] <= level) {
			continue
		}
		t := (level - v[i]) / (v[j] - v[i])
		ends[n] = point{p[i].x + t*(p[j].x-p[i].x), p[i].y + t*(p[j].y-p[i].y)}
		n++
	}
	return ends[0], ends[1], n == 2
}
