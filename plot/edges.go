package plot

import "image"

const edgeWidth = 1.1 // in units

// drawEdges draws the edges of the cells in view, light around dark cells, like iso-lines. An edge
// that two cells share is drawn no stronger than one of a single cell.
func (d *data) drawEdges(dst *image.RGBA, lay *layout, s scale) {
	w, h := lay.box.Dx(), lay.box.Dy()
	width := edgeWidth * lay.unit
	dark, light := newStrokes(w, h), newStrokes(w, h)
	p := make([]point, d.mesh.Corners)
	for c := range d.mesh.cells() {
		for i, n := range d.mesh.cell(c) {
			p[i] = lay.ground.at(d.mesh.XY, n)
		}
		if outOfSight(p, w, h, width) {
			continue
		}
		on := dark
		if s.isoLine(d.cellwise[c]) == lightLine {
			on = light
		}
		last := p[len(p)-1]
		for _, q := range p {
			on.line(last, q, width)
			last = q
		}
	}
	light.onto(dst, lay.box.Min, lightLine)
	dark.onto(dst, lay.box.Min, darkLine)
}
