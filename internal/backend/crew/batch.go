package crew

import (
	"context"
	"math"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
)

// Batch is a set of blocks of a loop that can run at the same time: those of one color. For loops
// that run in tiles it is the groups of a stage. Each worker has a share of them: consecutive blocks, which are also its
// share in the next call and find their data in its cache. It takes one after another, and then from the shares of
// others. A crew has the same batches in every call, so that a helper that still looks at one from an earlier call finds
// it done, or takes a block like any other.
type Batch struct {
	crew    *Crew
	blocks  []int32
	shares  []share      // by worker
	sharing int          // number of shares of this call; it changes while none has blocks
	done    atomic.Int64 // number of blocks

	waiting  atomic.Bool // the caller sleeps until all are done
	finished chan struct{}

	mu      sync.Mutex
	failure any          // a *backend.Fault, or another panic, of the first block that failed
	faultAt atomic.Int64 // the index of that block
}

// share is the consecutive blocks of a worker.
type share struct {
	left atomic.Int64 // the last ones, which have not been taken
	_    [120]byte    // processors transfer two cache lines at once
}

func NewBatch(c *Crew, blocks []int32) *Batch {
	return &Batch{crew: c, blocks: blocks, shares: make([]share, min(c.Pool.Threads, len(blocks))), finished: make(chan struct{}, 1)}
}

// begin makes the blocks available, in shares for that many workers.
func (b *Batch) begin(workers int) {
	b.failure = nil
	b.faultAt.Store(math.MaxInt64)
	b.done.Store(0)
	b.sharing = workers
	for i := range workers {
		b.shares[i].left.Store(int64(b.end(i) - b.end(i-1)))
	}
}

// end returns the index after the last block of a share.
func (b *Batch) end(share int) int { return (share + 1) * len(b.blocks) / b.sharing }

// take takes a block of a share, and returns its index.
func (b *Batch) take(share int) (at int, ok bool) {
	left := &b.shares[share].left
	for n := left.Load(); n > 0; n = left.Load() {
		if left.CompareAndSwap(n, n-1) {
			return b.end(share) - int(n), true
		}
	}
	return 0, false
}

// finish runs blocks until all are done. It returns the first fault, and how long it had nothing to
// do but wait. A panic that is not a kernel's fault continues here, on the caller's goroutine, once
// no helper works on the batch any more.
func (b *Batch) finish() (*backend.Fault, time.Duration) {
	b.work(0)
	waited := b.wait()
	fault, ok := b.failure.(*backend.Fault)
	if !ok && b.failure != nil {
		panic(b.failure)
	}
	return fault, waited
}

// alone runs all blocks without sharing them, and returns the fault of one, if any.
func (b *Batch) alone() (fault *backend.Fault) {
	defer func() {
		if p := recover(); p != nil {
			var ok bool
			if fault, ok = b.crew.failure(p, 0).(*backend.Fault); !ok {
				panic(p)
			}
		}
	}()
	for _, block := range b.blocks {
		if b.crew.Stop.Raised() {
			break
		}
		b.crew.Do(block, 0)
	}
	return nil
}

// help is work on a goroutine of the pool, which has no labels otherwise.
func (b *Batch) help(number int) {
	if labels := b.crew.Labels; labels != nil {
		pprof.SetGoroutineLabels(labels)
		defer pprof.SetGoroutineLabels(context.Background())
	}
	b.work(number)
}

// work runs blocks as worker number until none are left.
func (b *Batch) work(number int) {
	count := int64(0)
	for i := range b.shares {
		for share := (number + i) % len(b.shares); ; count++ {
			at, ok := b.take(share)
			if !ok {
				break
			}
			b.block(at, number)
		}
	}
	if count > 0 && b.done.Add(count) == int64(len(b.blocks)) && b.waiting.CompareAndSwap(true, false) {
		b.finished <- struct{}{}
	}
}

// block runs the block at an index of the list, as worker number. Once a kernel has panicked, later blocks are only
// counted, and earlier ones run. If the loop is to stop, all are only counted.
func (b *Batch) block(at, number int) {
	defer func() {
		if p := recover(); p != nil {
			b.fail(int64(at), b.crew.failure(p, number))
		}
	}()
	if int64(at) < b.faultAt.Load() && !b.crew.Stop.Raised() {
		b.crew.Do(b.blocks[at], number)
	}
}

// wait waits until all blocks that were taken are done.
func (b *Batch) wait() time.Duration {
	all := func() bool { return b.done.Load() == int64(len(b.blocks)) }
	if all() {
		return 0
	}
	start := time.Now()
	if !b.crew.Pool.await(all) {
		b.waiting.Store(true)
		if !all() || !b.waiting.CompareAndSwap(true, false) {
			<-b.finished
		}
	}
	return time.Since(start)
}

func (b *Batch) fail(at int64, failure any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if at < b.faultAt.Load() {
		b.failure = failure
		b.faultAt.Store(at)
	}
}
