package host

import (
	"sync"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
)

// tileCrew goes from tile to tile as tiles.c does, without a compiler: the caller does, and goroutines if there are
// several threads. It fetches nothing ahead.
type tileCrew struct {
	*tiles
	loops   []loopOfC
	groups  []groupOfC
	workers []tileWorker

	mu    sync.Mutex
	stage int32 // of the last fault; -1: none
}

// tileWorker holds the arguments that one worker passes to the loops' code.
type tileWorker struct {
	args   []unsafe.Pointer
	count  int64
	record record
}

// newTileCrew returns the crew for tiles that have been filled.
func newTileCrew(t *tiles) *tileCrew {
	c := &tileCrew{tiles: t, loops: unsafe.Slice(t.c.loops, t.c.loopCount), groups: unsafe.Slice(t.c.groups, t.c.groupCount)}
	c.workers = make([]tileWorker, t.threads)
	for i := range c.workers {
		w := &c.workers[i]
		w.args = append([]unsafe.Pointer(nil), unsafe.Slice(t.c.args, t.c.argCount)...)
		for _, l := range c.loops {
			w.args[l.args+l.count] = unsafe.Pointer(&w.count)
			if l.fault >= 0 {
				w.args[l.args+l.fault] = unsafe.Pointer(&w.record)
			}
		}
	}
	return c
}

// runGroups runs all groups.
func (c *tileCrew) runGroups() {
	c.stage = -1
	if c.shared == nil {
		for g := range c.groups {
			c.group(int32(g), 0)
		}
		return
	}
	c.shared.crew.Do = c.group
	c.shared.crew.Run(c.shared.turns, &c.shared.pace) // the caller looks for the reason to stop
}

// group runs a group as worker number. The groups of a stage all run even if one fails, so that it does not
// depend on threads which fault is kept.
func (c *tileCrew) group(g int32, number int) {
	group, w := c.groups[g], &c.workers[number]
	if c.endedBefore(group.stage) {
		return
	}
	var times []int64
	if c.c.times != nil {
		times = c.tiles.times[int(g)*len(c.loops):][:len(c.loops)]
	}
	start := time.Since(epoch)
	for tile := group.first; tile < group.last && !c.stop.Raised(); tile++ {
		for i := range c.loops {
			l := &c.loops[i]
			own := w.args[l.args:]
			for _, x := range c.tiles.loops[i].results {
				own[x.slot] = x.of(int(tile))
			}
			offsets := unsafe.Slice(l.offsets, int(tile)+2)
			if w.count = int64(offsets[tile+1] - offsets[tile]); w.count == 0 {
				continue
			}
			own[l.run] = unsafe.Add(unsafe.Pointer(l.runs), int(offsets[tile])*int(unsafe.Sizeof(backend.Run{})))
			c.tiles.loops[i].code.call(unsafe.Pointer(&own[0]))
			if w.record[0] != 0 {
				c.keepFault(i, group.stage, w)
				return
			}
			if times != nil {
				now := time.Since(epoch)
				times[i] += int64(now - start)
				start = now
			}
		}
	}
}

// endedBefore reports whether a group of an earlier stage has failed.
func (c *tileCrew) endedBefore(stage int32) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stage >= 0 && c.stage < stage
}

// keepFault keeps a worker's fault, unless one is known of an earlier loop, or of an earlier element of the loop.
func (c *tileCrew) keepFault(loop int, stage int32, w *tileWorker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stage < 0 || int64(loop) < c.c.failed || int64(loop) == c.c.failed && int32(w.record[5]) < int32(c.c.record[5]) {
		c.c.record, c.c.failed = w.record, int64(loop)
	}
	c.stage, w.record = stage, record{}
}
