package partition

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/sorting"
)

// Shares returns the part that owns each element of this rank's share of a set, from the coordinates
// of the share, [elements][dim]. It is collective. The method is bisect (or auto) or curve, and the
// result is the one of [Whole] for a set without maps whose elements are numbered rank after rank.
//
// A rank needs memory for its share and in proportion to the number of parts. Elements stay where
// they are: the places of all cuts of a level are found at once, in rounds of one reduction, or, where
// cuts are many, of messages about those that have elements of the rank between them.
func Shares(c comm.Comm, coordinates []float64, dim int, o Options) ([]int32, error) {
	if err := o.checkParts(); err != nil {
		return nil, err
	}
	if dim < 1 || !slices.Contains([]string{"", "auto", "bisect", "curve"}, o.Method) {
		return nil, fmt.Errorf("method %s, %d dimensions: shares are divided by bisect or curve, in one dimension or more", o.Method, dim)
	}
	s := &sharer{comm: c, at: order.Points{Values: coordinates, Dim: dim}, weights: o.Elements}
	box, total, err := s.agree()
	if err != nil {
		return nil, err
	}
	if o.Method == "curve" {
		return s.curve(box, o.cut(total))
	}
	return s.bisect(o.cut(total))
}

// agree returns the bounds of all points and the sum of their weights, or the error of the first rank that has
// one.
func (s *sharer) agree() (box []float64, total int, err error) {
	dim := s.at.Dim
	if len(s.at.Values)%dim != 0 {
		err = fmt.Errorf("%d coordinates are not %d for each element", len(s.at.Values), dim)
	} else if e := notFinite(s.at.Values); e >= 0 {
		err = fmt.Errorf("element %d of the share is at %v, which is no place", e/dim, s.at.Values[e])
	}
	wrong := math.Inf(1) // the first rank with an error
	box = make([]float64, 2*dim)
	if err != nil {
		wrong = float64(s.comm.Rank())
	} else {
		box = bounds(s.at)
	}
	all := append(box, wrong)
	if failed := comm.Reduce(s.comm, loop.Min, all); failed != nil {
		return nil, 0, failed
	}
	if first := all[2*dim]; !math.IsInf(first, 1) {
		if err == nil {
			err = fmt.Errorf("rank %.0f: its coordinates are wrong", first)
		}
		return nil, 0, err
	}
	n := []int64{int64(len(s.at.Values) / dim)}
	if s.weights != nil {
		n[0] = 0
		for _, w := range s.weights {
			n[0] += w
		}
	}
	err = comm.Reduce(s.comm, loop.Inc, n)
	return all[:2*dim], int(n[0]), err
}

// curve divides the shares into pieces of a Hilbert curve.
func (s *sharer) curve(box []float64, ends []int) ([]int32, error) {
	all := make([]placed, len(s.at.Values)/s.at.Dim)
	c := newCurve(s.at.Dim, box)
	for e := range all {
		all[e] = placed{c.place(s.at.Values[e*s.at.Dim : (e+1)*s.at.Dim]), int32(e)}
	}
	sorting.By(all, placed.compare)
	return s.divide(all, ends, func(sides []side, _ int) ([]bracket, error) {
		return slices.Repeat([]bracket{{low: 0, high: 1 << curveBits}}, len(sides)), nil
	})
}

// side is the elements of this rank that go to a range of parts.
type side struct {
	elements    []placed
	key         int // among those of its level
	first, last int // parts
}

// bisect divides the shares by recursive coordinate bisection.
func (s *sharer) bisect(ends []int) ([]int32, error) {
	all := make([]placed, len(s.at.Values)/s.at.Dim)
	for e := range all {
		all[e].element = int32(e)
	}
	return s.divide(all, ends, s.across)
}

