// Package pace decides how many threads run a loop, for the backends whose threads are on the host:
// go's goroutines and the threads of generated C. It starts none itself.
package pace

import (
	"time"

	"github.com/go-op2/op2/internal/tune"
)

// Pace is the number of threads of one loop, adapted call by call to measured times; results do not
// depend on it. A loop that takes little time gets few threads. If the caller waits a lot for the
// others, or several threads take as long as one did, other programs occupy the cores: then one
// thread is tried, and kept while that is faster.
//
// It measures in windows: several consecutive calls on the same number of threads.
type Pace struct {
	limits  tune.Threads
	most    int // threads that the plan has blocks for
	threads int // of the current window
	state   state
	calls   int
	took    time.Duration // of the window's calls
	waited  time.Duration

	team  time.Duration // mean time of a call in the last window on several threads
	alone time.Duration // and on one
	pause time.Duration // until the next trial of one thread, or of several
	left  time.Duration // remaining part of the pause
}

type state uint8

// The states of a loop.
const (
	first state = iota // the first call: the caches are cold
	cost               // a few calls on one thread measure the loop's cost
	team               // several threads
	trial              // one thread, to see whether it is faster
	alone              // one thread, until the pause is over
	again              // several threads, to see whether they are faster by now
)

// New returns the pace of a loop that can use up to most threads.
func New(most int) Pace {
	limits := tune.DefaultMachine().Threads
	return Pace{limits: limits, most: most, threads: most, pause: limits.LeastPause}
}

// Most returns the largest number of threads that the loop may run on from now on.
func (p *Pace) Most() int { return p.most }

// Threads returns the number of threads for the next call.
func (p *Pace) Threads() int { return p.threads }

// Note records the time of a call, the part of it that the caller waited, and the number of colors.
func (p *Pace) Note(took, waited time.Duration, colors int) {
	p.calls++
	if p.state == cost && p.calls > 1 {
		p.took = min(p.took, took)
	} else {
		p.took += took
	}
	p.waited += waited
	p.left -= took
	switch p.state {
	case first:
		p.enter(cost, 1)
		return
	case cost:
		if p.calls == p.limits.CostCalls {
			share := p.limits.Worth * time.Duration(max(1, colors))
			p.alone = p.took
			p.most = int(max(1, min(time.Duration(p.most), p.took/share)))
			p.enter(team, p.most)
		}
		return
	}
	if p.most < 2 || p.took < p.limits.WindowTime || p.calls < p.limits.WindowCalls {
		return
	}
	mean := p.took / time.Duration(p.calls)
	switch p.state {
	case team:
		p.team = mean
		if p.left <= 0 && (float64(p.waited) > p.limits.MuchWaiting*float64(p.took) || float64(p.team) > p.limits.LittleGain*float64(p.alone)) {
			p.enter(trial, 1)
			return
		}
		p.enter(team, p.most)
	case trial:
		p.alone = mean
		if p.alone < p.team {
			p.rest(alone, 1, p.limits.LeastPause)
			return
		}
		p.rest(team, p.most, 2*p.pause)
	case alone:
		p.alone = mean
		if p.left <= 0 {
			p.enter(again, p.most)
			return
		}
		p.enter(alone, 1)
	case again:
		p.team = mean
		if p.team < p.alone {
			p.rest(team, p.most, p.limits.LeastPause)
			return
		}
		p.rest(alone, 1, 2*p.pause)
	}
}

// enter starts a window.
func (p *Pace) enter(s state, threads int) {
	p.state, p.threads = s, threads
	p.calls, p.took, p.waited = 0, 0, 0
}

// rest starts a window after a trial; the next trial comes after the pause.
func (p *Pace) rest(s state, threads int, pause time.Duration) {
	p.pause = min(pause, p.limits.MostPause)
	p.left = p.pause
	p.enter(s, threads)
}
