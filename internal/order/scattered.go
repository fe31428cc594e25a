package order

import "math/bits"

// Scattered reports whether the order of the elements is a bad one for loops: most chunks of consecutive
// elements reach targets that most other chunks reach, too, so that few of them can run at the same time,
// and data that is used together is far apart.
func (m *Mesh) Scattered() bool {
	for _, f := range m.Maps {
		if from, to := m.Sets[f.From].Size, m.Sets[f.To].Size; min(from, to) >= leastChunk*chunks && f.chunkColors(from, to) > chunks/4 {
			return true
		}
	}
	return false
}

const (
	chunks     = 64
	leastChunk = 16 // elements: in smaller meshes the order does not matter
)

// chunkColors returns the number of colors that chunks of consecutive elements need if those that reach
// the same target have different ones. In a good order it is 2 to 8.
func (f *Map) chunkColors(from, to int) int {
	reached := make([]uint64, to) // by which chunks
	for i, t := range f.Values {
		if t >= 0 {
			reached[t] |= 1 << (i / f.Arity * chunks / from)
		}
	}
	var meets, color [chunks]uint64
	for _, by := range reached {
		for rest := by; rest != 0; rest &= rest - 1 {
			meets[bits.TrailingZeros64(rest)] |= by
		}
	}
	var all uint64
	for c := range color {
		var used uint64
		for before := range c {
			if meets[c]>>before&1 == 1 {
				used |= color[before]
			}
		}
		color[c] = ^used & (used + 1)
		all |= color[c]
	}
	return bits.OnesCount64(all)
}
