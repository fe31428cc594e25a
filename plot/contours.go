package plot

// paintContours draws the lines on which the linear interpolation of nodal
// values equals one of levels, which ascend. Shape of values [nodes]. pick says
// on which strokes a level belongs. Cells with a value that is not finite have
// none.
func paintContours(m Mesh, g ground, w, h int, values, levels []float64, width float64, pick func(level int) *strokes) {
	if len(levels) == 0 {
		return
	}
	p := make([]point, m.Corners)
	v := make([]float64, m.Corners)
	for c := range m.cells() {
		lo, hi := values[m.cell(c)[0]], values[m.cell(c)[0]]
		for i, n := range m.cell(c) {
			p[i], v[i] = g.at(m.XY, n), values[n]
			lo, hi = min(lo, v[i]), max(hi, v[i])
		}
		if !(hi-lo > 1e-9*(levels[len(levels)-1]-levels[0])) {
			continue // a constant but for rounding, or not finite: no lines
		}
		first, last := 0, len(levels)
		for first < last && !(levels[first] >= lo) {
			first++
		}
		for first < last && !(levels[last-1] < hi) {
			last--
		}
		if first == last || outOfSight(p, w, h, width) {
			continue
		}
		fan(p, v, func(p [3]point, v [3]float64) {
			for k := first; k < last; k++ {
				if a, b, ok := crossing(p, v, levels[k]); ok {
					pick(k).line(a, b, width)
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
