package partition

import (
	"slices"

	"github.com/go-op2/op2/internal/order"
)

// lead divides a set by itself.
func (w *wholeMesh) lead(s int) []int32 {
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
	if _, err := metisLibrary(); err == nil && o.Method != "metis" && o.Method != "scotch" {
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
func (w *wholeMesh) byWalks(s int) []int32 {
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
		ends := w.options.endsOf(elements)
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

// endsOf returns the ends of the parts of elements in a row, whatever their weights. A walk within the parts changes no
// end of theirs by more than the weight of an element.
func (o *Options) endsOf(elements []int32) []int {
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

// byLibrary divides a set by a library.
func (w *wholeMesh) byLibrary(s int, method string) ([]int32, error) {
	divide := metisLibrary
	if method == "scotch" {
		divide = scotchLibrary
	}
	library, err := divide()
	if err != nil {
		return nil, err
	}
	f := w.mesh.Connecting(s)
	if f == nil {
		return nil, errNoGraph
	}
	o, numbers := w.options.positive()
	if o.Parts == 1 { // which METIS divides by zero for
		return slices.Repeat(numbers, w.mesh.Sets[s].Size), nil
	}
	if n := w.mesh.Sets[s].Size; n < o.Parts {
		return nil, errTiny
	}
	owners, err := library.divide(newGraph(f, w.mesh.Sets[s].Size), o)
	if err == nil {
		err = o.checkOwners(owners)
	}
	if err != nil {
		return nil, err
	}
	for e, p := range owners {
		owners[e] = numbers[p]
	}
	return owners, nil
}
