package partition

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
)

// Shares returns the part that owns each element of this rank's share of a set, from the coordinates
// of the share, [elements][dim]. It is collective. The method is bisect (or auto) or curve, and the
// result is the one of [Whole] for a set without maps whose elements are numbered rank after rank.
// Parts are as many as ranks if 0 are given.
//
// A rank needs memory for its share and in proportion to the number of parts. Elements stay where
// they are: the places of all cuts are found at once, in rounds of one reduction.
func Shares(c comm.Comm, coordinates []float64, dim int, o Options) ([]int32, error) {
	if o.Parts == 0 {
		o.Parts = c.Size()
	}
	if err := o.checkParts(); err != nil {
		return nil, err
	}
	if dim < 1 || !slices.Contains([]string{"", "auto", "bisect", "curve"}, o.Method) {
		return nil, fmt.Errorf("method %s, %d dimensions: shares are divided by bisect or curve, in one dimension or more", o.Method, dim)
	}
	s := &sharer{comm: c, at: order.Points{Values: coordinates, Dim: dim}}
	box, total, err := s.agree()
	if err != nil {
		return nil, err
	}
	if o.Method == "curve" {
		return s.curve(box, o.cut(total))
	}
	return s.bisect(o.cut(total))
}

// sharer divides the shares of a set.
type sharer struct {
	comm comm.Comm
	at   order.Points // of this rank's elements
}

// agree returns the bounds of all points and their number, or the error of the first rank that has
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
	slices.SortFunc(all, placed.compare)
	cuts := make([]sought, len(ends)-1)
	for p := range cuts {
		cuts[p] = sought{in: all, count: int64(ends[p]), low: 0, high: 1 << curveBits}
	}
	below, err := s.search(cuts)
	if err != nil {
		return nil, err
	}
	owners, first := make([]int32, len(all)), 0
	for p, end := range append(below, len(all)) {
		for _, at := range all[first:end] {
			owners[at.element] = int32(p)
		}
		first = end
	}
	return owners, nil
}

// side is what this rank has of the elements that go to a range of parts.
type side struct {
	elements    []placed
	first, last int // parts
}

// bisect divides the shares by recursive coordinate bisection, all parts of a level at once.
func (s *sharer) bisect(ends []int) ([]int32, error) {
	owners := make([]int32, len(s.at.Values)/s.at.Dim)
	all := make([]placed, len(owners))
	for e := range all {
		all[e].element = int32(e)
	}
	for sides := []side{{all, 0, len(ends)}}; len(sides) > 0; {
		var open []side
		for _, side := range sides {
			if side.last-side.first > 1 {
				open = append(open, side)
				continue
			}
			for _, at := range side.elements {
				owners[at.element] = int32(side.first)
			}
		}
		next, err := s.halve(open, ends)
		if err != nil {
			return nil, err
		}
		sides = next
	}
	return owners, nil
}

// halve divides each side between the first half of its parts and the others, across the direction
// of its largest extent.
func (s *sharer) halve(sides []side, ends []int) (halves []side, err error) {
	dim := s.at.Dim
	var boxes []float64
	for _, side := range sides {
		boxes = append(boxes, s.bounds(side.elements)...)
	}
	if err := comm.Reduce(s.comm, loop.Min, boxes); err != nil {
		return nil, err
	}
	cuts := make([]sought, len(sides))
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
		slices.SortFunc(side.elements, placed.compare)
		before := 0
		if side.first > 0 {
			before = ends[side.first-1]
		}
		count := ends[(side.first+side.last)/2-1] - before
		cuts[i] = sought{side.elements, int64(count), ascending(box[along]), ascending(-box[dim+along]) + 1}
	}
	below, err := s.search(cuts)
	for i, side := range sides {
		if err == nil {
			middle := (side.first + side.last) / 2
			halves = append(halves, side.to(below[i], middle), side.from(below[i], middle))
		}
	}
	return halves, err
}

func (s side) to(n, part int) side   { return side{s.elements[:n], s.first, part} }
func (s side) from(n, part int) side { return side{s.elements[n:], part, s.last} }

// bounds returns what the function bounds does, of some elements.
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
