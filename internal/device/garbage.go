package device

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Garbage are buffers of mirrors that nobody has any more. Go's collector finds those on
// a goroutine of its own; Sweep gives them back on the one that the device belongs to.
// The zero Garbage is empty.
type Garbage struct {
	// LetGo, if it is not nil, lets go of what is kept for speed alone, before Collect looks.
	LetGo func()

	bin *bin
}

// bin is apart from the Garbage, of which the collector must not have hold: by way of LetGo
// that may lead to the mirrors themselves.
type bin struct {
	some    atomic.Bool
	mu      sync.Mutex
	buffers []Buffer
}

// Sweep frees what there is.
func (g *Garbage) Sweep(d Device) {
	if g.bin == nil || !g.bin.some.Load() {
		return
	}
	for _, b := range g.bin.empty() {
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
	for i := 0; i < patience && !g.bin.some.Load(); i++ {
		time.Sleep(time.Millisecond)
	}
	g.Sweep(d)
}

func (b *bin) add(buffers []Buffer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buffers = append(b.buffers, buffers...)
	b.some.Store(true)
}

func (b *bin) addHeld(h *held) {
	if h.buffer != 0 {
		b.add([]Buffer{h.buffer})
	}
}

func (b *bin) empty() []Buffer {
	b.mu.Lock()
	defer b.mu.Unlock()
	buffers := b.buffers
	b.buffers = nil
	b.some.Store(false)
	return buffers
}

// held is the memory that a mirror has on its device, which outlives it.
type held struct{ buffer Buffer }

// LeaveTo has the mirror's memory on the device go to the garbage once nobody has the
// mirror any more.
func (m *Mirror) LeaveTo(g *Garbage) {
	m.garbage = g
	runtime.AddCleanup(m, g.open().addHeld, m.held)
}

// LeaveTo has buffers go to the garbage once nobody has their owner any more.
func LeaveTo[T any](g *Garbage, owner *T, buffers []Buffer) {
	if len(buffers) > 0 {
		runtime.AddCleanup(owner, g.open().add, buffers)
	}
}

func (g *Garbage) open() *bin {
	if g.bin == nil {
		g.bin = &bin{}
	}
	return g.bin
}
