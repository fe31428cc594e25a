package gofunc

import (
	"slices"
	"testing"
	"time"
)

// Whatever teams cost, a loop takes little longer than on the best one, and follows when
// that changes.
func TestPace(t *testing.T) {
	const us = time.Microsecond
	for _, test := range []struct {
		name  string
		costs []time.Duration // of a call on 1, 2, 4 and 5 goroutines
	}{
		{"gains", []time.Duration{100 * us, 55 * us, 30 * us, 25 * us}},
		{"does not gain", []time.Duration{10 * us, 14 * us, 20 * us, 30 * us}},
		{"gains from two", []time.Duration{50 * us, 30 * us, 45 * us, 60 * us}},
		{"collapses", []time.Duration{100 * us, 5000 * us, 9000 * us, 20000 * us}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, before := range [][]time.Duration{nil, {100 * us, 50 * us, 25 * us, 20 * us}, {10 * us, 100 * us, 200 * us, 300 * us}} {
				p := newPace(5)
				call := func(costs []time.Duration) time.Duration {
					cost := costs[slices.Index([]int{1, 2, 4, 5}, p.begin())]
					p.end(cost)
					return cost
				}
				if before != nil {
					for range 1000 {
						call(before)
					}
				}
				for range 3000 { // to find out
					call(test.costs)
				}
				const calls = 3000
				total := time.Duration(0)
				for range calls {
					total += call(test.costs)
				}
				best := calls * slices.Min(test.costs)
				if total > best*108/100 {
					t.Errorf("after %v: %d calls took %v, on the best team %v", before, calls, total, best)
				}
			}
		})
	}
	if p := newPace(1); !p.alone() {
		t.Error("one goroutine has something to choose")
	}
}

// A call that was held up once changes nothing; if many are, another team is taken.
func TestPaceOfCallsHeldUp(t *testing.T) {
	p := newPace(2)
	p.costs = []time.Duration{100 * time.Microsecond, 50 * time.Microsecond}
	for i := range 10 {
		p.taken = 1
		p.end(20 * time.Millisecond)
		if took := p.teams[p.level]; took != 2 && i == 0 || took != 1 && i > 4 {
			t.Errorf("after %d calls of 20 ms it takes %d goroutines", i+1, took)
		}
	}
}
