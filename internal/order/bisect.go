package order

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/go-op2/op2/internal/lists"
)

// Bisect orders elements by recursive coordinate bisection into parts: the elements are divided
// between the first half of the parts and the others, across the direction of their largest extent,
// and each side likewise; elements at the same place go by number. Parts are ordered as their
// halves; the order within a part is unspecified. Coordinates are [n][dim] and finite, and ends are
// the ends of the parts, the last of them n. It takes O(n log(len(ends))) time, on the given
// number of goroutines (GOMAXPROCS if 0), with the same result for any number of them.
//
// Source: M. J. Berger and S. H. Bokhari, A partitioning strategy for nonuniform
// problems on multiprocessors, IEEE Transactions on Computers C-36 (1987).
func Bisect(coordinates []float64, dim int, ends []int, workers int, stopped func() bool) []int32 {
	n := len(coordinates) / dim
	b := bisector{coordinates: coordinates, dim: dim, stopped: stopped}
	elements, keys := lists.UpTo(n), make([]key, n)
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	b.run(0, ends, elements, keys, workers)
	return elements
}

// bisect bisects until parts have at most the given number of elements. The second result contains
// the start of each part, and the end.
func bisect(coordinates []float64, dim, part, workers int, stopped func() bool) (elements []int32, parts []int) {
	parts = halves([]int{0}, 0, len(coordinates)/dim, part)
	return Bisect(coordinates, dim, parts[1:], workers, stopped), parts
}

// halves appends the ends of the parts of n elements from first on, which are halved until they
// have at most part elements.
func halves(ends []int, first, n, part int) []int {
	if n > part {
		return halves(halves(ends, first, n/2, part), first+n/2, n-n/2, part)
	}
	return append(ends, first+n)
}

type bisector struct {
	coordinates []float64
	dim         int
	stopped     func() bool
}

// key is an element with one of its coordinates.
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

// parallel is the number of elements that justify another goroutine.
const parallel = 1 << 14

// run orders the elements of the parts with these ends, from first on; keys is scratch space of the
// same length.
func (b *bisector) run(first int, ends []int, elements []int32, keys []key, workers int) {
	for len(ends) > 1 && len(elements) > 1 && !b.stopped() {
		middle := ends[len(ends)/2-1]
		half := middle - first
		if half > 0 && half < len(elements) {
			b.keys(keys, elements)
			split(keys, half)
			for i, k := range keys {
				elements[i] = k.element
			}
		}
		start, lowerEnds, lower, lowerKeys := first, ends[:len(ends)/2], elements[:half], keys[:half]
		first, ends, elements, keys = middle, ends[len(ends)/2:], elements[half:], keys[half:]
		if workers == 1 || half < parallel {
			b.run(start, lowerEnds, lower, lowerKeys, 1)
			continue
		}
		var group sync.WaitGroup
		group.Go(func() { b.run(start, lowerEnds, lower, lowerKeys, workers/2) })
		b.run(first, ends, elements, keys, workers-workers/2)
		group.Wait()
		return
	}
}

// keys lists the elements with the coordinate of their largest extent.
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
	const few = 8 // sorted directly
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

// median returns the median of three keys at pseudorandom places, which no input can make
// consistently bad.
func median(keys []key, state *uint32) key {
	var three [3]key
	for i := range three {
		*state = *state*1664525 + 1013904223
		three[i] = keys[uint64(*state)*uint64(len(keys))>>32]
	}
	slices.SortFunc(three[:], compare)
	return three[1]
}
