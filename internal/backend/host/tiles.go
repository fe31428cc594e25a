package host

import (
	_ "embed"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/translated"
)

// tilesSource is the C that goes from tile to tile.
//
//go:embed csrc/tiles.c
var tilesSource string

// tiles are loops that run tile by tile.
type tiles struct {
	engine   *engine
	schedule *tiling.Schedule
	loops    []*tileLoop
	driver   *library  // nil: crew
	crew     *tileCrew // nil: driver
	ready    bool
	shared   *shared // nil: no threads
	stop     *stop.Flag
	calls    int
	times    []int64 // nanoseconds by group and loop, in the calls that were measured
	c        tilesOfC
	threads  int
}

// tileLoop is one of the loops.
type tileLoop struct {
	*runner
	code    *library // for tiles
	reduce  bool
	results []tileResult
}

// tileResult is the partial result of a reduction in each tile.
type tileResult struct {
	*result
	slot     int // of the code
	partials unsafe.Pointer
	stride   int
}

func (x *tileResult) of(tile int) unsafe.Pointer { return unsafe.Add(x.partials, tile*x.stride) }

// The following are the structs of tiles.c.

type loopOfC struct {
	wrap                    uintptr
	runs                    *backend.Run
	offsets                 *int32
	args                    int64
	run, count, fault, next int64
	pack                    int64
	reductions              int64
}

type reductionOfC struct {
	arg      int64
	partials unsafe.Pointer
	stride   int64
}

type arrayOfC struct {
	start   unsafe.Pointer
	row     int64
	fresh   *backend.Run
	offsets *int32
}

type groupOfC struct{ first, last, stage int32 }

type tilesOfC struct {
	job                                         unsafe.Pointer
	groups                                      *groupOfC
	loops                                       *loopOfC
	reductions                                  *reductionOfC
	arrays                                      *arrayOfC
	args                                        *unsafe.Pointer
	groupCount, loopCount, arrayCount, argCount int64
	spans                                       int64
	stop                                        unsafe.Pointer
	times                                       *int64
	record                                      record
	failed                                      int64
	failedStage                                 int32
	lock                                        int8
}

// mostSpans limits the spans of memory that are fetched while a tile runs.
const mostSpans = 1024

// PrepareTiles starts to compile the loops for tiles.
func (e *engine) PrepareTiles(loops []backend.TileLoop, s *tiling.Schedule) (backend.Tiles, error) {
	t := &tiles{engine: e, schedule: s, stop: e.stop}
	if !e.ownTiles() {
		var err error
		if t.driver, err = e.code(&e.own, &codegen.Program{Name: "tiles", Symbol: "op2_tiles", Text: tilesSource}, e.flags); err != nil {
			return nil, err
		}
	}
	var arrays []arrayOfC
	if t.driver != nil {
		arrays = t.fresh(loops)
	}
	most := 0
	for _, l := range loops {
		most = max(most, arithmetic(l))
	}
	for _, l := range loops {
		r := l.Runner.(*runner)
		if r.parts == nil {
			r.parts = r.newParts()
		}
		program := host.Sequential(e.input(r.spec))
		if len(arrays) > 0 && 4*arithmetic(l) > 3*most {
			program = host.Ahead(e.input(r.spec))
		}
		code, err := e.codeOf(program, r.spec)
		if err != nil {
			return nil, err
		}
		t.loops = append(t.loops, &tileLoop{runner: r, reduce: l.Reduce, code: code})
	}
	t.share()
	t.fill(arrays)
	if t.driver == nil {
		t.crew = newTileCrew(t)
	}
	return t, nil
}

// ownTiles reports whether tiles need no driver in C: with goroutines, or where code may have been translated.
func (e *engine) ownTiles() bool { return e.pool != nil || e.linked && len(translated.Packages()) > 0 }

func arithmetic(l backend.TileLoop) int {
	r := l.Runner.(*runner)
	return facts.Arithmetic(r.spec.Kernel) * (r.memory.Last - r.memory.First)
}

// fresh returns the arrays that the loops use, if they do not stay in a cache anyway.
func (t *tiles) fresh(loops []backend.TileLoop) []arrayOfC {
	var arrays []arrayOfC
	total := 0
	add := func(start unsafe.Pointer, row, set, elements int) {
		if set < 0 || slices.ContainsFunc(arrays, func(a arrayOfC) bool { return a.start == start }) {
			return
		}
		arrays = append(arrays, arrayOfC{start, int64(row), unsafe.SliceData(t.schedule.Fresh[set]), unsafe.SliceData(t.schedule.FreshOffsets[set])})
		total += row * elements
	}
	for _, l := range loops {
		r := l.Runner.(*runner)
		for d, set := range l.Sets {
			data := r.spec.Loop.Data[d]
			add(r.memory.Data[d], data.Dim*data.Type.Size(), set, r.memory.Elements[d])
		}
		for m, set := range l.MapSets {
			add(r.memory.Maps[m], 4*r.spec.Loop.Maps[m].Arity, set, r.memory.SetSize)
		}
	}
	if total <= t.engine.cached {
		return nil
	}
	return arrays
}

// share makes the groups of each stage a color of the work of the threads.
func (t *tiles) share() {
	var groups []groupOfC
	stages, largest := []int32{0}, 0
	for stage, list := range t.schedule.Stages {
		for _, g := range list {
			groups = append(groups, groupOfC{int32(g.First), int32(g.Last), int32(stage)})
		}
		stages = append(stages, int32(len(groups)))
		largest = max(largest, len(list))
	}
	t.c.groups, t.c.groupCount = unsafe.SliceData(groups), int64(len(groups))
	t.threads = 1
	if t.engine.threads > 0 {
		t.threads = t.engine.threadsFor(largest, 0)
		t.shared = t.engine.share(stages, t.threads, "", nil)
		t.c.job = unsafe.Pointer(&t.shared.job)
	}
	t.c.stop = t.stop.Word()
}

