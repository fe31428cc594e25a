package plan

import "math/bits"

// rankSet is a set of numbers below a limit that can be listed in order, and returns the rank of
// each number in that list. Adding, listing and ranking take constant time per number. It takes a
// quarter of a byte for each number below the limit, and so stays in a near cache even for large
// sets of targets.
type rankSet struct {
	words []rankWord // of 64 numbers each
	upper []uint64   // which words have numbers
	top   []uint64   // which of upper are not 0
}

type rankWord struct {
	bits   uint64
	before int32 // count of numbers in the preceding words; set by list
}

func newRankSet(limit int) *rankSet {
	words := limit/64 + 1
	return &rankSet{
		words: make([]rankWord, words),
		upper: make([]uint64, words/64+1),
		top:   make([]uint64, words/(64*64)+1),
	}
}

// add adds the numbers that are not negative to the set.
func (s *rankSet) add(numbers []int32) {
	for _, n := range numbers {
		if n < 0 {
			continue
		}
		w := n >> 6
		if s.words[w].bits == 0 {
			s.upper[w>>6] |= 1 << (w & 63)
			s.top[w>>12] |= 1 << (w >> 6 & 63)
		}
		s.words[w].bits |= 1 << (n & 63)
	}
}

// list appends the numbers in order; it must precede calls of rank. It visits words that have numbers alone,
// by the bits of the two levels above them, and clears these on the way.
func (s *rankSet) list(dst []int32) []int32 {
	start := len(dst)
	for i, top := range s.top {
		for s.top[i] = 0; top != 0; top &= top - 1 {
			u := i<<6 | bits.TrailingZeros64(top)
			upper := s.upper[u]
			for s.upper[u] = 0; upper != 0; upper &= upper - 1 {
				w := u<<6 | bits.TrailingZeros64(upper)
				word := &s.words[w]
				word.before = int32(len(dst) - start)
				for b := word.bits; b != 0; b &= b - 1 {
					dst = append(dst, int32(w<<6|bits.TrailingZeros64(b)))
				}
			}
		}
	}
	return dst
}

// rank returns the index in the list of a number of the set.
func (s *rankSet) rank(n int32) int32 {
	w := &s.words[n>>6]
	return w.before + int32(bits.OnesCount64(w.bits&(1<<(n&63)-1)))
}

// forget empties the set, given its list.
func (s *rankSet) forget(list []int32) {
	for _, n := range list {
		s.words[n>>6].bits = 0
	}
}
