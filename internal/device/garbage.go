package device

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Garbage collects device buffers whose Go owners have become unreachable. Go's collector reports
// them on its own goroutine; Sweep frees them on the goroutine that the device belongs to. The zero
// Garbage is empty.
type Garbage struct {
	// DropCached, if not nil, drops cached objects that own memory before Alloc looks for garbage.
	DropCached func()

	bin       *bin
	collector Collector // triggered by allocations, since Go's collector does not see device memory, and owners are small
}

// Collector triggers Go's collector after every pace bytes that would not trigger it in time by
// themselves. It takes at most a share of the time.
type Collector struct {
	since int       // bytes since it was last triggered
	rest  time.Time // when it may be triggered again
}

const (
	pace  = 32 << 20
	share = 20 // at most 1/share of the time
)

// Note counts n bytes, and may trigger the collector and then call sweep, which may be nil.
func (c *Collector) Note(n int, sweep func()) {
	c.since += n
	if start := time.Now(); c.since > pace && start.After(c.rest) {
		c.since = n
		runtime.GC()
		if sweep != nil {
			sweep()
		}
		end := time.Now()
		c.rest = end.Add(share * end.Sub(start))
	}
}

// bin is separate from the Garbage, which the collector must not keep alive: through DropCached,
// the Garbage may refer to the owners themselves.
type bin struct {
	some     atomic.Bool
	mu       sync.Mutex
	releases []func(Device)
}

// Sweep frees the buffers that have been collected so far.
func (g *Garbage) Sweep(d Device) {
	if g.bin == nil || !g.bin.some.Load() {
		return
	}
	for _, release := range g.bin.empty() {
		release(d)
	}
}

// Alloc allocates on the device. It triggers Go's collector from time to time, and when there is
// too little memory.
func (g *Garbage) Alloc(d Device, n int) (Buffer, error) {
	g.collector.Note(n, func() { g.Sweep(d) })
	b, err := d.Alloc(n)
	if !full(err) {
		return b, err
	}
	if g.DropCached != nil {
		g.DropCached()
	}
	runtime.GC()
	const patience = 20 // milliseconds to wait for the collector's goroutine
	for range patience {
		g.Sweep(d)
		if b, err = d.Alloc(n); !full(err) {
			return b, err
		}
		time.Sleep(time.Millisecond)
	}
	return b, err
}

func full(err error) bool {
	var memory *OutOfMemoryError
	return errors.As(err, &memory)
}

func (b *bin) add(release func(Device)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.releases = append(b.releases, release)
	b.some.Store(true)
}

func (b *bin) addHeld(h *held) {
	if h.buffer != 0 {
		b.add(func(d Device) { d.Free(h.buffer) })
	}
}

func (b *bin) empty() []func(Device) {
	b.mu.Lock()
	defer b.mu.Unlock()
	releases := b.releases
	b.releases = nil
	b.some.Store(false)
	return releases
}

// held is a mirror's memory on its device, which outlives the mirror.
type held struct{ buffer Buffer }

// LeaveTo passes the mirror's device memory to the garbage once the mirror has become unreachable.
func (m *Mirror) LeaveTo(g *Garbage) {
	m.garbage = g
	runtime.AddCleanup(m, g.open().addHeld, m.held)
}

// LeaveTo passes buffers to the garbage once their owner has become unreachable.
func LeaveTo[T any](g *Garbage, owner *T, buffers []Buffer) {
	if len(buffers) > 0 {
		Leave(g, owner, func(d Device) {
			for _, b := range buffers {
				d.Free(b)
			}
		})
	}
}

// Leave makes Sweep call release once its owner has become unreachable. Release must not refer to
// the owner.
func Leave[T any](g *Garbage, owner *T, release func(Device)) {
	runtime.AddCleanup(owner, g.open().add, release)
}

func (g *Garbage) open() *bin {
	if g.bin == nil {
		g.bin = &bin{}
	}
	return g.bin
}
