package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
)

// Arrows are dark on light colors and light on dark ones, with a rim of the opposite kind: an arrow
// may extend across both.
var (
	darkArrow  = arrowStyle{lineStyle{color.RGBA{0x10, 0x16, 0x1e, 255}, 0.92}, lineStyle{color.RGBA{0xff, 0xff, 0xff, 255}, 0.4}}
	lightArrow = arrowStyle{lineStyle{color.RGBA{0xff, 0xff, 0xff, 255}, 0.95}, lineStyle{color.RGBA{0x10, 0x16, 0x1e, 255}, 0.4}}
)

type arrowStyle struct{ line, rim lineStyle }

const (
	defaultArrows = 30
	arrowWidth    = 2.0 // of the line, in units
	arrowFilled   = 0.92
)

// arrow is a vector at a position in the picture, in pixels of the box; y points upwards in vector.
type arrow struct {
	at     point
	vector point
	cell   int // the cell that contains the position
}

// arrows are the arrows of a picture, and their style.
type arrows struct {
	all     []arrow
	longest float64 // the length of a vector that is drawn at full length
	full    float64 // the full length, in pixels
}

// newArrows takes the vectors at the points of a regular grid.
func (d *data) newArrows(lay *layout, o Options) arrows {
	n := o.Arrows
	if n == 0 {
		n = defaultArrows
	}
	w, h := lay.box.Dx(), lay.box.Dy()
	spacing := max(float64(w)/float64(n), 6)
	a := arrows{longest: o.Longest, full: arrowFilled * spacing}
	greatest := 0.0
	d.sampleVectors(lay.ground, w, h, spacing, func(sample arrow) {
		a.all = append(a.all, sample)
		greatest = max(greatest, math.Hypot(sample.vector.x, sample.vector.y))
	})
	if a.longest == 0 {
		a.longest = greatest
	}
	return a
}

// sampleVectors calls visit with the points of a grid that lie in cells, and the
// vectors there: those of the cells, or interpolated between the nodes. A point
// on the border of cells has the vector of one of them.
func (d *data) sampleVectors(g ground, w, h int, spacing float64, visit func(arrow)) {
	// The grid is centered.
	columns, rows := int(float64(w)/spacing), int(float64(h)/spacing)
	x0 := (float64(w) - float64(columns-1)*spacing) / 2
	y0 := (float64(h) - float64(rows-1)*spacing) / 2
	taken := make([]bool, max(columns*rows, 0))
	// place returns the first column or row from a position on.
	place := func(v, first float64, n int) int {
		return int(min(max(math.Ceil((v-first)/spacing), 0), float64(n)))
	}
	p := make([]point, d.mesh.Corners)
	for c := range d.mesh.cells() {
		least, greatest := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
		for i, n := range d.mesh.cell(c) {
			p[i] = g.at(d.mesh.XY, n)
			least = point{min(least.x, p[i].x), min(least.y, p[i].y)}
			greatest = point{max(greatest.x, p[i].x), max(greatest.y, p[i].y)}
		}
		for j := place(least.y, y0, rows); j < rows && y0+float64(j)*spacing <= greatest.y; j++ {
			for i := place(least.x, x0, columns); i < columns && x0+float64(i)*spacing <= greatest.x; i++ {
				at := point{x0 + float64(i)*spacing, y0 + float64(j)*spacing}
				if taken[j*columns+i] {
					continue
				}
				if v, inside := d.vectorAt(c, p, at); inside && finite(v.x) && finite(v.y) {
					taken[j*columns+i] = true
					visit(arrow{at, v, c})
				}
			}
		}
	}
}

// vectorAt returns the vector of cell c, whose corners are at p, at a point, and
// whether that is in the cell.
func (d *data) vectorAt(c int, p []point, at point) (v point, inside bool) {
	onCells := len(d.vectors) == 2*d.mesh.cells()
	component := func(k int) (value float64, inside bool) {
		values := make([]float64, len(p))
		for i, n := range d.mesh.cell(c) {
			if onCells {
				n = int32(c)
			}
			values[i] = d.vectors[2*int(n)+k]
		}
		fan(p, values, func(p [3]point, v [3]float64) {
			if inside {
				return
			}
			var weights [3]float64
			if weights, inside = barycentric(p, at); inside {
				value = weights[0]*v[0] + weights[1]*v[1] + weights[2]*v[2]
			}
		})
		return value, inside
	}
	if v.x, inside = component(0); inside {
		v.y, inside = component(1)
	}
	return v, inside
}

