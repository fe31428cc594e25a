package plan

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// Rearranged returns an input whose plan has few colors although elements from all over the set reach
// the same targets, as the edges of a random graph do, and the order in which it has the elements;
// nil if that is hopeless. Each set of targets is divided into ranges, and elements that reach the
// same ranges become a block: blocks without a common range can run at once. Elements stay between the
// boundaries that they were between.
//
// Of the blocks of elements with two targets, those whose ranges have the same sum, modulo the number
// of ranges, have none in common: colors that take blocks in the order of the sums are as many as
// ranges, and half as many blocks have each.
func (in *Input) Rearranged(ranges int) (*Input, []int32) {
	s := in.structure()
	if len(s.colored) == 0 || in.First != 0 {
		return nil, nil
	}
	ranges = min(ranges, 64/len(s.colored))
	reached := in.ranges(s.colored, ranges)
	out := *in
	out.BlockSize, out.Boundaries = max(1, in.Last), nil
	var order []int32
	from := 0
	for _, end := range append(slices.Clone(in.Boundaries), in.Last) {
		groups := map[uint64][]int32{}
		for e := from; e < end; e++ {
			groups[reached[e]] = append(groups[reached[e]], int32(e))
			if len(groups) > ranges*ranges {
				return nil, nil
			}
		}
		for _, which := range bySum(groups, ranges) {
			order = append(order, groups[which]...)
			out.Boundaries = append(out.Boundaries, len(order))
		}
		from = end
	}
	out.permute(order)
	return &out, order
}

// ranges returns for each element the ranges of targets that it reaches, a bit for each: first those of
// the first list of slots.
func (in *Input) ranges(lists [][]Ref, ranges int) []uint64 {
	reached := make([]uint64, in.Last)
	for l, slots := range lists {
		targets := in.targetsOf(slots)
		for _, r := range slots {
			m := in.mapOf(r.Map) // nil: direct
			for e := range reached {
				t := e
				if m != nil {
					t = int(m.Values[e*m.Arity+r.Component])
				}
				if t >= 0 {
					reached[e] |= 1 << (l*ranges + t*ranges/targets)
				}
			}
		}
	}
	return reached
}

// bySum returns the keys of the groups in the order of the sums of their ranges.
func bySum[T any](groups map[uint64]T, ranges int) []uint64 {
	sum := func(reached uint64) int {
		n := 0
		for b := reached; b != 0; b &= b - 1 {
			n += bits.TrailingZeros64(b)
		}
		if bits.OnesCount64(reached) == 1 { // both targets are in it
			n *= 2
		}
		return n % ranges
	}
	keys := make([]uint64, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	sorting.By(keys, func(a, b uint64) int { return cmp.Or(cmp.Compare(sum(a), sum(b)), cmp.Compare(a, b)) })
	return keys
}

// permute renumbers the input's elements: element i is the former element order[i].
func (in *Input) permute(order []int32) {
	self := Map{Arity: 1, Targets: in.Last, Values: order} // for what is reached directly, too
	in.Maps, in.Data = slices.Clone(in.Maps), slices.Clone(in.Data)
	for i := range in.Maps {
		m := &in.Maps[i]
		self.ID = max(self.ID, m.ID+1)
		m.Values = Permuted(m.Values, m.Arity, order)
	}
	for i := range in.Data {
		refs := in.Data[i].Refs
		at := slices.IndexFunc(refs, func(r Ref) bool { return r.Map == Direct })
		if at < 0 || in.slots(i) == nil {
			continue
		}
		self.Targets = max(self.Targets, in.targetsOf(refs))
		in.Data[i].Refs = slices.Clone(refs)
		for ; at < len(refs); at++ {
			if refs[at].Map == Direct {
				in.Data[i].Refs[at] = Ref{Map: self.ID}
			}
		}
	}
	in.Maps = append(in.Maps, self)
}

// Permuted returns rows of so many values in another order: row i is the former row order[i]. Those
// after the last of the order stay where they are.
func Permuted(values []int32, width int, order []int32) []int32 {
	out := slices.Clone(values)
	for i, e := range order {
		copy(out[i*width:(i+1)*width], values[int(e)*width:])
	}
	return out
}
