package chain

import "slices"

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
	for _, list := range positions {
		runs, offsets := runsOf(list, used)
		s.Runs, s.Offsets = append(s.Runs, runs), append(s.Offsets, offsets)
	}
	return s
}

// runsOf returns the runs of a loop by tile.
func runsOf(positions []position, numbers map[position]int32) ([]Run, []int32) {
	type piece struct {
		tile int32
		Run
	}
	var pieces []piece
	for first := 0; first < len(positions); {
		end := first + 1
		for end < len(positions) && positions[end] == positions[first] {
			end++
		}
		pieces = append(pieces, piece{numbers[positions[first]], Run{int32(first), int32(end)}})
		first = end
	}
	offsets := make([]int32, len(numbers)+1)
	for _, p := range pieces {
		offsets[p.tile+1]++
	}
	for t := range len(numbers) {
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
