package gofunc

import (
	"runtime"
	"sync/atomic"
	"time"
)

// patience is how long a goroutine of the pool looks for something to do, or for others
// to be done, before it sleeps: longer than the next color, and mostly the next loop,
// lets wait for itself, and short beside the turn of another program on the same core.
const patience = 50 * time.Microsecond

// pool is the goroutines that help the caller of a loop. They start when first
// needed and live until the backend is closed.
//
// The caller waits for none of them to begin: it takes blocks like they do, and when
// there are none left it waits for those that others have taken and not done.
type pool struct {
	threads int
	helpers []helper
	open    atomic.Pointer[batch] // whose blocks can be taken; nil between loops
	closed  atomic.Bool
}

// helper is one of the goroutines. It is number 1 or a higher one in all batches; the
// caller is 0.
type helper struct {
	asleep atomic.Bool
	wake   chan struct{} // of one: whoever ends the sleep sends
}

func newPool(threads int) *pool { return &pool{threads: max(1, threads)} }

// share lets helpers take blocks of b.
func (p *pool) share(b *batch, helpers int) {
	if p.helpers == nil {
		p.helpers = make([]helper, p.threads-1)
		for i := range p.helpers {
			p.helpers[i].wake = make(chan struct{}, 1)
			go p.help(i + 1)
		}
	}
	p.open.Store(b)
	for i := range p.helpers[:helpers] {
		p.helpers[i].rouse()
	}
}

// rouse ends the sleep of h, if it sleeps.
func (h *helper) rouse() {
	if h.asleep.CompareAndSwap(true, false) {
		h.wake <- struct{}{}
	}
}

// help runs blocks of the open batch as helper number, until the pool is closed.
func (p *pool) help(number int) {
	h := &p.helpers[number-1]
	busy := func() bool {
		b := p.open.Load()
		return p.closed.Load() || b != nil && b.wants(number)
	}
	for !p.closed.Load() {
		if b := p.open.Load(); b != nil && b.wants(number) {
			b.work(number)
		}
		if await(busy) {
			continue
		}
		h.asleep.Store(true)
		if busy() && h.asleep.CompareAndSwap(true, false) {
			continue
		}
		<-h.wake
	}
}

// await reports whether the condition comes true before its patience ends.
func await(condition func() bool) bool {
	for start := time.Now(); ; runtime.Gosched() {
		for range 16 {
			if condition() {
				return true
			}
		}
		if time.Since(start) > patience {
			return false
		}
	}
}

func (p *pool) close() {
	p.closed.Store(true)
	for i := range p.helpers {
		p.helpers[i].rouse()
	}
}
