package partition

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/sorting"
)

// graph connects the elements of a set that are targets of one element, in compressed rows.
type graph struct {
	starts  []int   // of each element's neighbors
	targets []int32 // neighbors, in ascending order
	weights []int32 // the number of elements with both as targets
}

// manyTargets is the arity above which an element does not connect all of its targets with each
// other, but each with the next.
const manyTargets = 8

// newGraph returns the graph that a map to n elements makes.
func newGraph(f *order.Map, n int) *graph {
	all := lists.Collect(n, func(add func(a, b int32)) { eachPair(f, add) })
	targets := all.Values
	g := &graph{starts: make([]int, n+1), weights: make([]int32, len(targets))}
	last := 0 // of the merged neighbors
	for e := range n {
		row := all.Of(int32(e))
		sorting.Int32s(row)
		g.starts[e] = last
		for _, t := range row {
			if last > g.starts[e] && targets[last-1] == t {
				g.weights[last-1]++
				continue
			}
			targets[last], g.weights[last] = t, 1
			last++
		}
	}
	g.starts[n], g.targets, g.weights = last, targets[:last], g.weights[:last]
	return g
}

// eachPair calls visit with each pair of different targets of an element, in both orders.
func eachPair(f *order.Map, visit func(a, b int32)) {
	for i := 0; i < len(f.Values); i += f.Arity {
		row := f.Values[i : i+f.Arity]
		for j, a := range row {
			others := row[j+1:]
			if f.Arity > manyTargets {
				others = others[:min(1, len(others))]
			}
			for _, b := range others {
				if a >= 0 && b >= 0 && a != b {
					visit(a, b)
					visit(b, a)
				}
			}
		}
	}
}

// errNoGraph is the reason not to call a library.
var errNoGraph = errors.New("no map connects the elements")

// positive returns options for the parts that have a weight, and their numbers.
func (o *Options) positive() (*Options, []int32) {
	out := *o
	var numbers []int32
	out.Weights = nil
	for p := range int32(o.Parts) {
		switch {
		case o.Weights == nil:
		case o.Weights[p] == 0:
			continue
		default:
			out.Weights = append(out.Weights, o.Weights[p])
		}
		numbers = append(numbers, p)
	}
	out.Parts = len(numbers)
	return &out, numbers
}

// checkOwners returns an error unless all owners exist and each part owns something.
func (o *Options) checkOwners(owners []int32) error {
	loads := make([]int, o.Parts)
	for e, p := range owners {
		if p < 0 || int(p) >= o.Parts {
			return fmt.Errorf("element %d was given to part %d of %d", e, p, o.Parts)
		}
		loads[p]++
	}
	if slices.Contains(loads, 0) {
		return errTiny
	}
	return nil
}

// libraryWords returns whole numbers in the type that a library has.
func libraryWords[T int32 | int64, S int | int32](values []S) ([]T, error) {
	out := make([]T, len(values))
	for i, v := range values {
		if out[i] = T(v); int64(out[i]) != int64(v) {
			return nil, fmt.Errorf("%d exceeds the library's numbers, which go to %d", v, math.MaxInt32)
		}
	}
	return out, nil
}
