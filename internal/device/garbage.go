package device

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Garbage are buffers of mirrors that nobody has any more. Go's collector finds those on
// a goroutine of its own; Sweep gives them back on the one that the device belongs to.
type Garbage struct {
	// LetGo, if it is not nil, lets go of what is kept for speed alone, before Collect looks.
	LetGo func()

	some    atomic.Bool
	mu      sync.Mutex
	buffers []Buffer
}

// Sweep frees what there is.
func (g *Garbage) Sweep(d Device) {
	if !g.some.Load() {
		return
	}
	g.mu.Lock()
	buffers := g.buffers
	g.buffers = nil
	g.some.Store(false)
	g.mu.Unlock()
	for _, b := range buffers {
		d.Free(b)
	}
}

// Collect looks for garbage, which Go's collector otherwise does when the host's memory
// fills, and frees it.
func (g *Garbage) Collect(d Device) {
	const patience = 20 // milliseconds for the collector's goroutine
	if g.LetGo != nil {
		g.LetGo()
	}
	runtime.GC()
	for i := 0; i < patience && !g.some.Load(); i++ {
		time.Sleep(time.Millisecond)
	}
	g.Sweep(d)
}

func (g *Garbage) add(b Buffer) {
	if b == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.buffers = append(g.buffers, b)
	g.some.Store(true)
}

// held is the memory that a mirror has on its device, which outlives it.
type held struct{ buffer Buffer }

// LeaveTo has the mirror's memory on the device go to the garbage once nobody has the
// mirror any more.
func (m *Mirror) LeaveTo(g *Garbage) {
	m.garbage = g
	runtime.AddCleanup(m, func(h *held) { g.add(h.buffer) }, m.held)
}
