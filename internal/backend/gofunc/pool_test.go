package gofunc

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
)

// newBlocks is a batch of n blocks of one element each, in which the kernel is call, on a
// pool of two goroutines.
func newBlocks(p *pool, n int, call func()) *batch {
	r := &runner{spec: backend.Spec{Loop: &loop.Loop{}}, pool: p, strip: 1, workers: make([]worker, 2),
		call: func(_, _ P, _ int) { call() }}
	blocks := make([]int32, n)
	r.from = []int32{0}
	for b := range n {
		blocks[b] = int32(b)
		r.runs = append(r.runs, backend.Run{int32(b), int32(b) + 1})
		r.from = append(r.from, int32(b)+1)
	}
	r.team.Store(2)
	return newBatch(r, blocks)
}

// A helper that gets no processor holds nobody up.
func TestCallerDoesNotWaitForHelpersToBegin(t *testing.T) {
	p := newPool(2)
	p.helpers = make([]helper, 1) // whose goroutine never runs
	ran := 0
	b := newBlocks(p, 5, func() { ran++ })
	for call := range 3 {
		b.begin()
		p.share(b, 1)
		if _, waited := b.finish(); waited != 0 || ran != 5*(call+1) {
			t.Errorf("call %d: %d blocks ran, and the caller waited for %v", call, ran, waited)
		}
	}
}

// A block that a helper has taken is waited for, however long it takes, and at every call
// helpers come again that slept or did not.
func TestCallerWaitsForTakenBlocks(t *testing.T) {
	p := newPool(2)
	defer p.close()
	for _, pause := range []time.Duration{0, patience / 2, 20 * patience} {
		var begun, done atomic.Int32
		taken := make(chan bool)
		b := newBlocks(p, 2, func() {
			if begun.Add(1) == 1 {
				<-taken // until somebody else has begun the other block
			} else {
				taken <- true
				time.Sleep(pause)
			}
			done.Add(1)
		})
		for range 20 {
			begun.Store(0)
			done.Store(0)
			b.begin()
			p.share(b, 1)
			if _, waited := b.finish(); done.Load() != 2 {
				t.Fatalf("pause of %v: %d blocks were done after %v", pause, done.Load(), waited)
			}
			p.open.Store(nil)
			time.Sleep(pause)
		}
	}
}
