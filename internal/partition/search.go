package partition

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
)

// placed is an element with its place on a line, as a number that sorts like the place.
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

// sought is a cut to find: the place with a given weight of elements of all ranks before it.
type sought struct {
	in    []placed // elements of this rank on both sides, sorted
	sums  []int64  // the weight before each of them, and of all; nil: their numbers
	key   int      // the number of the cut on all ranks
	place bracket
}

// within returns the first and the last place of this rank's elements from one place to another; there are some.
func (c *sought) within(from, to uint64) (first, last uint64) {
	return c.in[c.before(from)].place, c.in[c.before(to)-1].place
}

// before returns the number of this rank's elements before a place.
func (c *sought) before(place uint64) int {
	n, _ := slices.BinarySearchFunc(c.in, place, func(at placed, place uint64) int { return cmp.Compare(at.place, place) })
	return n
}

// weight returns the weight of the first n of this rank's elements.
func (c *sought) weight(n int) int64 {
	if c.sums == nil {
		return int64(n)
	}
	return c.sums[n]
}

// beyond returns the number of this rank's elements that lie before the cut, of which the first n do, and of the others
// those that more has room for. One that the cut goes through is on the side with its larger part.
func (c *sought) beyond(n int, more int64) int {
	if c.sums == nil {
		return n + int(more)
	}
	at, found := slices.BinarySearch(c.sums[n:], c.sums[n]+more)
	if at += n; !found && (at == len(c.sums) || 2*(c.sums[n]+more) < c.sums[at-1]+c.sums[at]) {
		at--
	}
	return at
}

// search returns for each cut the number of this rank's elements before it: first it finds the place, then, among elements
// at the same place, the rank. Of these, lower ranks come first, and on one rank lower numbers. Keys are below keys.
func (s *sharer) search(cuts []sought, keys int) ([]int, error) {
	places, of := make([]bracket, len(cuts)), make([]int, len(cuts))
	for i, c := range cuts {
		places[i], of[i] = c.place, c.key
	}
	err := s.narrow(places, of, keys, func(i int, from, to uint64) int64 {
		return cuts[i].weight(cuts[i].before(to)) - cuts[i].weight(cuts[i].before(from))
	}, func(i int, from, to uint64) (first, last uint64) { return cuts[i].within(from, to) })
	if err != nil {
		return nil, err
	}
	// The cut is among the elements at place low: find its rank.
	below, through, ranks := make([]int, len(cuts)), make([]int, len(cuts)), make([]bracket, len(cuts))
	for i := range cuts {
		below[i] = cuts[i].before(places[i].low)
		through[i] = cuts[i].before(places[i].low + 1)
		ranks[i] = bracket{low: 0, high: uint64(s.comm.Size()), rest: places[i].rest}
	}
	own := uint64(s.comm.Rank())
	err = s.narrow(ranks, of, keys, func(i int, from, to uint64) int64 {
		if from <= own && own < to {
			return cuts[i].weight(through[i]) - cuts[i].weight(below[i])
		}
		return 0
	}, func(int, uint64, uint64) (first, last uint64) { return own, own })
	for i, r := range ranks {
		switch {
		case own < r.low:
			below[i] = through[i]
		case own == r.low && through[i] > below[i]:
			below[i] = min(through[i], cuts[i].beyond(below[i], r.rest))
		}
	}
	return below, err
}

// bracket is an interval [low, high) that contains a cut.
type bracket struct {
	low, high uint64
	rest      int64 // weight of the elements from low to the cut
}

// open reports whether the interval has to shrink further.
func (b *bracket) open() bool { return b.rest > 0 && b.high-b.low > 1 }

// probes is the number of places in each bracket that a round of narrow counts for.
const probes = 15

// probe returns a place in the bracket, the k-th from 0.
func (b *bracket) probe(k int) uint64 {
	length, n := b.high-b.low, uint64(k+1)
	return b.low + length/(probes+1)*n + length%(probes+1)*n/(probes+1)
}

// signed returns a number that compares as a place does, and that may be negative.
func signed(place uint64) int64 { return int64(place ^ 1<<63) }

