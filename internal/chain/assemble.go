package chain

import (
	"math"
	"slices"
	"unsafe"
)

// schedule numbers the tiles that have elements, in the order of stages, groups and tiles, and lists the
// runs of each loop in each.
func (x *inspector) schedule(positions [][]position) *Schedule {
	used := map[position]int32{}
	for _, list := range positions {
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
	for l, list := range positions {
		runs, offsets := runsOf(numbersOf(list, used), x.Loops[l].First, len(order))
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

// unused is the tile of what no tile uses.
const unused = math.MaxInt32

// fresh lists the elements that each tile is the first to use.
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
		runs, offsets := runsOf(tiles, 0, s.Tiles())
		s.Fresh, s.FreshOffsets = append(s.Fresh, runs), append(s.FreshOffsets, offsets)
	}
}

// mark gives each element that a loop reaches through an argument to the first tile in which it does.
func (x *inspector) mark(s *Schedule, l int, a *Arg, first []int32) {
	lp := &x.Loops[l]
	for tile := range int32(s.Tiles()) {
		for _, r := range s.Of(l, int(tile)) {
			if lp.Subset == nil && a.Map == nil {
				for e := r[0]; e < r[1]; e++ {
					first[e] = min(first[e], tile)
				}
				continue
			}
			for i := int(r[0]); i < int(r[1]); i++ {
				a.targets(lp.element(i), func(t int32) { first[t] = min(first[t], tile) })
			}
		}
	}
}

// runsOf returns runs by tile: tiles has that of each element from the first one on.
func runsOf(tiles []int32, first, count int) ([]Run, []int32) {
	type piece struct {
		tile int32
		Run
	}
	var pieces []piece
	offsets := make([]int32, count+1)
	for i := 0; i < len(tiles); {
		end := i + 1
		for end < len(tiles) && tiles[end] == tiles[i] {
			end++
		}
		if t := tiles[i]; t != unused {
			pieces = append(pieces, piece{t, Run{int32(first + i), int32(first + end)}})
			offsets[t+1]++
		}
		i = end
	}
	for t := range count {
		offsets[t+1] += offsets[t]
	}
	next := slices.Clone(offsets)
	runs := make([]Run, len(pieces))
	for _, p := range pieces {
		runs[next[p.tile]] = p.Run
		next[p.tile]++
	}
	return runs, offsets
}
