package partition

import (
	"github.com/go-op2/op2/internal/order"
)

// whole partitions a mesh that is in one memory.
type whole struct {
	mesh    *order.Mesh
	options Options
	owners  [][]int32 // by set; nil as long as they are not known
}

// Lead divides a set of a mesh by itself, as Whole divides those that lead; the coordinates of no set are known.
func Lead(m *order.Mesh, set int, o Options) ([]int32, error) {
	if err := o.check(m); err != nil {
		return nil, err
	}
	w := &whole{mesh: m, options: o, owners: make([][]int32, len(m.Sets))}
	owners := w.lead(set)
	if o.stopped() {
		return nil, ErrStopped
	}
	return owners, nil
}

// lead divides a set by itself.
func (w *whole) lead(s int) []int32 {
	o, size := &w.options, w.mesh.Sets[s].Size
	if o.Parts == 1 || size == 0 {
		return make([]int32, size)
	}
	switch o.Method {
	case "metis", "scotch":
		owners, err := w.byLibrary(s, o.Method)
		if err == nil {
			return owners
		}
		o.warnOf("method "+o.Method, err)
	case "graph":
		return w.byWalks(s)
	case "contiguous":
		return w.inherit(s, nil)
	}
	if at := w.mesh.Points(s); at.Values != nil {
		if o.Method == "curve" {
			at = order.Points{Values: along(at), Dim: 1}
		}
		return dealt(order.Bisect(at.Values, at.Dim, o.cut(size), o.Workers, o.stopped), o.cut(size))
	}
	if _, err := metis(); err == nil && o.Method != "metis" && o.Method != "scotch" {
		owners, err := w.byLibrary(s, "metis")
		if err == nil {
			return owners
		}
		o.warnOf("METIS", err)
	}
	return w.byWalks(s)
}

// byWalks divides a set by recursive bisection of the graph that a map makes: elements are numbered
// by a walk through the graph from one end to the other, divided between the first half of the parts
// and the others, and each side likewise.
//
// Source: H. D. Simon, Partitioning of unstructured problems for parallel processing, Computing
// Systems in Engineering 2 (1991), recursive graph bisection.
func (w *whole) byWalks(s int) []int32 {
	f, size := w.mesh.Connecting(s), w.mesh.Sets[s].Size
	if f == nil {
		return w.inherit(s, nil)
	}
	elements := make([]int32, size)
	for e := range elements {
		elements[e] = int32(e)
	}
	parts := w.options.Parts
	for bounds := []int{0, parts}; ; { // the first part of each side, and the end
		ends := w.options.cutOf(elements)
		starts := make([]int, len(bounds))
		for i, p := range bounds[1:] {
			starts[i+1] = ends[p-1]
		}
		if len(bounds) > parts || w.options.stopped() {
			return dealt(elements, ends)
		}
		w.mesh.CuthillMcKee(s, f, elements, starts)
		bounds = halved(bounds)
	}
}

// cutOf returns the ends of the parts of elements in a row, whatever their weights. A walk within the parts changes no
// end of theirs by more than the weight of an element.
func (o *Options) cutOf(elements []int32) []int {
	if o.Elements == nil {
		return o.cut(len(elements))
	}
	sums := make([]int64, len(elements)+1)
	for i, e := range elements {
		sums[i+1] = sums[i] + o.Elements[e]
	}
	ends := make([]int, o.Parts)
	for p, weight := range o.cut(int(sums[len(elements)])) {
		ends[p] = (&sought{sums: sums}).beyond(0, int64(weight))
	}
	return ends
}

// halved returns the bounds of the halves of the ranges that have several numbers, and the others.
func halved(bounds []int) []int {
	var out []int
	for i, first := range bounds {
		out = append(out, first)
		if i+1 < len(bounds) && bounds[i+1]-first > 1 {
			out = append(out, first+(bounds[i+1]-first)/2)
		}
	}
	return out
}
