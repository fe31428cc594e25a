package plot

import (
	"image"
	"math"
	"slices"
)

const streamlineWidth = 1.7 // in units

// flow is the direction of vectors on a grid of points over the picture.
type flow struct {
	spacing       float64 // of the points, in pixels
	x0, y0        float64
	columns, rows int
	vector        []point // of length 1, y downwards; 0 where there is none. Shape [rows, columns]
	cell          []int32 // that has the point. Shape [rows, columns]
}

// newFlow takes the vectors of a field at points of a grid.
func (d *data) newFlow(lay *layout, spacing float64) *flow {
	w, h := lay.box.Dx(), lay.box.Dy()
	f := &flow{spacing: spacing, columns: max(int(float64(w)/spacing), 1), rows: max(int(float64(h)/spacing), 1)}
	f.x0 = (float64(w) - float64(f.columns-1)*spacing) / 2
	f.y0 = (float64(h) - float64(f.rows-1)*spacing) / 2
	f.vector, f.cell = make([]point, f.columns*f.rows), make([]int32, f.columns*f.rows)
	d.sampleVectors(lay.ground, w, h, spacing, func(a arrow) {
		k := int(math.Round((a.at.y-f.y0)/spacing))*f.columns + int(math.Round((a.at.x-f.x0)/spacing))
		f.cell[k] = int32(a.cell)
		if size := math.Hypot(a.vector.x, a.vector.y); size > 0 {
			f.vector[k] = point{a.vector.x / size, -a.vector.y / size}
		}
	})
	return f
}

// at returns the direction at a point, and the cell of the nearest point of the grid. It is 0 beside the grid, where
// one of the four points around has no vector, and where these cancel.
func (f *flow) at(p point) (direction point, cell int) {
	x, y := (p.x-f.x0)/f.spacing, (p.y-f.y0)/f.spacing
	i, j := int(math.Floor(x)), int(math.Floor(y))
	if i < 0 || j < 0 || i+1 >= f.columns || j+1 >= f.rows {
		return point{}, 0
	}
	x, y = x-float64(i), y-float64(j)
	var sum point
	for _, c := range [...]struct {
		i, j   int
		weight float64
	}{{i, j, (1 - x) * (1 - y)}, {i + 1, j, x * (1 - y)}, {i, j + 1, (1 - x) * y}, {i + 1, j + 1, x * y}} {
		v := f.vector[c.j*f.columns+c.i]
		if v == (point{}) {
			return point{}, 0
		}
		sum.x, sum.y = sum.x+c.weight*v.x, sum.y+c.weight*v.y
	}
	size := math.Hypot(sum.x, sum.y)
	if size < 0.1 {
		return point{}, 0
	}
	return point{sum.x / size, sum.y / size}, int(f.cell[int(math.Round(y)+float64(j))*f.columns+int(math.Round(x)+float64(i))])
}

// placed are the points of streamlines, in squares, so that those nearby are found.
type placed struct {
	side          float64
	columns, rows int
	points        [][]placedPoint // of each square
}

type placedPoint struct {
	point
	line, step int // steps count from where the line starts, backwards below 0
}

func newPlaced(w, h int, side float64) *placed {
	p := &placed{side: side, columns: int(float64(w)/side) + 1, rows: int(float64(h)/side) + 1}
	p.points = make([][]placedPoint, p.columns*p.rows)
	return p
}

func (p *placed) square(at point) (i, j int) {
	return min(max(int(at.x/p.side), 0), p.columns-1), min(max(int(at.y/p.side), 0), p.rows-1)
}

func (p *placed) add(at placedPoint) {
	i, j := p.square(at.point)
	p.points[j*p.columns+i] = append(p.points[j*p.columns+i], at)
}

// near reports whether a point within a distance, at most a side, fulfills a condition.
func (p *placed) near(at point, within float64, condition func(placedPoint) bool) bool {
	i, j := p.square(at)
	for y := max(j-1, 0); y <= min(j+1, p.rows-1); y++ {
		for x := max(i-1, 0); x <= min(i+1, p.columns-1); x++ {
			for _, q := range p.points[y*p.columns+x] {
				if distance(q.point, at) < within && condition(q) {
					return true
				}
			}
		}
	}
	return false
}

