package mpi

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A progress calls MPI while the program computes. Libraries of MPI move messages only while they
// are called, and the core of a loop is one call of C: long messages, which need both sides several
// times, and the steps of a reduction would go on only after it. It looks at the requests that are
// under way, and leaves them to the rank's own goroutine to end.
type progress struct {
	comm     *Comm
	threads  bool        // several may call MPI
	mu       sync.Mutex  // of Comm.active and of looking
	looking  bool        // a goroutine looks: it ends under the lock, so that none is counted on that has seen enough
	attended atomic.Bool // the rank waits, and calls MPI itself
	ends     atomic.Bool
	running  sync.WaitGroup
}

const (
	brief = 100 * time.Microsecond // computing, after which the rank calls MPI itself
	long  = time.Millisecond       // computing, during which a goroutine looks
	every = 200 * time.Microsecond // between looks: an interrupt takes some of virtual machines 40 µs
)

// Computes makes messages and reductions that are under way go on, also while the program computes.
func (c *Comm) Computes(about time.Duration) {
	if about < brief || len(c.active) == 0 {
		return
	}
	p := c.progress
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.look() || about < long || !p.threads || p.looking {
		return
	}
	p.looking = true
	addProcessor()
	p.running.Go(p.run)
}

// run looks from time to time, until nothing is under way, or the rank waits for it.
func (p *progress) run() {
	for {
		nap(every)
		p.mu.Lock()
		p.looking = !p.ends.Load() && !p.attended.Load() && p.look()
		goes := p.looking
		p.mu.Unlock()
		if !goes {
			return
		}
	}
}

// end ends it.
func (p *progress) end() {
	p.ends.Store(true)
	p.running.Wait()
}

// under says that the requests of an operation are under way, while the program computes.
func (p *progress) under(o *operation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o.background = true
}

// look calls MPI for requests under way, and reports whether there are any. The caller holds the lock.
func (p *progress) look() bool {
	for _, o := range p.comm.active {
		for ; o.background && o.landed < o.requests.n; o.landed++ {
			if !p.comm.library.ended(o.requests, o.landed) {
				return true
			}
		}
	}
	return false
}

// addProcessor adds a processor of Go to those of the process, once. The goroutine that looks needs
// one of its own: a rank that is bound to a core would otherwise have a single one, with which the
// other goroutine computes.
var addProcessor = sync.OnceFunc(func() {
	runtime.GOMAXPROCS(Processors() + 1)
	processorAdded.Store(true)
})

var processorAdded atomic.Bool

// Processors returns the number of processors of Go for work: GOMAXPROCS, but for the one that is
// added for messages.
func Processors() int {
	n := runtime.GOMAXPROCS(0)
	if processorAdded.Load() {
		n = max(1, n-1)
	}
	return n
}