// fill lists for C all that is known without the loops' code.
func (t *tiles) fill(arrays []arrayOfC) {
	var loops []loopOfC
	var reductions []reductionOfC
	var args []unsafe.Pointer
	for i, l := range t.loops {
		runs, offsets := l.memory.TileRuns(t.schedule, i)
		c := loopOfC{runs: unsafe.SliceData(runs), offsets: unsafe.SliceData(offsets), args: int64(len(args)), fault: -1, next: -1}
		for at, slot := range l.code.program.Slots {
			switch slot.What {
			case codegen.SlotRuns:
				c.run = int64(at)
			case codegen.SlotCount:
				c.count = int64(at)
			case codegen.SlotFault:
				c.fault = int64(at)
			case codegen.SlotAhead:
				c.next = int64(at)
			}
			args = append(args, l.addressOf(slot))
		}
		l.newResults(t.schedule.Tiles())
		for _, x := range l.results {
			reductions = append(reductions, reductionOfC{int64(x.slot), x.partials, int64(x.stride)})
		}
		c.reductions = int64(len(reductions))
		loops = append(loops, c)
	}
	t.c.loops, t.c.loopCount = unsafe.SliceData(loops), int64(len(loops))
	t.c.reductions = unsafe.SliceData(reductions)
	t.c.arrays, t.c.arrayCount, t.c.spans = unsafe.SliceData(arrays), int64(len(arrays)), mostSpans
	t.c.args, t.c.argCount = unsafe.SliceData(args), int64(len(args))
	t.times = make([]int64, len(loops)*int(t.c.groupCount))
}

// addressOf returns the address for a slot of the loop's code, if it is the same in all tiles; otherwise nil.
func (l *tileLoop) addressOf(slot codegen.Slot) unsafe.Pointer {
	switch slot.What {
	case codegen.SlotData:
		return l.memory.Data[slot.N]
	case codegen.SlotMap:
		return l.memory.Maps[slot.N]
	case codegen.SlotConst:
		return l.parts.consts.At(slot.N)
	}
	return nil
}

// newResults makes room for the results of reductions.
func (l *tileLoop) newResults(tiles int) {
	for i := range l.parts.results {
		x := tileResult{result: &l.parts.results[i]}
		x.stride = (x.Bytes() + 63) &^ 63 // no two threads write to one line
		x.partials = partials(x.stride, tiles)
		x.slot = slices.Index(l.code.program.Slots, l.library.program.Slots[x.arg])
		l.results = append(l.results, x)
	}
}

// Waits reports whether Ready would wait.
func (t *tiles) Waits() bool {
	return !t.ready && slices.ContainsFunc(t.loops, func(l *tileLoop) bool { return l.code.waits() })
}

// Ready waits for the compiler.
func (t *tiles) Ready() error {
	if t.ready {
		return nil
	}
	loops := unsafe.Slice(t.c.loops, len(t.loops))
	for i, l := range t.loops {
		if err := l.code.ready(); err != nil {
			return err
		}
		loops[i].wrap, loops[i].pack = l.code.wrap, int64(l.code.lanes) // there is no wrap without driver
		if l.code.lanes == 1 {
			loops[i].pack = host.ElementsForFetch
		}
	}
	if err := t.shared.ready(); err != nil {
		return err
	}
	if t.driver != nil {
		if err := t.driver.ready(); err != nil {
			return err
		}
	}
	t.ready = true
	return nil
}

// RunTiles runs the loops.
func (t *tiles) RunTiles() error {
	if err := t.stop.Err(); err != nil {
		return err
	}
	tiles := t.schedule.Tiles()
	for _, l := range t.loops {
		for i := range l.results {
			x := &l.results[i]
			for tile := range tiles {
				x.Begin(x.of(tile), x.global)
			}
		}
	}
	t.c.times = nil
	if t.calls++; t.calls%callsForTimes == 2 && len(t.times) > 0 {
		t.c.times = &t.times[0]
	}
	if t.crew != nil {
		t.crew.runGroups()
	} else {
		t.shared.run(t.driver, unsafe.Pointer(&t.c))
		runtime.KeepAlive(t)
	}
	if t.c.record[0] != 0 {
		l := t.loops[t.c.failed]
		l.fault, t.c.record = t.c.record, record{}
		fault := l.takeFault()
		fault.Loop = int(t.c.failed)
		return fault
	}
	if err := t.stop.Err(); err != nil { // which may have skipped tiles
		return err
	}
	for _, l := range t.loops {
		for i := range l.results {
			x := &l.results[i]
			for tile := 0; tile < tiles && l.reduce; tile++ {
				x.Combine(x.total, x.of(tile))
			}
		}
		l.parts.combined = true
	}
	return nil
}

// One call in callsForTimes measures the times of the loops.
const callsForTimes = 16

// Shares returns the fraction of the time that each loop takes.
func (t *tiles) Shares() []float64 {
	if t.c.times == nil {
		return nil
	}
	shares, total := make([]float64, len(t.loops)), 0.0
	for i, time := range t.times {
		shares[i%len(shares)] += float64(time)
		total += float64(time)
	}
	if total == 0 {
		return nil
	}
	for l := range shares {
		shares[l] /= total
	}
	return shares
}

// How says how many tiles there are.
func (t *tiles) How() string {
	how := fmt.Sprintf("%d tiles", t.schedule.Tiles())
	if t.shared != nil {
		how += fmt.Sprintf(", %d groups", t.c.groupCount)
	}
	if t.threads > 1 {
		how += fmt.Sprintf(", %d threads", t.threads)
	}
	return how
}
