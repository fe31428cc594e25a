package device

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Garbage is what owners that nobody has any more had on a device. Go's collector finds
// those on a goroutine of its own; Sweep gives it back on the one that the device belongs
// to. The zero Garbage is empty.
type Garbage struct {
	// DropCached, if it is not nil, lets go of what is kept for speed alone, before Alloc looks.
	DropCached func()

	bin   *bin
	since int       // bytes allocated since the collector was last asked to run
	rest  time.Time // until when it is not asked again
}

// The collector knows nothing of the device's memory, and owners are small: left to itself,
// it would come when the device is full. So it runs after every pace bytes of allocations,
// but for at most a share of the time, however much a program declares in a row.
const (
	pace  = 32 << 20
	share = 20 // one in so many
)

// bin is apart from the Garbage, of which the collector must not have hold: by way of DropCached
// that may lead to the owners themselves.
type bin struct {
	some     atomic.Bool
	mu       sync.Mutex
	releases []func(Device)
}

// Sweep gives back what there is.
func (g *Garbage) Sweep(d Device) {
	if g.bin == nil || !g.bin.some.Load() {
		return
	}
	for _, release := range g.bin.empty() {
		release(d)
	}
}

// Alloc allocates on the device. It has Go's collector look for garbage now and then, and
// where there is too little memory.
func (g *Garbage) Alloc(d Device, n int) (Buffer, error) {
	g.since += n
	if start := time.Now(); g.since > pace && start.After(g.rest) {
		g.since = n
		runtime.GC()
		g.Sweep(d)
		end := time.Now()
		g.rest = end.Add(share * end.Sub(start))
	}
	b, err := d.Alloc(n)
	if !full(err) {
		return b, err
	}
	if g.DropCached != nil {
		g.DropCached()
	}
	runtime.GC()
	const patience = 20 // milliseconds for the collector's goroutine
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
		Leave(g, owner, func(d Device) {
			for _, b := range buffers {
				d.Free(b)
			}
		})
	}
}

// Leave has Sweep release something once nobody has its owner any more. Release must have
// no hold of the owner.
func Leave[T any](g *Garbage, owner *T, release func(Device)) {
	runtime.AddCleanup(owner, g.open().add, release)
}

func (g *Garbage) open() *bin {
	if g.bin == nil {
		g.bin = &bin{}
	}
	return g.bin
}
