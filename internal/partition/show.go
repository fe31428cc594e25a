package partition

import "github.com/go-op2/op2/internal/order"

// State is the relation of a part to an element.
type State uint8

// The states, with one layer of halo.
const (
	Owned State = iota
	Executed
	Read
	Elsewhere
)

// Halo returns the relation of a part to the elements of each set.
func Halo(m *order.Mesh, owners [][]int32, part int32) [][]State {
	states := make([][]State, len(m.Sets))
	for s := range states {
		states[s] = make([]State, len(owners[s]))
		for e, p := range owners[s] {
			if p != part {
				states[s][e] = Elsewhere
			}
		}
	}
	each := func(visit func(from, to *State)) {
		for i := range m.Maps {
			f := &m.Maps[i]
			for j, t := range f.Values {
				if t >= 0 {
					visit(&states[f.From][j/f.Arity], &states[f.To][t])
				}
			}
		}
	}
	each(func(from, to *State) {
		if *from == Elsewhere && *to == Owned {
			*from = Executed
		}
	})
	each(func(from, to *State) {
		if *from <= Executed && *to == Elsewhere {
			*to = Read
		}
	})
	return states
}

// Colors returns a color for each part, and their number: neighbors have different ones. Each part
// gets the first color that no neighbor of a lower number has.
func (f *Figures) Colors() (colors []int, count int) {
	colors = make([]int, f.Parts)
	lower := make([][]int, f.Parts) // neighbors
	for _, pair := range f.pairs {
		lower[uint32(pair)] = append(lower[uint32(pair)], int(pair>>32))
	}
	for p := range colors {
		var taken []bool
		for _, q := range lower[p] {
			for len(taken) <= colors[q] {
				taken = append(taken, false)
			}
			taken[colors[q]] = true
		}
		for colors[p] < len(taken) && taken[colors[p]] {
			colors[p]++
		}
		count = max(count, colors[p]+1)
	}
	return colors, count
}
