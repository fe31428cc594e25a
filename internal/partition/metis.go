package partition

import (
	"fmt"
	"math"
	"sync"

	"github.com/go-op2/op2/internal/native"
)

// metisLibrary returns METIS 5, or why there is none.
//
// Source: G. Karypis, V. Kumar, Multilevel k-way partitioning scheme for irregular graphs, Journal of
// Parallel and Distributed Computing 48 (1998).
var metisLibrary = sync.OnceValues(func() (*graphLibrary, error) {
	l, err := load(&metisFunctions, "libmetis.so.5", "libmetis.so")
	if err != nil {
		return nil, err
	}
	// METIS does not say how long its numbers are, but sets 40 of them to -1.
	options := make([]int32, 80)
	if err := l.metisCheck(l.call(metisFunctions.METIS_SetDefaultOptions, pointer(options))); err != nil {
		return nil, err
	}
	l.divide = func(g *graph, o *Options) ([]int32, error) { return metisDivide[int32](l, g, o) }
	if options[40] == -1 {
		l.divide = func(g *graph, o *Options) ([]int32, error) { return metisDivide[int64](l, g, o) }
	}
	return l, nil
})

// metisFunctions are bound by metis.
var metisFunctions struct{ METIS_PartGraphKway, METIS_SetDefaultOptions native.Function }

func metisDivide[T int32 | int64](l *graphLibrary, g *graph, o *Options) ([]int32, error) {
	starts, targets, weights, err := graphLists[T](g)
	if err != nil {
		return nil, err
	}
	elements := elementWeights[T](o)
	var parts []T
	err = l.protected(func() (err error) {
		var fractions argument
		if o.Weights != nil {
			if fractions, err = metisFractions[T](l, o.shares(1)); err != nil {
				return err
			}
		}
		parts, err = metisKway(l, starts, targets, elements, weights, o.Parts, fractions)
		return err
	})
	return narrowed(parts), err
}

// metisFractions returns the shares of the parts as METIS's real numbers, which are of one of two
// lengths, and it does not say which: it has to divide a path by numbers that mean 0.1 and 0.9, or 0.003
// and 0.997.
func metisFractions[T int32 | int64](l *graphLibrary, shares []float64) (argument, error) {
	const n = 200
	starts, targets, weights := []T{0}, []T{}, []T{}
	for e := T(0); e < n; e++ {
		for _, neighbor := range [2]T{e - 1, e + 1} {
			if neighbor >= 0 && neighbor < n {
				targets, weights = append(targets, neighbor), append(weights, 1)
			}
		}
		starts = append(starts, T(len(targets)))
	}
	few := math.Float64frombits(uint64(math.Float32bits(0.9))<<32 | uint64(math.Float32bits(0.1)))
	parts, err := metisKway(l, starts, targets, nil, weights, 2, pointer([]float64{few, 1 - few}))
	if err != nil {
		return argument{}, err
	}
	sizes := [2]int{}
	for _, p := range parts {
		sizes[p&1]++
	}
	if min(sizes[0], sizes[1]) < n/20 {
		return pointer(shares), nil
	}
	singles := make([]float32, len(shares))
	for p, share := range shares {
		singles[p] = float32(share)
	}
	return pointer(singles), nil
}

// metisKway calls METIS with its default options.
func metisKway[T int32 | int64](l *graphLibrary, starts, targets, elements, weights []T, count int, fractions argument) ([]T, error) {
	parts := make([]T, len(starts)-1)
	vertices, constraints, into, cut := []T{T(len(parts))}, []T{1}, []T{T(count)}, []T{0}
	null := argument{}
	of := null
	if elements != nil {
		of = pointer(elements)
	}
	code := l.call(metisFunctions.METIS_PartGraphKway, pointer(vertices), pointer(constraints), pointer(starts), pointer(targets),
		of, null, pointer(weights), pointer(into), fractions, null, null, pointer(cut), pointer(parts))
	return parts, l.metisCheck(code)
}

// metisCheck returns the error that a function of METIS reports.
func (l *graphLibrary) metisCheck(code int32) error {
	switch code {
	case 1:
		return nil
	case -2:
		return fmt.Errorf("METIS refuses the graph")
	case -3:
		return fmt.Errorf("METIS needs more memory than there is")
	}
	return fmt.Errorf("METIS failed with code %d", code)
}
