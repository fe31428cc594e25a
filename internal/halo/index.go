package halo

import "math/bits"

// index numbers elements in the order in which it meets them: a hash table with open addressing, of
// which the slots hold places in the list of numbers.
type index struct {
	numbers []int64
	slots   []int32 // a place plus one; 0 is free
	shift   int     // how many bits of a hash are too many
}

// newIndex returns an empty index with room for n elements, and some more.
func newIndex(n int) index {
	n += n / 16
	x := index{numbers: make([]int64, 0, n)}
	x.rehash(n)
	return x
}

// indexOf returns the index of different numbers, which it shares with the caller.
func indexOf(numbers []int64) index {
	x := index{numbers: numbers[:len(numbers):len(numbers)]}
	x.rehash(len(numbers))
	return x
}

// Places returns a function that returns the place of a number in a list of different ones; -1 if it
// is not in it.
func Places(numbers []int64) func(number int64) int32 {
	x := indexOf(numbers)
	return x.place
}

// Elements with close numbers are often looked up one after the other. A line of slots holds those
// that have the same number but for its last bits, in a permuted order.
const (
	lineBits = 4
	line     = 1 << lineBits
	probe    = line + 1 // the next slot to try; odd, so that all are tried
)

// slot returns the slot where a number is searched for first. The line is found by multiplicative hashing with
// 2^64 divided by the golden ratio (D. E. Knuth, "The Art of Computer Programming", vol. 3, section 6.4); other bits
// of the product permute the line.
func (x *index) slot(number int64) int {
	hash := uint64(number) >> lineBits * 0x9E3779B97F4A7C15
	return int(hash>>x.shift)<<lineBits | int((uint64(number)^hash>>20)&(line-1))
}

// place returns the place of a number; -1 if it has none. A search ends at a free slot: at most half are taken.
func (x *index) place(number int64) int32 {
	for i := x.slot(number); ; i = (i + probe) & (len(x.slots) - 1) {
		place := x.slots[i] - 1
		if place < 0 || x.numbers[place] == number {
			return place
		}
	}
}

// put returns the place of a number, which it gets if it has none.
func (x *index) put(number int64) int32 {
	i := x.slot(number)
	for ; x.slots[i] != 0; i = (i + probe) & (len(x.slots) - 1) {
		if place := x.slots[i] - 1; x.numbers[place] == number {
			return place
		}
	}
	place := int32(len(x.numbers))
	x.numbers = append(x.numbers, number)
	x.slots[i] = place + 1
	if 2*len(x.numbers) > len(x.slots) {
		x.rehash(len(x.numbers) + 1)
	}
	return place
}

// rehash makes at least twice as many slots as n elements need, and puts all elements into them. The number of slots is a
// power of two, to which the step of a search is coprime.
func (x *index) rehash(n int) {
	lines := bits.Len(uint(2*n) >> lineBits) // binary logarithm
	x.shift = 64 - lines
	x.slots = make([]int32, line<<lines)
	for place, number := range x.numbers {
		i := x.slot(number)
		for x.slots[i] != 0 {
			i = (i + probe) & (len(x.slots) - 1)
		}
		x.slots[i] = int32(place) + 1
	}
}
