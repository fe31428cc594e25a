package backend

import (
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tiling"
)

// Run is a run of consecutive elements: the first, and the one after the last.
type Run = tiling.Run

// Runs returns the elements of a loop as runs, for loops over ranges: block b has the runs
// [offsets[b], offsets[b+1]), a single one if the loop is over a whole set. Without a plan all
// elements are one block.
func (m *Memory) Runs() (runs []Run, offsets []int32) {
	blocks := []int32{int32(m.First), int32(m.Last)}
	if m.Plan != nil {
		blocks = m.Plan.BlockOffsets
	}
	offsets = make([]int32, 1, len(blocks))
	if m.Subset == nil {
		runs = make([]Run, 0, len(blocks)-1)
	}
	for b, first := range blocks[:len(blocks)-1] {
		last := blocks[b+1]
		if m.Subset == nil {
			runs = append(runs, Run{first, last})
		} else {
			runs = appendRuns(runs, m.Subset[first:last])
		}
		offsets = append(offsets, int32(len(runs)))
	}
	return runs, offsets
}

// WritesAll reports whether a loop overwrites all values of data d, so that the old ones are not needed.
func (m *Memory) WritesAll(l *loop.Loop, d int) bool {
	for _, a := range l.Args {
		if a.Data == d && (a.Kind != loop.Dat || a.Indirect() || !l.Covers(a)) {
			return false
		}
	}
	return m.Subset == nil && m.First == 0 && m.Last == m.SetSize
}

// TileRuns returns the runs of elements of a loop in the tiles of a schedule, in which it is loop l: tile
// t has the runs [offsets[t], offsets[t+1]). Those of a loop over a whole set are the schedule's own.
func (m *Memory) TileRuns(s *tiling.Schedule, l int) (runs []Run, offsets []int32) {
	if m.Subset == nil {
		return s.Runs[l], s.Offsets[l]
	}
	offsets = append(make([]int32, 0, s.Tiles()+1), 0)
	for tile := range s.Tiles() {
		for _, indices := range s.Of(l, tile) {
			runs = appendRuns(runs, m.Subset[indices[0]:indices[1]])
		}
		offsets = append(offsets, int32(len(runs)))
	}
	return runs, offsets
}

func appendRuns(runs []Run, elements []int32) []Run {
	for i, e := range elements {
		if i > 0 && e == elements[i-1]+1 {
			runs[len(runs)-1][1] = e + 1
		} else {
			runs = append(runs, Run{e, e + 1})
		}
	}
	return runs
}
