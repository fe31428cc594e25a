package partition

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/go-op2/op2/internal/native"
)

// scotchLibrary returns Scotch 7, or why there is none. It is the sequential library: PT-Scotch's
// has the same functions, but would load some MPI, which need not be the one that the
// program runs under.
//
// Source: F. Pellegrini, J. Roman, Scotch: a software package for static mapping by dual recursive
// bipartitioning of process and architecture graphs, HPCN-Europe (1996).
var scotchLibrary = sync.OnceValues(func() (*graphLibrary, error) {
	l, err := load(&scotchFunctions, "libscotch-7.0.so", "libscotch.so")
	if err != nil {
		return nil, err
	}
	l.divide = func(g *graph, o *Options) ([]int32, error) { return scotchDivide[int32](l, g, o) }
	if l.call(scotchFunctions.SCOTCH_numSizeof) == 8 {
		l.divide = func(g *graph, o *Options) ([]int32, error) { return scotchDivide[int64](l, g, o) }
	}
	return l, nil
})

// scotchFunctions are bound by scotch.
var scotchFunctions struct {
	SCOTCH_numSizeof, SCOTCH_contextInit, SCOTCH_contextExit, SCOTCH_contextThreadSpawn native.Function
	SCOTCH_contextRandomClone, SCOTCH_contextRandomSeed, SCOTCH_contextRandomReset      native.Function
	SCOTCH_contextBindGraph, SCOTCH_graphInit, SCOTCH_graphExit, SCOTCH_graphBuild      native.Function
	SCOTCH_graphMap, SCOTCH_archInit, SCOTCH_archExit, SCOTCH_archCmpltw                native.Function
	SCOTCH_stratInit, SCOTCH_stratExit                                                  native.Function
}

// scotchObject is the space for an object of Scotch, which are of up to some 200 bytes.
type scotchObject [512]uint64

func scotchDivide[T int32 | int64](l *graphLibrary, g *graph, o *Options) ([]int32, error) {
	starts, targets, weights, err := graphLists[T](g)
	if err != nil {
		return nil, err
	}
	f := &scotchFunctions
	parts, shares, elements := make([]T, len(starts)-1), scotchShares[T](o), elementWeights[T](o)
	err = l.protected(func() error {
		objects := make([]scotchObject, 5)
		context, whole, bound, arch, strategy := pointer(objects), pointer(objects[1:]), pointer(objects[2:]), pointer(objects[3:]), pointer(objects[4:])
		for _, object := range []struct {
			at         argument
			init, exit native.Function
		}{
			{context, f.SCOTCH_contextInit, f.SCOTCH_contextExit},
			{whole, f.SCOTCH_graphInit, f.SCOTCH_graphExit},
			{bound, f.SCOTCH_graphInit, f.SCOTCH_graphExit},
			{arch, f.SCOTCH_archInit, f.SCOTCH_archExit},
			{strategy, f.SCOTCH_stratInit, f.SCOTCH_stratExit},
		} {
			if err := l.scotch(object.init, object.at); err != nil {
				return err
			}
			defer l.call(object.exit, object.at)
		}
		null := argument{}
		of := null
		if elements != nil {
			of = pointer(elements)
		}
		for _, step := range []struct {
			function  native.Function
			arguments []argument
		}{
			// On several threads results would differ from run to run.
			{f.SCOTCH_contextThreadSpawn, []argument{context, number(1), null}},
			{f.SCOTCH_contextRandomClone, []argument{context}},
			{f.SCOTCH_graphBuild, []argument{whole, number(0), number(len(parts)), pointer(starts), null, of, null,
				number(len(targets)), pointer(targets), pointer(weights)}},
			{f.SCOTCH_contextBindGraph, []argument{context, whole, bound}},
			{f.SCOTCH_archCmpltw, []argument{arch, number(o.Parts), pointer(shares)}},
		} {
			if err := l.scotch(step.function, step.arguments...); err != nil {
				return err
			}
		}
		l.call(f.SCOTCH_contextRandomSeed, context, number(1))
		l.call(f.SCOTCH_contextRandomReset, context)
		err := l.scotch(f.SCOTCH_graphMap, bound, arch, strategy, pointer(parts))
		runtime.KeepAlive([]any{starts, targets, weights, shares, elements}) // to which the objects point
		return err
	})
	return narrowed(parts), err
}

// scotch calls a function that returns whether it failed.
func (l *graphLibrary) scotch(function native.Function, arguments ...argument) error {
	if l.call(function, arguments...) != 0 {
		return fmt.Errorf("%s failed", function.Name)
	}
	return nil
}

// scotchShares returns the shares of the parts as whole numbers, of which the largest is 10,000 where they
// differ.
func scotchShares[T int32 | int64](o *Options) []T {
	shares := make([]T, o.Parts)
	largest := 0.0
	for _, weight := range o.Weights {
		largest = max(largest, weight)
	}
	for p := range shares {
		shares[p] = 1
		if o.Weights != nil {
			shares[p] = T(max(1, 10000*o.Weights[p]/largest))
		}
	}
	return shares
}
