package tiling

import (
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/lists"
)

// schedule numbers the tiles that have elements, in the order of stages, groups and tiles, and lists the
// runs of each loop in each.
func (x *inspector) schedule() *Schedule {
	used := map[position]int32{}
	for _, list := range x.positions {
		var last position
		for i, p := range list {
			if i == 0 || p != last {
				used[p], last = 0, p
			}
		}
	}
	order := make([]position, 0, len(used))
	for p := range used {
		order = append(order, p)
	}
	slices.Sort(order)
	s := &Schedule{Stages: make([][]Group, 0, lastStage+1)}
	for i, p := range order {
		used[p] = int32(i)
		before := p
		if i > 0 {
			before = order[i-1]
		}
		switch {
		case i == 0 || before.stage() != p.stage():
			s.Stages = append(s.Stages, []Group{{i, i + 1}})
		case before.group() != p.group():
			last := &s.Stages[len(s.Stages)-1]
			*last = append(*last, Group{i, i + 1})
		default:
			groups := s.Stages[len(s.Stages)-1]
			groups[len(groups)-1].Last = i + 1
		}
	}
	for l, list := range x.positions {
		lp := &x.Loops[l]
		offsets, runs := runsOf(numbersOf(list, used), x.Pack, lp.First, lp.Last, len(order))
		s.Runs, s.Offsets = append(s.Runs, runs), append(s.Offsets, offsets)
	}
	x.fresh(s)
	return s
}

// numbersOf returns the tiles at some positions.
func numbersOf(positions []position, numbers map[position]int32) []int32 {
	tiles := make([]int32, len(positions))
	for i, p := range positions {
		if i > 0 && p == positions[i-1] {
			tiles[i] = tiles[i-1]
		} else {
			tiles[i] = numbers[p]
		}
	}
	return tiles
}

// unused is the tile of elements that no tile uses.
const unused = math.MaxInt32

// fresh lists the elements that each tile is the first to use, so that their values can be fetched while the
// tile before it runs.
func (x *inspector) fresh(s *Schedule) {
	first := make([][]int32, len(x.Sets))
	for set, n := range x.Sets {
		first[set] = make([]int32, n)
		for e := range first[set] {
			first[set][e] = unused
		}
	}
	type way struct {
		pointers  *int32
		component int
	}
	seen := map[way]bool{}
	for l := range x.Loops {
		lp := &x.Loops[l]
		x.mark(s, l, &Arg{}, first[lp.Set])
		for i := range lp.Args {
			a := &lp.Args[i]
			if w := (way{unsafe.SliceData(a.Map), a.Component}); a.Map != nil && !seen[w] {
				x.mark(s, l, a, first[x.Storages[a.Storage]])
				seen[w] = true
			}
		}
	}
	for _, tiles := range first {
		offsets, runs := runsOf(tiles, 1, 0, len(tiles), s.Tiles())
		s.Fresh, s.FreshOffsets = append(s.Fresh, runs), append(s.FreshOffsets, offsets)
	}
}

// mark gives each element that a loop reaches through an argument to the first tile in which it does.
func (x *inspector) mark(s *Schedule, l int, a *Arg, first []int32) {
	lp := &x.Loops[l]
	for tile := range int32(s.Tiles()) {
		for _, r := range s.Of(l, int(tile)) {
			switch {
			case lp.Subset != nil:
				for _, e := range lp.Subset[r[0]:r[1]] {
					a.targets(int(e), func(t int32) { first[t] = min(first[t], tile) })
				}
			case a.Map == nil:
				for e := r[0]; e < r[1]; e++ {
					first[e] = min(first[e], tile)
				}
			default:
				list, step := a.refs(int(r[0]), int(r[1]))
				for i := 0; i < len(list); i += step {
					if t := list[i]; t >= 0 {
						first[t] = min(first[t], tile)
					}
				}
			}
		}
	}
}

// runsOf returns runs by tile, and where those of each begin: tiles has that of each pack of the elements [first, last).
// Packs of one tile next to each other are one run.
func runsOf(tiles []int32, pack, first, last, count int) (offsets []int32, runs []Run) {
	return lists.Sort[int32](count, func(add func(tile int32, r Run)) {
		for i := 0; i < len(tiles); {
			end := i + 1
			for end < len(tiles) && tiles[end] == tiles[i] {
				end++
			}
			if t := tiles[i]; t != unused {
				add(t, Run{int32(first + i*pack), int32(min(first+end*pack, last))})
			}
			i = end
		}
	})
}