// streamlines returns evenly spaced streamlines: each one starts at a distance from another and ends where it comes
// nearer than half of it to one, or to itself, unless it then closes, or to where there are no vectors (B. Jobard and W.
// Lefer, Creating evenly-spaced streamlines of arbitrary density, 1997).
func (f *flow) streamlines(w, h int, apart float64) [][]point {
	const step = 2.0 // pixels
	taken := newPlaced(w, h, apart)
	var lines [][]point
	// next returns the point a step on, by the midpoint rule, and whether there is one.
	next := func(at point, sign int) (point, bool) {
		v, _ := f.at(at)
		if v == (point{}) {
			return at, false
		}
		part := float64(sign) * step
		if v, _ = f.at(point{at.x + part/2*v.x, at.y + part/2*v.y}); v == (point{}) {
			return at, false
		}
		return point{at.x + part*v.x, at.y + part*v.y}, true
	}
	// rest returns the points that lead back from one to the start of its line, if the next few do.
	rest := func(at, start point, sign int) (line []point, closed bool) {
		for ok := true; ok && len(line) < int(apart/step); {
			if distance(at, start) < 0.8*step {
				return append(line, start), true
			}
			line = append(line, at)
			at, ok = next(at, sign)
		}
		return nil, false
	}
	// trace follows the flow from a point, forwards or backwards, and reports whether it has come back there.
	trace := func(start point, sign int) (line []point, closed bool) {
		for at := start; len(line) < 10*(w+h); {
			var ok bool
			if at, ok = next(at, sign); !ok {
				break
			}
			now := placedPoint{at, len(lines), sign * (len(line) + 1)}
			if taken.near(at, apart/2, func(q placedPoint) bool { return q.line != now.line }) {
				break
			}
			if taken.near(at, apart/2, func(q placedPoint) bool { return math.Abs(float64(now.step-q.step)) > apart/step }) {
				more, closed := rest(at, start, sign)
				for _, p := range more {
					taken.add(placedPoint{p, now.line, now.step})
				}
				return append(line, more...), closed
			}
			taken.add(now)
			line = append(line, at)
		}
		return line, false
	}
	start := func(at point) {
		if v, _ := f.at(at); v == (point{}) || taken.near(at, 0.98*apart, func(placedPoint) bool { return true }) {
			return
		}
		taken.add(placedPoint{at, len(lines), 0})
		line, closed := trace(at, -1)
		slices.Reverse(line)
		line = append(line, at)
		if !closed {
			forwards, _ := trace(at, 1)
			line = append(line, forwards...)
		}
		lines = append(lines, line)
	}
	start(point{float64(w) / 2, float64(h) / 2})
	// Beside the lines that are there, and then wherever there is room.
	for seen := 0; ; {
		for ; seen < len(lines); seen++ {
			line := lines[seen]
			for k := 0; k < len(line); k += max(int(apart/step/2), 1) {
				v, _ := f.at(line[k])
				start(point{line[k].x - apart*v.y, line[k].y + apart*v.x})
				start(point{line[k].x + apart*v.y, line[k].y - apart*v.x})
			}
		}
		for y := apart / 2; y < float64(h) && seen == len(lines); y += apart / 2 {
			for x := apart / 2; x < float64(w) && seen == len(lines); x += apart / 2 {
				start(point{x, y})
			}
		}
		if seen == len(lines) {
			return lines
		}
	}
}

// drawStreamlines draws about n streamlines across the picture, with heads that point along the vectors: all of them
// light unless the colors that they cross are, and else dark, with a rim of the opposite kind.
func (d *data) drawStreamlines(dst *image.RGBA, lay *layout, s inkScale, n int) {
	w, h := lay.box.Dx(), lay.box.Dy()
	apart := max(float64(w)/float64(n), 8)
	f := d.newFlow(lay, max(apart/8, 2))
	width := streamlineWidth * lay.unit
	lines, rims := newStrokes(w, h), newStrokes(w, h)
	draw := func(a, b point) {
		lines.line(a, b, width)
		rims.line(a, b, width+2*lay.unit)
	}
	lightness, points := 0.0, 0.0
	for _, line := range f.streamlines(w, h, apart) {
		if float64(len(line)) < apart/2 { // pixels: half a step each
			continue
		}
		for k := 1; k < len(line); k++ {
			draw(line[k], line[k-1])
			if v, cell := f.at(line[k]); v != (point{}) {
				points++
				lightness += s.lightness(d.cellwise[cell])
			}
		}
		tip := line[len(line)/2]
		if v, _ := f.at(tip); v != (point{}) {
			length := min(0.3*apart, 11*lay.unit)
			for _, angle := range [...]float64{2.65, -2.65} { // radians, from the direction of v
				sin, cos := math.Sincos(angle)
				draw(tip, point{tip.x + length*(v.x*cos-v.y*sin), tip.y + length*(v.x*sin+v.y*cos)})
			}
		}
	}
	style := lightArrow
	if lightness > 0.65*points {
		style = darkArrow
	}
	style.rim.opacity = 0.6
	rims.onto(dst, lay.box.Min, style.rim)
	lines.onto(dst, lay.box.Min, style.line)
}
