package partition

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/sorting"
)

// MPI is the program's MPI, for a library that communicates through it.
type MPI struct {
	Communicator uintptr // MPI_Comm
	Identity     uintptr // the address of MPI_Get_library_version
}

// ptscotch returns PT-Scotch 7, or why there is none.
//
// Source: C. Chevalier, F. Pellegrini, PT-Scotch: a tool for efficient parallel graph ordering, Parallel Computing 34 (2008).
var ptscotch = sync.OnceValues(func() (found *graphLibrary, err error) {
	found = &graphLibrary{}
	return found, native.Search{What: "not installed", Names: []string{"libptscotch-7.0.so", "libptscotch.so"}}.Find(func(l *native.Library) error {
		if err := l.Bind(&ptscotchFunctions); err != nil {
			return err
		}
		ptscotchMPI, err = l.Symbol("MPI_Get_library_version")
		return err
	})
})

// ptscotchFunctions and ptscotchMPI, the identity of its MPI, are bound by ptscotch.
var (
	ptscotchFunctions struct {
		SCOTCH_numSizeof, SCOTCH_dgraphInit, SCOTCH_dgraphExit, SCOTCH_dgraphBuild native.Function
		SCOTCH_dgraphPart, SCOTCH_stratInit, SCOTCH_stratExit, SCOTCH_randomReset  native.Function
	}
	ptscotchMPI uintptr
)

// HasPTScotch returns why PT-Scotch cannot be used through an MPI; nil if it can.
func HasPTScotch(m MPI) error {
	if _, err := ptscotch(); err != nil {
		return err
	}
	if ptscotchMPI != m.Identity {
		return errors.New("PT-Scotch was built with another MPI than the program's")
	}
	return nil
}

// ShareGraph returns the part that owns each element of this rank's share of a set, by PT-Scotch's division of the graph that
// a map to the set makes, by the weights of the elements, which may be nil. It is collective. HasPTScotch must hold on all
// ranks; each part is that of a rank.
func ShareGraph(c comm.Comm, m MPI, f *halo.Map, to *halo.Set, weights []int64) ([]int32, error) {
	l, err := ptscotch()
	if err != nil {
		return nil, err
	}
	starts, targets, err := sharedGraph(c, f, to)
	if err == nil {
		err = numberByRanks(c, to, targets)
	}
	if err == nil && weights != nil {
		weights, err = shareWeights(c, weights)
	}
	if err != nil {
		return nil, err
	}
	if l.call(ptscotchFunctions.SCOTCH_numSizeof) == 8 {
		return ptscotchDivide(l, c, m, starts, targets, weights)
	}
	edges := []int64{int64(len(targets))}
	if err := comm.Sum(c, edges); err != nil {
		return nil, err
	}
	if edges[0] > math.MaxInt32 {
		return nil, fmt.Errorf("PT-Scotch: the graph has %d edges, its numbers go to %d\n  hint: use the partitioner Bisect, or a PT-Scotch with numbers of 64 bits", edges[0], math.MaxInt32)
	}
	narrow := func(values []int64) []int32 {
		if values == nil {
			return nil
		}
		out := make([]int32, len(values))
		for i, v := range values {
			out[i] = int32(v)
		}
		return out
	}
	return ptscotchDivide(l, c, m, narrow(starts), narrow(targets), narrow(weights))
}

func ptscotchDivide[T int32 | int64](l *graphLibrary, c comm.Comm, m MPI, starts, targets, weights []T) ([]int32, error) {
	f, n := &ptscotchFunctions, len(starts)-1
	parts := make([]T, max(1, n))
	err := l.protected(func() error {
		objects := make([]scotchObject, 2)
		graph, strategy := pointer(objects), pointer(objects[1:])
		if err := l.scotch(f.SCOTCH_dgraphInit, graph, argument{number: m.Communicator}); err != nil {
			return err
		}
		defer l.call(f.SCOTCH_dgraphExit, graph)
		if err := l.scotch(f.SCOTCH_stratInit, strategy); err != nil {
			return err
		}
		defer l.call(f.SCOTCH_stratExit, strategy)
		l.call(f.SCOTCH_randomReset)
		null, ends, loads := argument{}, pointer(starts[1:]), argument{}
		if weights != nil {
			weights = append(weights, 0) // never empty: all ranks have weights, or none
			loads = pointer(weights)
		}
		if n == 0 {
			ends = pointer(starts)
		}
		edges := slices.Concat(targets, []T{0}) // never empty
		if err := l.scotch(f.SCOTCH_dgraphBuild, graph, number(0), number(n), number(n), pointer(starts), ends, loads, null,
			number(len(targets)), number(len(targets)), pointer(edges), null, null); err != nil {
			return err
		}
		err := l.scotch(f.SCOTCH_dgraphPart, graph, number(c.Size()), strategy, pointer(parts))
		runtime.KeepAlive([]any{starts, edges, weights}) // to which the graph points
		return err
	})
	owners := narrowed(parts[:n])
	for i, p := range owners {
		if err == nil && (p < 0 || int(p) >= c.Size()) {
			err = fmt.Errorf("PT-Scotch: part %d for element %d of this rank, there are %d parts", parts[i], i, c.Size())
		}
	}
	return owners, err
}

