package plot

import "math"

// data is a field in the forms that drawing needs.
type data struct {
	mesh     Mesh
	smooth   bool
	cellwise []float64 // shape [cells]
	nodal    []float64 // shape [nodes]; nil if not needed
	vectors  []float64 // shape [cells or nodes, 2]; or none
	bad      []bool    // shape [cells]: the cell's own value is not finite; nil: none is
	same     []int32   // what mergeNodes returns; nil until it is needed
}

func newData(f Field, onNodes bool, o Options) *data {
	d := &data{mesh: f.Mesh, smooth: o.Smooth, vectors: f.Vectors}
	d.cellwise = f.Values
	switch {
	case onNodes:
		d.cellwise, d.nodal = toCells(f.Mesh, f.Values), f.Values
	case o.Smooth || o.Contours > 0:
		d.nodal = toNodes(f.Mesh, f.Values, d.merged())
	}
	for c, v := range d.cellwise {
		if !finite(v) {
			if d.bad == nil {
				d.bad = make([]bool, len(d.cellwise))
			}
			d.bad[c] = true
		}
	}
	return d
}

func (d *data) merged() []int32 {
	if d.same == nil {
		d.same = mergeNodes(d.mesh.XY)
	}
	return d.same
}

// inView returns a census of the cells in view.
//
// The weight of a cell is its width, a compromise between equal weights, which give the range of
// the places where the mesh is fine, and areas, which give that of the far field.
func (d *data) inView(view Rect) census {
	out := newCensus()
	for c, v := range d.cellwise {
		if !d.mesh.cellBounds(c).meets(view) {
			continue
		}
		if finite(v) {
			out.cells = append(out.cells, weighted{v, math.Sqrt(math.Abs(d.mesh.area(c)))})
		}
		if !d.smooth {
			out.extend(v)
			continue
		}
		for _, n := range d.mesh.cell(c) {
			out.extend(d.nodal[n])
		}
	}
	return out
}

// anyInvalid reports whether a cell in view is drawn as invalid.
func (d *data) anyInvalid(view Rect) bool {
	for c, bad := range d.bad {
		if bad && d.mesh.cellBounds(c).meets(view) {
			return true
		}
	}
	return false
}

// limits returns the color range of the cells in view.
func (d *data) limits(view Rect, o Options) limits {
	if o.Classes > 0 {
		return classLimits(o.Classes)
	}
	shown := d.inView(view)
	if o.given || o.Min != 0 || o.Max != 0 {
		return givenLimits(shown, o.Min, o.Max).of(o)
	}
	return chooseLimits(shown, o.Map.Diverging, o.Trim).of(o)
}
