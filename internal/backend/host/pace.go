package host

import "time"

// pace decides on how many threads a loop runs, call by call, by what calls took; results
// do not depend on it. A loop that takes little time gets few threads. Where the caller
// waits long for the others, or where several threads take as long as one did, other
// programs have the cores: then one thread is tried, and kept while that is faster.
//
// It measures in windows: some calls in a row on as many threads.
type pace struct {
	most    int // threads that the plan has blocks for
	threads int // of the present window
	state   paceState
	calls   int
	took    time.Duration // of the window's calls
	waited  time.Duration

	team  time.Duration // a call's mean in the last window on several threads
	alone time.Duration // and on one
	pause time.Duration // until one thread, or several, are tried again
	left  time.Duration // of the pause
}

type paceState uint8

// The states of a loop.
const (
	paceFirst paceState = iota // the first call: nothing is in the caches
	paceCost                   // a few calls on one thread tell what the loop costs
	paceTeam                   // several threads
	paceTrial                  // one thread, to see whether that is faster
	paceAlone                  // one thread, until the pause is over
	paceAgain                  // several threads, to see whether they are faster by now
)

const (
	// paceShare is the work of a color that is worth a thread: several times what it
	// costs to begin and to end one.
	paceShare = 2 * time.Microsecond
	// costCalls are the calls of which the fastest tells what a loop costs.
	costCalls = 2
	// A window is long enough that a thread that loses its core, for some milliseconds,
	// is in it or is rare.
	windowTime  = 20 * time.Millisecond
	windowCalls = 4
	// It is doubted that other threads help where the caller waits for so much of the time,
	// or where calls take so much of the time of one thread.
	paceWaiting, paceGain = 0.15, 0.85
	// Trials follow each other after pauses, longer ones while they change nothing.
	leastPause, mostPause = 100 * time.Millisecond, time.Second
)

func newPace(most int) pace { return pace{most: most, threads: most, pause: leastPause} }

// note tells what a call took, how much of that the caller waited, and of how many
// colors it was; threads is then the number for the next call.
func (p *pace) note(took, waited time.Duration, colors int) {
	p.calls++
	if p.state == paceCost && p.calls > 1 {
		p.took = min(p.took, took)
	} else {
		p.took += took
	}
	p.waited += waited
	p.left -= took
	switch p.state {
	case paceFirst:
		p.enter(paceCost, 1)
		return
	case paceCost:
		if p.calls == costCalls {
			share := paceShare * time.Duration(max(1, colors))
			p.alone = p.took
			p.most = int(max(1, min(time.Duration(p.most), p.took/share)))
			p.enter(paceTeam, p.most)
		}
		return
	}
	if p.most < 2 || p.took < windowTime || p.calls < windowCalls {
		return
	}
	mean := p.took / time.Duration(p.calls)
	switch p.state {
	case paceTeam:
		p.team = mean
		if p.left <= 0 && (float64(p.waited) > paceWaiting*float64(p.took) || float64(p.team) > paceGain*float64(p.alone)) {
			p.enter(paceTrial, 1)
			return
		}
		p.enter(paceTeam, p.most)
	case paceTrial:
		p.alone = mean
		if p.alone < p.team {
			p.rest(paceAlone, 1, leastPause)
			return
		}
		p.rest(paceTeam, p.most, 2*p.pause)
	case paceAlone:
		p.alone = mean
		if p.left <= 0 {
			p.enter(paceAgain, p.most)
			return
		}
		p.enter(paceAlone, 1)
	case paceAgain:
		p.team = mean
		if p.team < p.alone {
			p.rest(paceTeam, p.most, leastPause)
			return
		}
		p.rest(paceAlone, 1, 2*p.pause)
	}
}

// enter begins a window.
func (p *pace) enter(state paceState, threads int) {
	p.state, p.threads = state, threads
	p.calls, p.took, p.waited = 0, 0, 0
}

// rest begins a window after a trial; the next one comes after the pause.
func (p *pace) rest(state paceState, threads int, pause time.Duration) {
	p.pause = min(pause, mostPause)
	p.left = p.pause
	p.enter(state, threads)
}
