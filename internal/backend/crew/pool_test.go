package crew

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// newBlocks returns a batch of n blocks, each of which is a call, on a pool of two goroutines.
func newBlocks(p *Pool, n int, call func()) *Batch {
	c := &Crew{Pool: p, Do: func(int32, int) { call() }}
	c.team.Store(2)
	return NewBatch(c, make([]int32, n))
}

// A helper that gets no processor does not hold up anyone.
func TestCallerDoesNotWaitForHelpersToBegin(t *testing.T) {
	p := NewPool(2)
	p.helpers = make([]helper, 1) // whose goroutine never runs
	ran := 0
	b := newBlocks(p, 5, func() { ran++ })
	for call := range 3 {
		b.begin(2)
		p.share(b, 1)
		if _, waited := b.finish(); waited != 0 || ran != 5*(call+1) {
			t.Errorf("call %d: %d blocks ran, and the caller waited for %v", call, ran, waited)
		}
	}
}

// Each worker begins with its own share, and goes on with those of others.
func TestShares(t *testing.T) {
	p := NewPool(3)
	for workers, want := range map[int][][]int32{
		2: {{0, 1, 2, 3, 4, 5, 6}, {3, 4, 5, 6, 0, 1, 2}},
		3: {{0, 1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 0, 1}, {4, 5, 6, 0, 1, 2, 3}},
	} {
		for number := range workers {
			var ran []int32
			c := &Crew{Pool: p, Do: func(block int32, _ int) { ran = append(ran, block) }}
			b := NewBatch(c, []int32{0, 1, 2, 3, 4, 5, 6})
			b.begin(workers)
			b.work(number)
			if !slices.Equal(ran, want[number]) {
				t.Errorf("worker %d of %d runs %v, want %v", number, workers, ran, want[number])
			}
		}
	}
}

// The caller waits for a block that a helper has taken, however long it takes, and helpers that
// slept or not take part in every call.
func TestCallerWaitsForTakenBlocks(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	for _, pause := range []time.Duration{0, p.patience / 2, 20 * p.patience} {
		var begun, done atomic.Int32
		taken := make(chan bool)
		b := newBlocks(p, 2, func() {
			if begun.Add(1) == 1 {
				<-taken // until someone else has started the other block
			} else {
				taken <- true
				time.Sleep(pause)
			}
			done.Add(1)
		})
		for range 20 {
			begun.Store(0)
			done.Store(0)
			b.begin(2)
			p.share(b, 1)
			if _, waited := b.finish(); done.Load() != 2 {
				t.Fatalf("pause of %v: %d blocks were done after %v", pause, done.Load(), waited)
			}
			p.open.Store(nil)
			time.Sleep(pause)
		}
	}
}

// A panic that is not a kernel's fault ends the call on the caller's goroutine, no matter which
// one ran the block, once all blocks that were taken are done. The batch can run again.
func TestPanicReachesCaller(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	var begun, done atomic.Int32
	taken, panics := make(chan bool), int32(0)
	b := newBlocks(p, 2, func() {
		defer done.Add(1)
		n := begun.Add(1)
		if n == 1 {
			<-taken
		} else {
			taken <- true
		}
		if n == panics {
			panic("own")
		}
	})
	finish := func() (recovered any) {
		defer func() { recovered = recover() }()
		b.begin(2)
		p.share(b, 1)
		b.finish()
		return nil
	}
	for call := range 60 {
		begun.Store(0)
		done.Store(0)
		panics = int32(call % 3) // 0: none
		want := any("own")
		if panics == 0 {
			want = nil
		}
		if got := finish(); got != want || done.Load() != 2 {
			t.Fatalf("call %d: got panic %v, want %v; %d of 2 blocks were done", call, got, want, done.Load())
		}
	}
}
