package gofunc

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
)

// batch is blocks of a loop that can run at the same time: those of one color. Whoever
// works on it takes one after the other. A runner has the same batches at every call, so
// that a helper which still looks at one of an earlier call finds it done, or takes a
// block like any other.
type batch struct {
	runner *runner
	blocks []int32
	next   atomic.Int64 // the block to be taken
	done   atomic.Int64 // blocks

	waiting  atomic.Bool // the caller sleeps until all are done
	finished chan struct{}

	mu      sync.Mutex
	failure any          // a *backend.Fault, or another panic, of the first block that has one
	faultAt atomic.Int64 // the place of that block
}

func newBatch(r *runner, blocks []int32) *batch {
	b := &batch{runner: r, blocks: blocks, finished: make(chan struct{}, 1)}
	b.next.Store(int64(len(blocks)))
	return b
}

// begin makes the blocks ready to be taken.
func (b *batch) begin() {
	b.failure = nil
	b.faultAt.Store(math.MaxInt64)
	b.done.Store(0)
	b.next.Store(0)
}

// finish runs blocks until all are done. It returns the fault that one of them found, and how
// long there was nothing left to do but wait. A panic that is no kernel's fault goes on here,
// on the caller's goroutine, when no helper works on the batch any more.
func (b *batch) finish() (*backend.Fault, time.Duration) {
	b.work(0)
	waited := b.wait()
	fault, ok := b.failure.(*backend.Fault)
	if !ok && b.failure != nil {
		panic(b.failure)
	}
	return fault, waited
}

// alone runs all blocks, which nobody else sees. It is the fault that one of them found.
func (b *batch) alone() (fault *backend.Fault) {
	w := b.runner.worker(0)
	defer func() {
		if p := recover(); p != nil {
			var ok bool
			if fault, ok = w.failureOf(p).(*backend.Fault); !ok {
				panic(p)
			}
		}
	}()
	for _, block := range b.blocks {
		if b.runner.stop.Raised() {
			break
		}
		b.runner.block(int(block), w)
	}
	return nil
}

// wants reports whether there are blocks to take, and worker number is to take them.
func (b *batch) wants(number int) bool {
	return b.next.Load() < int64(len(b.blocks)) && number < int(b.runner.team.Load())
}

// work runs blocks as worker number until there are none left.
func (b *batch) work(number int) {
	w := b.runner.worker(number)
	for b.next.Load() < int64(len(b.blocks)) {
		if at := b.next.Add(1) - 1; at < int64(len(b.blocks)) {
			b.block(at, w)
		}
	}
}

// block runs the block at a place of the list. When a kernel has panicked, those behind it are
// only counted; those before it have been taken already. So are all when the loop is to stop.
func (b *batch) block(at int64, w *worker) {
	defer func() {
		if p := recover(); p != nil {
			b.fail(at, w.failureOf(p))
		}
		if b.done.Add(1) == int64(len(b.blocks)) && b.waiting.CompareAndSwap(true, false) {
			b.finished <- struct{}{}
		}
	}()
	if at < b.faultAt.Load() && !b.runner.stop.Raised() {
		b.runner.block(int(b.blocks[at]), w)
	}
}

// wait waits until all blocks that were taken are done.
func (b *batch) wait() time.Duration {
	all := func() bool { return b.done.Load() == int64(len(b.blocks)) }
	if all() {
		return 0
	}
	start := time.Now()
	if !await(all) {
		b.waiting.Store(true)
		if !all() || !b.waiting.CompareAndSwap(true, false) {
			<-b.finished
		}
	}
	return time.Since(start)
}

func (b *batch) fail(at int64, failure any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if at < b.faultAt.Load() {
		b.failure = failure
		b.faultAt.Store(at)
	}
}
