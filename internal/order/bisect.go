package order

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
)

// bisect is an order by recursive coordinate bisection: the elements are split in two
// halves at the median along the direction in which they extend farthest, and each
// half in the same way, until parts have at most the given number of elements. Parts
// follow each other as their halves do; the elements of a part are in no certain order.
// Coordinates are [n][dim] and finite. It takes n log n steps, on as many goroutines as
// there are workers (GOMAXPROCS if 0), and gives the same result for any number of them.
//
// The second result is where the parts begin, and the end.
//
// Source: M. J. Berger and S. H. Bokhari, A partitioning strategy for nonuniform
// problems on multiprocessors, IEEE Transactions on Computers C-36 (1987).
func bisect(coordinates []float64, dim, part, workers int) (elements []int32, parts []int) {
	n := len(coordinates) / dim
	b := bisector{coordinates: coordinates, dim: dim, part: part}
	elements, keys := identity(n), make([]key, n)
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	b.run(elements, keys, workers)
	return elements, b.cuts([]int{0}, 0, n)
}

type bisector struct {
	coordinates []float64
	dim         int
	part        int // most elements of a part
}

// key is an element by one of its coordinates.
type key struct {
	at      float64
	element int32
}

func compare(a, b key) int {
	if c := cmp.Compare(a.at, b.at); c != 0 {
		return c
	}
	return cmp.Compare(a.element, b.element)
}

// parallel is how many elements are worth another goroutine.
const parallel = 1 << 14

// run orders the elements; keys has room for as many.
func (b *bisector) run(elements []int32, keys []key, workers int) {
	for len(elements) > b.part {
		b.keys(keys, elements)
		half := len(elements) / 2
		split(keys, half)
		for i, k := range keys {
			elements[i] = k.element
		}
		lower, lowerKeys := elements[:half], keys[:half]
		elements, keys = elements[half:], keys[half:]
		if workers == 1 || half < parallel {
			b.run(lower, lowerKeys, 1)
			continue
		}
		var group sync.WaitGroup
		group.Go(func() { b.run(lower, lowerKeys, workers/2) })
		b.run(elements, keys, workers-workers/2)
		group.Wait()
		return
	}
}

// cuts appends where the parts of n elements from first on end.
func (b *bisector) cuts(ends []int, first, n int) []int {
	if n > b.part {
		return b.cuts(b.cuts(ends, first, n/2), first+n/2, n-n/2)
	}
	return append(ends, first+n)
}

// keys are the elements by the coordinate in which they extend farthest.
func (b *bisector) keys(keys []key, elements []int32) {
	longest, along := math.Inf(-1), 0
	for d := range b.dim {
		low, high := math.Inf(1), math.Inf(-1)
		for _, e := range elements {
			x := b.coordinates[int(e)*b.dim+d]
			low, high = min(low, x), max(high, x)
		}
		if high-low > longest {
			longest, along = high-low, d
		}
	}
	for i, e := range elements {
		keys[i] = key{b.coordinates[int(e)*b.dim+along], e}
	}
}

// split moves the n smallest keys to the front.
//
// Source: C. A. R. Hoare, Algorithm 65: find, Communications of the ACM 4 (1961).
func split(keys []key, n int) {
	state := uint32(len(keys))
	const few = 8 // so few are sorted
	for len(keys) > few {
		pivot := median(keys, &state)
		i, j := 0, len(keys)-1
		for i <= j {
			for compare(keys[i], pivot) < 0 {
				i++
			}
			for compare(keys[j], pivot) > 0 {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch { // keys[:j+1] <= pivot <= keys[i:]
		case n <= j:
			keys = keys[:j+1]
		case n >= i:
			keys, n = keys[i:], n-i
		default:
			return
		}
	}
	slices.SortFunc(keys, compare)
}

// median is that of three keys at places that no input can foresee to be bad.
func median(keys []key, state *uint32) key {
	var three [3]key
	for i := range three {
		*state = *state*1664525 + 1013904223
		three[i] = keys[uint64(*state)*uint64(len(keys))>>32]
	}
	slices.SortFunc(three[:], compare)
	return three[1]
}
