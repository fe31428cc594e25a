package crew

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/tune"
)

// pool holds the goroutines that help the caller of a loop. They start when first needed and live
// until the backend is closed.
//
// The caller does not wait for them to start: it takes blocks as they do, and when none are left it
// waits only for those that others have taken and not finished.
type Pool struct {
	Threads  int
	patience time.Duration // how long to look for work, or for others to finish, before sleeping
	helpers  []helper
	open     atomic.Pointer[Batch] // whose blocks are available; nil between loops
	epoch    atomic.Int64          // number of batches that were opened
	closed   atomic.Bool
}

// helper is one of the goroutines. Its number is 1 or higher in all batches; the caller is 0.
type helper struct {
	asleep atomic.Bool
	wake   chan struct{} // of capacity one: the goroutine that ends the sleep sends
}

func NewPool(Threads int) *Pool {
	return &Pool{Threads: max(1, Threads), patience: tune.DefaultMachine().Threads.MostSpin}
}

// share makes the blocks of b available to helpers.
func (p *Pool) share(b *Batch, helpers int) {
	if p.helpers == nil {
		p.helpers = make([]helper, p.Threads-1)
		for i := range p.helpers {
			p.helpers[i].wake = make(chan struct{}, 1)
			go p.help(i + 1)
		}
	}
	p.open.Store(b)
	p.epoch.Add(1)
	for i := range p.helpers[:helpers] {
		p.helpers[i].wakeUp()
	}
}

func (h *helper) wakeUp() {
	if h.asleep.CompareAndSwap(true, false) {
		h.wake <- struct{}{}
	}
}

// help runs blocks of the open batch as helper number, until the pool is closed.
func (p *Pool) help(number int) {
	h, seen := &p.helpers[number-1], int64(0)
	busy := func() bool { return p.epoch.Load() != seen || p.closed.Load() }
	for !p.closed.Load() {
		seen = p.epoch.Load()
		if b := p.open.Load(); b != nil && number < int(b.crew.team.Load()) {
			b.help(number)
		}
		if p.await(busy) {
			continue
		}
		h.asleep.Store(true)
		if busy() && h.asleep.CompareAndSwap(true, false) {
			continue
		}
		<-h.wake
	}
}

// await reports whether the condition becomes true before patience runs out.
func (p *Pool) await(condition func() bool) bool {
	for start := time.Now(); ; runtime.Gosched() {
		for range 16 {
			if condition() {
				return true
			}
		}
		if time.Since(start) > p.patience {
			return false
		}
	}
}

func (p *Pool) Close() {
	p.closed.Store(true)
	for i := range p.helpers {
		p.helpers[i].wakeUp()
	}
}