// numberByRanks replaces numbers of elements by those of the places that these have, counted rank after rank: as shares that
// have not moved are numbered. It is collective.
func numberByRanks(c comm.Comm, of *halo.Set, numbers []int64) error {
	offsets, err := halo.Offsets(c, int64(len(of.Owned)))
	if err != nil {
		return err
	}
	places, moved := make([]int64, len(of.Owned)), []int64{0}
	for i, number := range of.Owned {
		if places[i] = offsets[c.Rank()] + int64(i); places[i] != number {
			moved[0] = 1
		}
	}
	if err := comm.Max(c, moved); err != nil || moved[0] == 0 {
		return err
	}
	needed := slices.Clone(numbers)
	sorting.Int64s(needed)
	needed = slices.Compact(needed)
	bytes, err := halo.Fetch(c, of.Home, of.Owned, comm.Bytes(places), 8, needed)
	if err != nil {
		return err
	}
	rows := comm.Values[int64](bytes)
	for i, number := range numbers {
		at, _ := slices.BinarySearch(needed, number)
		numbers[i] = rows[at]
	}
	return nil
}

// shareWeights returns weights in proportion whose sum over all ranks libraries can add up. It is collective.
func shareWeights(c comm.Comm, weights []int64) ([]int64, error) {
	sum := []int64{0}
	for _, w := range weights {
		sum[0] += w
	}
	if err := comm.Sum(c, sum); err != nil || sum[0] <= mostWeight {
		return weights, err
	}
	out := make([]int64, len(weights))
	for i, w := range weights {
		out[i] = int64(max(1, float64(w)*(mostWeight/float64(sum[0]))))
	}
	return out, nil
}

// sharedGraph returns the graph that a map makes of a set of which each rank has a share: where the neighbors of each element of
// this rank start, and the neighbors. It is collective.
func sharedGraph(c comm.Comm, f *halo.Map, to *halo.Set) (starts, targets []int64, err error) {
	type edge struct{ element, neighbor int64 }
	var pairs []edge
	var elements []int64
	for i := 0; i < f.Values.Len(); i += f.Arity {
		for a := i; a < i+f.Arity; a++ {
			for b := a + 1; b < i+f.Arity && (b == a+1 || f.Arity <= manyTargets); b++ {
				if x, y := f.Values.At(a), f.Values.At(b); x >= 0 && y >= 0 && x != y {
					pairs, elements = append(pairs, edge{x, y}, edge{y, x}), append(elements, x, y)
				}
			}
		}
	}
	homes, err := to.Home.Owners(c, elements)
	if err != nil {
		return nil, nil, err
	}
	out := comm.Outbox[edge]{}
	for i, home := range homes {
		out.Add(int(home), pairs[i])
	}
	came, err := out.Send(c)
	if err != nil {
		return nil, nil, err
	}
	var edges []edge // from places of elements
	for _, message := range came {
		for _, e := range message.Values {
			place := to.Place(c.Rank(), e.element)
			if place < 0 {
				return nil, nil, fmt.Errorf("an element is not one of this rank, as rank %d believes", message.Rank)
			}
			edges = append(edges, edge{int64(place), e.neighbor})
		}
	}
	sorting.By(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.element, b.element), cmp.Compare(a.neighbor, b.neighbor))
	})
	edges = slices.Compact(edges)
	starts = make([]int64, len(to.Owned)+1)
	for _, e := range edges {
		starts[e.element+1]++
		targets = append(targets, e.neighbor)
	}
	for i := range len(to.Owned) {
		starts[i+1] += starts[i]
	}
	return starts, targets, nil
}