// divide returns the parts of the elements by recursive bisection, all sides of a level at once. Between
// sorts the elements of each side, and returns the interval of their places. The halves of the side with the
// key k have the keys 2k and 2k+1: so ranks agree on them, though each leaves out the sides where it has no
// elements.
func (s *sharer) divide(all []placed, ends []int, between func(sides []side, keys int) ([]bracket, error)) ([]int32, error) {
	owners := make([]int32, len(all))
	sides := []side{{all, 0, 0, len(ends)}}
	for keys := 1; keys < 2*len(ends); keys *= 2 {
		var open []side
		for _, side := range sides {
			if side.last-side.first > 1 && len(side.elements) > 0 {
				open = append(open, side)
				continue
			}
			for _, at := range side.elements {
				owners[at.element] = int32(side.first)
			}
		}
		if keys >= len(ends) {
			break
		}
		next, err := s.halve(open, keys, ends, between)
		if err != nil {
			return nil, err
		}
		sides = next
	}
	return owners, nil
}

// halve divides each side between the first half of its parts and the others.
func (s *sharer) halve(sides []side, keys int, ends []int, between func(sides []side, keys int) ([]bracket, error)) (halves []side, err error) {
	places, err := between(sides, keys)
	if err != nil {
		return nil, err
	}
	cuts := make([]sought, len(sides))
	for i, side := range sides {
		before := 0
		if side.first > 0 {
			before = ends[side.first-1]
		}
		middle := ends[(side.first+side.last)/2-1]
		places[i].rest = int64(middle - before)
		if s.weights != nil && middle == ends[side.last-1] { // the other half gets nothing, though earlier cuts went through elements
			places[i].rest = math.MaxInt64 / 2
		}
		cuts[i] = sought{side.elements, s.sums(side.elements), side.key, places[i]}
	}
	below, err := s.search(cuts, keys)
	for i, x := range sides {
		if err == nil {
			middle := (x.first + x.last) / 2
			halves = append(halves, side{x.elements[:below[i]], 2 * x.key, x.first, middle}, side{x.elements[below[i]:], 2*x.key + 1, middle, x.last})
		}
	}
	return halves, err
}

// sums returns the weight before each of some elements, and of all of them; nil if each has the weight 1.
func (s *sharer) sums(elements []placed) []int64 {
	if s.weights == nil {
		return nil
	}
	sums := make([]int64, len(elements)+1)
	for i, at := range elements {
		sums[i+1] = sums[i] + s.weights[at.element]
	}
	return sums
}

// across sorts the elements of each side in the direction of its largest extent.
func (s *sharer) across(sides []side, keys int) ([]bracket, error) {
	dim := s.at.Dim
	var boxes []float64
	var own []int
	for _, side := range sides {
		boxes, own = append(boxes, s.bounds(side.elements)...), append(own, side.key)
	}
	if _, err := tally(s.comm, loop.Min, math.Inf(1), own, keys, boxes, 2*dim); err != nil {
		return nil, err
	}
	places := make([]bracket, len(sides))
	for i, side := range sides {
		box := boxes[i*2*dim : (i+1)*2*dim]
		longest, along := math.Inf(-1), 0
		for d := range dim {
			if extent := -box[dim+d] - box[d]; extent > longest {
				longest, along = extent, d
			}
		}
		for j := range side.elements {
			side.elements[j].place = ascending(s.at.Values[int(side.elements[j].element)*dim+along])
		}
		sorting.By(side.elements, placed.compare)
		places[i] = bracket{low: ascending(box[along]), high: ascending(-box[dim+along]) + 1}
	}
	return places, nil
}

// bounds returns the bounds of some elements, as the function of that name.
func (s *sharer) bounds(elements []placed) []float64 {
	dim := s.at.Dim
	b := bounds(order.Points{Dim: dim})
	for _, at := range elements {
		for d, x := range s.at.Values[int(at.element)*dim : int(at.element+1)*dim] {
			b[d], b[dim+d] = min(b[d], x), min(b[dim+d], -x)
		}
	}
	return b
}

// ascending returns a number that compares as x does.
func ascending(x float64) uint64 {
	bits := math.Float64bits(x + 0) // -0 is 0
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}
