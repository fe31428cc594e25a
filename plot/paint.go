package plot

// ground maps the coordinates of a mesh to those of a grid: pixels or samples.
type ground struct {
	scale  float64 // grid units per unit of length
	x0, y1 float64 // coordinates of the grid's upper left corner
}

func (g ground) at(xy []float64, n int32) point {
	return point{(xy[2*n] - g.x0) * g.scale, (g.y1 - xy[2*n+1]) * g.scale}
}

// back returns the coordinates of point p of the grid.
func (g ground) back(p point) point {
	return point{g.x0 + p.x/g.scale, g.y1 - p.y/g.scale}
}

// finer returns g for a grid of n times as many units per length.
func (g ground) finer(n int) ground {
	g.scale *= float64(n)
	return g
}

// paintFlat draws each cell of m in one ink. Shape of inks [cells].
func paintFlat(r *raster, m Mesh, g ground, inks []ink) {
	inBands(r.h, func(rows span) {
		band := *r
		band.rows = rows
		p := make([]point, m.Corners)
		for c, k := range inks {
			for i, n := range m.cell(c) {
				p[i] = g.at(m.XY, n)
			}
			band.flat(p, k)
		}
	})
}

// paintSmooth draws each cell of m with linear interpolation of levels: numbers above firstInk at
// the nodes, clamped to [0, top]. Shapes: levels [nodes], bad [cells] or nil. Cells that are bad,
// or have a corner that is not finite, are drawn as invalid.
func paintSmooth(r *raster, m Mesh, g ground, levels []float64, bad []bool, top float64) {
	inBands(r.h, func(rows span) {
		band := *r
		band.rows = rows
		p := make([]point, m.Corners)
		v := make([]float64, m.Corners)
		for c := range m.cells() {
			sum := 0.0
			for i, n := range m.cell(c) {
				p[i], v[i] = g.at(m.XY, n), levels[n]
				sum += v[i]
			}
			rows, cols := band.box(p)
			switch mean := sum / float64(m.Corners); {
			case rows.lo >= rows.hi || cols.lo >= cols.hi:
			case bad != nil && bad[c] || !finite(sum):
				band.flat(p, invalid)
			case rows.hi-rows.lo <= 1 && cols.hi-cols.lo <= 1:
				// A single sample has no slope; most of a large mesh is like this.
				band.flat(p, firstInk+ink(min(max(mean, 0), top)+0.5))
			default:
				fan(p, v, func(p [3]point, v [3]float64) { band.shaded(p, v, top) })
			}
		}
	})
}

// fan splits a cell into triangles on which its values are linear: itself, or those around its
// center. A diagonal would favor one direction.
func fan(p []point, v []float64, triangle func(p [3]point, v [3]float64)) {
	if len(p) == 3 {
		triangle([3]point(p), [3]float64(v))
		return
	}
	var middle point
	var mean float64
	part := 1 / float64(len(p))
	for i := range p {
		middle.x += p[i].x * part
		middle.y += p[i].y * part
		mean += v[i] * part
	}
	last := len(p) - 1
	for i := range p {
		triangle([3]point{middle, p[last], p[i]}, [3]float64{mean, v[last], v[i]})
		last = i
	}
}