// barycentric returns the weights of the corners of p at a point, and whether it
// lies in p, up to rounding: a point on the side between two triangles is in both.
func barycentric(p [3]point, at point) (weights [3]float64, inside bool) {
	cross := func(a, b, c point) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }
	area := cross(p[0], p[1], p[2])
	if area == 0 {
		return weights, false
	}
	for i := range p {
		weights[i] = cross(at, p[(i+1)%3], p[(i+2)%3]) / area
		if weights[i] < -1e-9 {
			return weights, false
		}
	}
	return weights, true
}

// drawArrows draws the arrows of the field, and the one above the mesh that shows
// their scale.
func (d *data) drawArrows(dst *image.RGBA, lay *layout, s inkScale, o Options) {
	if len(d.vectors) == 0 {
		return
	}
	a := d.newArrows(lay, o)
	w, h := lay.box.Dx(), lay.box.Dy()
	lines, rims := newContrast(w, h), newContrast(w, h)
	for _, arrow := range a.all {
		dark := s.dark(d.cellwise[arrow.cell])
		v := point{0, 0}
		if a.longest > 0 {
			part := a.full / max(a.longest, math.Hypot(arrow.vector.x, arrow.vector.y))
			v = point{arrow.vector.x * part, -arrow.vector.y * part}
		}
		tail := point{arrow.at.x - v.x/2, arrow.at.y - v.y/2}
		addArrow(lines.on(dark), tail, v, a.full, arrowWidth*lay.unit)
		addArrow(rims.on(dark), tail, v, a.full, (arrowWidth+2)*lay.unit)
	}
	rims.onto(dst, lay.box.Min, darkArrow.rim, lightArrow.rim)
	lines.onto(dst, lay.box.Min, darkArrow.line, lightArrow.line)
	lay.drawArrowScale(dst, a)
}

// addArrow adds an arrow from tail along v, whose head is no longer than a third
// of a full arrow's length. One of no length is a dot.
func addArrow(s *strokes, tail, v point, full, width float64) {
	tip := point{tail.x + v.x, tail.y + v.y}
	length := math.Hypot(v.x, v.y)
	if length < width/2 {
		s.line(tail, tip, 1.6*width)
		return
	}
	s.line(tail, tip, width)
	head := min(0.45*length, 0.3*full)
	for _, angle := range [...]float64{2.7, -2.7} { // radians, from the direction of v
		sin, cos := math.Sincos(angle)
		s.line(tip, point{tip.x + head/length*(v.x*cos-v.y*sin), tip.y + head/length*(v.x*sin+v.y*cos)}, width)
	}
}

// drawArrowScale draws, above the right end of the mesh, an arrow of a round
// length with its number.
func (lay *layout) drawArrowScale(dst *image.RGBA, a arrows) {
	if a.longest == 0 || len(a.all) == 0 {
		return
	}
	u := lay.unit
	round := roundBelow(a.longest)
	number := strconv.FormatFloat(round, 'g', -1, 64)
	text := number
	if lay.arrowLabel.string != "" {
		text = fmt.Sprintf("%s %s", number, lay.arrowLabel.string)
	}
	length := a.full * round / a.longest
	label := lay.scale.face.fit(text, tickSize*u, float64(lay.box.Dx())/2, textColor)
	right, y := float64(lay.box.Max.X), float64(lay.box.Min.Y)-0.7*tickSize*u
	label.drawMiddle(dst, right-label.width(), y)
	box := image.Rect(0, 0, int(math.Ceil(length+4*u)), int(math.Ceil(tickSize*u)))
	line := newStrokes(box.Dx(), box.Dy())
	addArrow(line, point{2 * u, tickSize * u / 2}, point{length, 0}, a.full, arrowWidth*u)
	at := image.Pt(int(right-label.width()-length-12*u), int(math.Round(y-tickSize*u/2)))
	if at.X > 0 && at.Y > 0 {
		line.onto(dst, at, darkArrow.line)
	}
}

// roundBelow returns the greatest of 1, 2 and 5 times a power of ten that is not
// above v.
func roundBelow(v float64) float64 {
	power := math.Pow10(exponent(v))
	for _, s := range [...]float64{5, 2} {
		if s*power <= v*(1+1e-9) {
			return s * power
		}
	}
	return power
}
