// Package pace decides on how many threads a loop runs, for the backends whose threads are on
// the host: go's goroutines and those of generated C. It starts none itself.
package pace

import "time"

// Pace is the number of threads of one loop, call by call, by what calls took; results
// do not depend on it. A loop that takes little time gets few threads. Where the caller
// waits long for the others, or where several threads take as long as one did, other
// programs have the cores: then one thread is tried, and kept while that is faster.
//
// It measures in windows: some calls in a row on as many threads.
type Pace struct {
	most    int // threads that the plan has blocks for
	threads int // of the present window
	state   state
	calls   int
	took    time.Duration // of the window's calls
	waited  time.Duration

	team  time.Duration // a call's mean in the last window on several threads
	alone time.Duration // and on one
	pause time.Duration // until one thread, or several, are tried again
	left  time.Duration // of the pause
}

type state uint8

// The states of a loop.
const (
	first state = iota // the first call: nothing is in the caches
	cost               // a few calls on one thread tell what the loop costs
	team               // several threads
	trial              // one thread, to see whether that is faster
	alone              // one thread, until the pause is over
	again              // several threads, to see whether they are faster by now
)

const (
	// worthThread is the work of a color that is worth a thread: several times what it
	// costs to begin and to end one.
	worthThread = 2 * time.Microsecond
	// costCalls are the calls of which the fastest tells what a loop costs.
	costCalls = 2
	// A window is long enough that a thread that loses its core, for some milliseconds,
	// is in it or is rare.
	windowTime  = 20 * time.Millisecond
	windowCalls = 4
	// It is doubted that other threads help where the caller waits for so much of the time,
	// or where calls take so much of the time of one thread.
	muchWaiting, littleGain = 0.15, 0.85
	// Trials follow each other after pauses, longer ones while they change nothing.
	leastPause, mostPause = 100 * time.Millisecond, time.Second
)

// New is the pace of a loop for which up to most threads can be of use.
func New(most int) Pace { return Pace{most: most, threads: most, pause: leastPause} }

// Most is the largest number of threads that the loop may run on from now on.
func (p *Pace) Most() int { return p.most }

// Threads is the number of threads for the next call.
func (p *Pace) Threads() int { return p.threads }

// Note tells what a call took, how much of that the caller waited, and of how many
// colors it was.
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
		if p.calls == costCalls {
			share := worthThread * time.Duration(max(1, colors))
			p.alone = p.took
			p.most = int(max(1, min(time.Duration(p.most), p.took/share)))
			p.enter(team, p.most)
		}
		return
	}
	if p.most < 2 || p.took < windowTime || p.calls < windowCalls {
		return
	}
	mean := p.took / time.Duration(p.calls)
	switch p.state {
	case team:
		p.team = mean
		if p.left <= 0 && (float64(p.waited) > muchWaiting*float64(p.took) || float64(p.team) > littleGain*float64(p.alone)) {
			p.enter(trial, 1)
			return
		}
		p.enter(team, p.most)
	case trial:
		p.alone = mean
		if p.alone < p.team {
			p.rest(alone, 1, leastPause)
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
			p.rest(team, p.most, leastPause)
			return
		}
		p.rest(alone, 1, 2*p.pause)
	}
}

// enter begins a window.
func (p *Pace) enter(s state, threads int) {
	p.state, p.threads = s, threads
	p.calls, p.took, p.waited = 0, 0, 0
}

// rest begins a window after a trial; the next one comes after the pause.
func (p *Pace) rest(s state, threads int, pause time.Duration) {
	p.pause = min(pause, mostPause)
	p.left = p.pause
	p.enter(s, threads)
}
