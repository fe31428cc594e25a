package partition

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// placed is an element at a place of a line.
type placed struct {
	place   uint64
	element int32
}

func (a placed) compare(b placed) int {
	if c := cmp.Compare(a.place, b.place); c != 0 {
		return c
	}
	return cmp.Compare(a.element, b.element)
}

// sought is a cut through elements of all ranks, sorted, with a number of them before it.
type sought struct {
	in        []placed // this rank's
	count     int64    // elements of all ranks before the cut
	low, high uint64   // all places are from low to below high
}

// before returns the number of this rank's elements before a place.
func (c *sought) before(place uint64) int {
	n, _ := slices.BinarySearchFunc(c.in, place, func(at placed, place uint64) int { return cmp.Compare(at.place, place) })
	return n
}

// search returns for each cut the number of this rank's elements before it. Of elements at the same
// place, those of lower ranks come first, and of one rank those of lower numbers.
func (s *sharer) search(cuts []sought) ([]int, error) {
	places := make([]bracket, len(cuts))
	for i, c := range cuts {
		places[i] = bracket{low: c.low, high: c.high, rest: c.count}
	}
	err := s.narrow(places, func(i int, place uint64) int64 { return int64(cuts[i].before(place)) })
	if err != nil {
		return nil, err
	}
	// What is still missing is at the last place.
	below, same, ranks := make([]int, len(cuts)), make([]int, len(cuts)), make([]bracket, len(cuts))
	for i := range cuts {
		below[i] = cuts[i].before(places[i].low)
		same[i] = cuts[i].before(places[i].low+1) - below[i]
		ranks[i] = bracket{low: 0, high: uint64(s.comm.Size()), rest: places[i].rest}
	}
	own := uint64(s.comm.Rank())
	err = s.narrow(ranks, func(i int, rank uint64) int64 {
		if own < rank {
			return int64(same[i])
		}
		return 0
	})
	for i, r := range ranks {
		switch {
		case own < r.low:
			below[i] += same[i]
		case own == r.low:
			below[i] += int(r.rest)
		}
	}
	return below, err
}

// bracket is what is known of a cut: it is at low or after it, and before high.
type bracket struct {
	low, high uint64
	rest      int64 // elements from low to the cut
}

// open reports whether the cut is not known yet: low has fewer elements before it than wanted, and is
// not the last place.
func (b *bracket) open() bool { return b.rest > 0 && b.high-b.low > 1 }

// probes is the number of places in each bracket that a round of narrow counts for.
const probes = 15

// probe returns a place in the bracket, the k-th from 0.
func (b *bracket) probe(k int) uint64 {
	length, n := b.high-b.low, uint64(k+1)
	return b.low + length/(probes+1)*n + length%(probes+1)*n/(probes+1)
}

// narrow narrows the brackets until no cut is open. Count returns how many elements of this rank are
// before a place.
func (s *sharer) narrow(brackets []bracket, count func(i int, place uint64) int64) error {
	base := make([]int64, len(brackets)) // elements of all ranks before low
	for {
		var open []int
		for i := range brackets {
			if brackets[i].open() {
				open = append(open, i)
			}
		}
		if len(open) == 0 {
			return nil
		}
		counts := make([]int64, 0, probes*len(open))
		for _, i := range open {
			for k := range probes {
				counts = append(counts, count(i, brackets[i].probe(k)))
			}
		}
		if err := comm.Reduce(s.comm, loop.Inc, counts); err != nil {
			return err
		}
		for j, i := range open {
			b, wanted := brackets[i], base[i]+brackets[i].rest
			for k, n := range counts[j*probes : (j+1)*probes] {
				place := b.probe(k)
				if n <= wanted {
					brackets[i].low, base[i] = place, n
				} else {
					brackets[i].high = place
					break
				}
			}
			brackets[i].rest = wanted - base[i]
		}
	}
}
