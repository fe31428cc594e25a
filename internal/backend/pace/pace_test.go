package pace

import (
	"testing"
	"time"
)

// machine returns the time of a call, and how long the caller waits.
type machine func(threads int, at time.Duration) (took, waited time.Duration)

func TestPace(t *testing.T) {
	const call = 400 * time.Microsecond // on one thread
	quiet := func(threads int, _ time.Duration) (time.Duration, time.Duration) {
		return call / time.Duration(threads), call / 50
	}
	busy := func(threads int, at time.Duration) (time.Duration, time.Duration) {
		if threads == 1 {
			return call, 0
		}
		return 3 * call, 2 * call
	}
	uneven := func(threads int, at time.Duration) (time.Duration, time.Duration) {
		if threads == 1 {
			return call, 0
		}
		return call * 3 / 4, call / 2
	}
	for _, test := range []struct {
		name    string
		most    int
		machine machine
		threads int           // at the end
		atMost  time.Duration // for 10,000 calls
	}{
		{"quiet", 2, quiet, 2, 5000*call + 5*call},
		{"busy", 2, busy, 1, 10000*call + 500*call},
		{"busy, and nobody waits", 2, func(threads int, at time.Duration) (time.Duration, time.Duration) {
			return call + call*time.Duration(threads-1)/2, 0
		}, 1, 10000*call + 300*call},
		{"threads help, though they wait", 2, uneven, 2, 7500*call + 100*call},
		{"busy for a second", 2, func(threads int, at time.Duration) (time.Duration, time.Duration) {
			if at < time.Second {
				return busy(threads, at)
			}
			return quiet(threads, at)
		}, 2, 7500 * call},
		{"busy after a second", 2, func(threads int, at time.Duration) (time.Duration, time.Duration) {
			if at < time.Second {
				return quiet(threads, at)
			}
			return busy(threads, at)
		}, 1, 8000 * call},
		{"one call of many is held up", 2, func(threads int, at time.Duration) (time.Duration, time.Duration) {
			if at%(500*time.Millisecond) < call/2 {
				return 20 * time.Millisecond, 0
			}
			return quiet(threads, at)
		}, 2, 6000 * call},
		{"threads collapse", 8, func(threads int, at time.Duration) (time.Duration, time.Duration) {
			return call * time.Duration(1+50*(threads-1)/7), 0
		}, 1, 13000 * call},
		{"one thread for all", 1, quiet, 1, 10000 * call},
		{"hardly any work", 16, func(threads int, _ time.Duration) (time.Duration, time.Duration) {
			return 3 * time.Microsecond, 0
		}, 1, 30 * time.Millisecond},
		{"work for some of the threads", 16, func(threads int, _ time.Duration) (time.Duration, time.Duration) {
			return 41 * time.Microsecond / time.Duration(threads), 0
		}, 10, 50 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, at := New(test.most), time.Duration(0)
			for range 10_000 {
				took, waited := test.machine(p.Threads(), at)
				at += took
				p.Note(took, waited, 2)
			}
			if p.Threads() != test.threads {
				t.Errorf("%d threads at the end, want %d", p.Threads(), test.threads)
			}
			if at > test.atMost {
				t.Errorf("the calls took %v, more than %v", at, test.atMost)
			}
		})
	}
}
