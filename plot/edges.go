package plot

import (
	"image"
	"slices"
)

const edgeWidth = 1.1 // in units

// drawEdges draws the edges of the cells in view, light around dark cells, like iso-lines. An edge
// that two cells share is drawn no stronger than one of a single cell. If the mesh is projected, cells
// hide the edges of those before them.
func (d *data) drawEdges(dst *image.RGBA, lay *layout, s inkScale, projected bool) {
	w, h := lay.box.Dx(), lay.box.Dy()
	width := edgeWidth * lay.unit
	lines := newContrast(w, h)
	if projected {
		lines.dark.front = d.front(lay.ground, w, h)
		lines.light.front = lines.dark.front
	}
	p := make([]point, d.mesh.Corners)
	for c := range d.mesh.cells() {
		for i, n := range d.mesh.cell(c) {
			p[i] = lay.ground.at(d.mesh.XY, n)
		}
		if outOfSight(p, w, h, width) {
			continue
		}
		on := lines.on(s.dark(d.cellwise[c]))
		on.of = int32(c)
		last := p[len(p)-1]
		for _, q := range p {
			on.line(last, q, width)
			last = q
		}
	}
	lines.light.onto(dst, lay.box.Min, lightLine)
	lines.dark.onto(dst, lay.box.Min, darkLine)
}

// front returns the last cell that covers each pixel; -1: none.
func (d *data) front(g ground, w, h int) []int32 {
	cells := slices.Repeat([]int32{-1}, w*h)
	r := raster{w: w, h: h, rows: span{0, h}}
	p := make([]point, d.mesh.Corners)
	for c := range d.mesh.cells() {
		for i, n := range d.mesh.cell(c) {
			p[i] = g.at(d.mesh.XY, n)
		}
		r.scan(p, func(row int, cols span) {
			for i := cols.lo; i < cols.hi; i++ {
				cells[row*w+i] = int32(c)
			}
		})
	}
	return cells
}
