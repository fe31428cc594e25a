package gofunc

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/tiling"
)

// tiles are loops that run tile by tile: goroutines take the groups of a stage, and run the tiles of
// a group one after another, of each tile loop after loop.
type tiles struct {
	crew   crew.Crew
	pace   pace.Pace
	loops  []tiled
	groups []tiling.Group // of all stages
	stages []*crew.Batch  // of groups
	count  int            // of tiles
	common []common

	first, last int   // the loops that run now: those of a stretch
	at          []int // by goroutine: the loop that it runs
}

// tiled is a loop of a chain.
type tiled struct {
	*runner
	reduce   bool
	runs     []backend.Run
	from     []int32 // tile t has the runs [from[t], from[t+1])
	partials P       // by tile
}

// common is a const that two loops read.
type common struct{ loop, number, later, laterNumber int }

// PrepareTiles shares the groups of each stage between goroutines.
func (e *engine) PrepareTiles(loops []backend.TileLoop, s *tiling.Schedule) (backend.Tiles, error) {
	if len(loops) != len(s.Runs) {
		return nil, fmt.Errorf("%d loops, but a schedule for %d", len(loops), len(s.Runs))
	}
	t := &tiles{count: s.Tiles()}
	t.crew = crew.Crew{Pool: e.pool, Stop: e.stop, Do: t.doGroup, Failure: failures(t.locateLoop)}
	most := 0
	for _, groups := range s.Stages {
		numbers := make([]int32, len(groups))
		for i := range groups {
			numbers[i] = int32(len(t.groups) + i)
		}
		t.groups = append(t.groups, groups...)
		t.stages = append(t.stages, crew.NewBatch(&t.crew, numbers))
		most = max(most, len(groups))
	}
	t.pace = pace.New(max(1, min(e.pool.Threads, most)))
	t.at = make([]int, t.pace.Most())
	for l, loop := range loops {
		r, ok := loop.Runner.(*runner)
		if !ok || slices.ContainsFunc(t.loops, func(other tiled) bool { return other.runner == r }) {
			return nil, fmt.Errorf("loop %d was not prepared by the backend go, or is there twice", l)
		}
		t.addLoop(r, loop.Reduce, s)
	}
	return t, nil
}

// addLoop adds a loop, which gets memory for as many goroutines as the tiles run on.
func (t *tiles) addLoop(r *runner, reduce bool, s *tiling.Schedule) {
	own := tiled{runner: r, reduce: reduce, partials: newLines(r.partialSize * uintptr(t.count))}
	own.runs, own.from = r.memory.TileRuns(s, len(t.loops))
	r.staff(t.pace.Most())
	for earlier := range t.loops {
		for n, variable := range t.loops[earlier].memory.Consts {
			if same := slices.Index(r.memory.Consts, variable); same >= 0 {
				t.common = append(t.common, common{earlier, n, len(t.loops), same})
			}
		}
	}
	t.loops = append(t.loops, own)
}

// Ready returns at once: nothing is compiled.
func (t *tiles) Ready() error { return nil }

// How describes how the tiles run.
func (t *tiles) How() string {
	how := fmt.Sprintf("%d tiles, %d groups", t.count, len(t.groups))
	if n := len(t.at); n > 1 {
		how += fmt.Sprintf(", %d goroutines", n)
	}
	return how
}

// RunTiles runs all loops. Kernels read variables, which have the values of the calls' consts
// meanwhile; where two loops have different ones, the tiles of the first end before those of the
// second begin. That changes no order within a loop, and so no bit.
func (t *tiles) RunTiles() error {
	if err := t.crew.Stop.Err(); err != nil {
		return err
	}
	err := t.crew.Paced(&t.pace, func(team int) (waited time.Duration, batches int, err error) {
		for t.last = 0; t.last < len(t.loops) && err == nil; batches += len(t.stages) {
			var idle time.Duration
			idle, err = t.stretch(team)
			waited += idle
		}
		return waited, batches, err
	})
	if err != nil {
		return err
	}
	for i := range t.loops {
		if l := &t.loops[i]; l.reduce {
			l.parts.tiles = l
		}
	}
	return nil
}

// stretch runs the tiles of the loops from t.last on whose consts agree.
func (t *tiles) stretch(team int) (time.Duration, error) {
	t.first, t.last = t.last, len(t.loops)
	for _, c := range t.common {
		if c.loop >= t.first && c.later < t.last && !t.loops[c.loop].parts.consts.Same(c.number, t.loops[c.later].parts.consts, c.laterNumber) {
			t.last = c.later
		}
	}
	running := t.loops[t.first:t.last]
	for i := range running {
		running[i].parts.consts.Swap()
	}
	defer func() {
		for i := range slices.Backward(running) { // the first one has the variables' own values
			running[i].parts.consts.Swap()
		}
	}()
	return t.crew.RunOn(t.stages, team)
}

// doGroup runs the tiles of a group as worker number.
func (t *tiles) doGroup(group int32, number int) {
	g := t.groups[group]
	for tile := g.First; tile < g.Last && !t.crew.Stop.Raised(); tile++ {
		for l := t.first; l < t.last; l++ {
			t.at[number] = l
			t.loops[l].tile(tile, number)
		}
	}
}

// tile runs the elements of a tile as worker number.
func (l *tiled) tile(tile, number int) {
	runs := l.runs[l.from[tile]:l.from[tile+1]]
	if len(runs) > 0 || len(l.reduced) > 0 {
		l.over(runs, add(l.partials, uintptr(tile)*l.partialSize), number)
	}
}

// locateLoop records the loop and the element that a worker is at.
func (t *tiles) locateLoop(f *backend.Fault, number int) {
	f.Loop = t.at[number]
	t.loops[f.Loop].locateElement(f, number)
}
