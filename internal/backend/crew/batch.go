package crew

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
)

// batch is a set of blocks of a loop that can run at the same time: those of one color. For loops
// that run in tiles it is the groups of a stage. Workers take one block after another. A crew has the
// same batches in every call, so that a helper that still looks at one from an earlier call finds it
// done, or takes a block like any other.
type Batch struct {
	crew   *Crew
	blocks []int32
	next   atomic.Int64 // the next block to take
	done   atomic.Int64 // number of blocks

	waiting  atomic.Bool // the caller sleeps until all are done
	finished chan struct{}

	mu      sync.Mutex
	failure any          // a *backend.Fault, or another panic, of the first block that failed
	faultAt atomic.Int64 // the index of that block
}

func NewBatch(c *Crew, blocks []int32) *Batch {
	b := &Batch{crew: c, blocks: blocks, finished: make(chan struct{}, 1)}
	b.next.Store(int64(len(blocks)))
	return b
}

// begin makes the blocks available.
func (b *Batch) begin() {
	b.failure = nil
	b.faultAt.Store(math.MaxInt64)
	b.done.Store(0)
	b.next.Store(0)
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

// wants reports whether there are blocks to take, and whether worker number may take them.
func (b *Batch) wants(number int) bool {
	return b.next.Load() < int64(len(b.blocks)) && number < int(b.crew.team.Load())
}

// work runs blocks as worker number until none are left.
func (b *Batch) work(number int) {
	for b.next.Load() < int64(len(b.blocks)) {
		if at := b.next.Add(1) - 1; at < int64(len(b.blocks)) {
			b.block(at, number)
		}
	}
}

// block runs the block at an index of the list, as worker number. Once a kernel has panicked, later blocks are only
// counted; earlier ones have been taken already. If the loop is to stop, all are only counted.
func (b *Batch) block(at int64, number int) {
	defer func() {
		if p := recover(); p != nil {
			b.fail(at, b.crew.failure(p, number))
		}
		if b.done.Add(1) == int64(len(b.blocks)) && b.waiting.CompareAndSwap(true, false) {
			b.finished <- struct{}{}
		}
	}()
	if at < b.faultAt.Load() && !b.crew.Stop.Raised() {
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
