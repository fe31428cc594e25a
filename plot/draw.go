package plot

import (
	"image"
	"slices"
)

// drawMesh draws the inside of the frame and returns the values of the
// iso-lines.
func (d *data) drawMesh(dst *image.RGBA, lay *layout, s inkScale, o Options) []float64 {
	w, h := lay.box.Dx(), lay.box.Dy()
	samples := newRaster(fine*w, fine*h)
	d.paint(samples, lay.ground.finer(fine), s)
	mend(samples)

	var rims []loop
	if !o.Projected {
		rims = d.rims(samples)
		fillBodies(samples, slices.ContainsFunc(rims, loop.hole), func(sample point) bool {
			return !lay.view.contains(d.mesh.bounds()) && enclosed(d.mesh, rims, lay.ground.finer(fine).back(sample))
		})
	}
	resolve(dst, lay.box.Min, samples, fine, s.palette)

	levels := d.drawContours(dst, lay, s, samples, o.Contours)
	if o.Edges {
		d.drawEdges(dst, lay, s, o.Projected)
	}
	drawRims(dst, lay, d.mesh, rims, samples, o.Body)
	return levels
}

// paint draws the cells.
func (d *data) paint(r *raster, g ground, s inkScale) {
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