// narrow finds all cuts at once by k-ary search. Each round shrinks each open bracket to where there are elements, in one
// reduction, since many may be at few places; weighs the elements before each of the probes in those still open, in
// another; and keeps the part with the cut. A rank drops out of a bracket in which it has no elements: it then knows
// their side. Count returns the weight of this rank's elements from one place to another, and ends the first and the
// last of their places.
func (s *sharer) narrow(brackets []bracket, of []int, keys int, count func(i int, from, to uint64) int64, ends func(i int, from, to uint64) (first, last uint64)) error {
	for {
		var wide, ofWide []int
		var spans []int64
		for i, b := range brackets {
			if !b.open() || count(i, b.low, b.high) == 0 {
				continue
			}
			first, last := ends(i, b.low, b.high)
			wide, ofWide = append(wide, i), append(ofWide, of[i])
			spans = append(spans, signed(first), ^signed(last))
		}
		if any, err := tally(s.comm, loop.Min, math.MaxInt64, ofWide, keys, spans, 2); !any || err != nil {
			return err
		}
		var open, ofOpen []int
		var counts []int64
		for j, i := range wide {
			b := &brackets[i]
			b.low, b.high = uint64(spans[2*j])^1<<63, uint64(^spans[2*j+1])^1<<63+1
			if !b.open() {
				continue
			}
			open, ofOpen = append(open, i), append(ofOpen, of[i])
			for k := range probes {
				counts = append(counts, count(i, b.low, b.probe(k)))
			}
		}
		if any, err := tally(s.comm, loop.Inc, 0, ofOpen, keys, counts, probes); !any || err != nil {
			return err
		}
		for j, i := range open {
			b := brackets[i]
			for k, n := range counts[j*probes : (j+1)*probes] {
				if n > b.rest {
					brackets[i].high = b.probe(k)
					break
				}
				brackets[i].low, brackets[i].rest = b.probe(k), b.rest-n
			}
		}
	}
}

// dense is the number of keys up to which each rank takes part in the tally of all. Tests make it small.
var dense = 512

// tally reduces values by key over all ranks, in place, width values for each key, and reports whether any rank has a
// key. Few keys are reduced in one array, in which ranks without a key have the neutral value none. Of many keys, each
// has a home rank that combines its values, so that memory and messages are in proportion to a rank's own keys. It is
// collective.
func tally[T loop.Number](c comm.Comm, access loop.Access, none T, own []int, keys int, values []T, width int) (any bool, err error) {
	if keys <= dense {
		all := slices.Repeat([]T{none}, keys*width+1)
		for j, key := range own {
			copy(all[key*width:], values[j*width:(j+1)*width])
			all[keys*width] = -T(1) // less than none, and no sum is 0
		}
		err := comm.Reduce(c, access, all)
		for j, key := range own {
			copy(values[j*width:(j+1)*width], all[key*width:])
		}
		return all[keys*width] != none, err
	}
	have := []int64{int64(len(own))}
	if err := comm.Max(c, have); err != nil || have[0] == 0 {
		return false, err
	}
	r := loop.Reduction{Access: access, Type: loop.Of[T](), Dim: width}
	rank := func(key int) int { return key * c.Size() / keys }
	var sends []comm.Message // in the order of keys
	for j, key := range own {
		if n := len(sends); n == 0 || sends[n-1].Rank != rank(key) {
			sends = append(sends, comm.Message{Rank: rank(key)})
		}
		m := &sends[len(sends)-1]
		m.Data = binary.LittleEndian.AppendUint64(m.Data, uint64(key))
		m.Data = append(m.Data, comm.Bytes(values[j*width:(j+1)*width])...)
	}
	came, err := c.Consensus(sends)
	if err != nil {
		return false, err
	}
	row := 8 + r.Bytes()
	totals := map[uint64][]T{}
	for _, m := range came {
		for data := m.Data; len(data) > 0; data = data[row:] {
			key, values := binary.LittleEndian.Uint64(data), make([]T, width)
			copy(comm.Bytes(values), data[8:row])
			if totals[key] == nil {
				totals[key] = values
			} else {
				r.Combine(unsafe.Pointer(&totals[key][0]), unsafe.Pointer(&values[0]))
			}
		}
	}
	for _, m := range came {
		for data := m.Data; len(data) > 0; data = data[row:] {
			copy(data[8:row], comm.Bytes(totals[binary.LittleEndian.Uint64(data)]))
		}
	}
	answers, err := c.Consensus(came)
	if err != nil {
		return false, err
	}
	for _, m := range answers { // from ascending ranks, and so in the order of keys
		for data := m.Data; len(data) > 0; data = data[row:] {
			copy(comm.Bytes(values[:width]), data[8:row])
			values = values[width:]
		}
	}
	return true, nil
}

// sharer divides the shares of a set.
type sharer struct {
	comm    comm.Comm
	at      order.Points // of this rank's elements
	weights []int64      // of these; nil: 1 for each
}
