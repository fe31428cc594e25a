package mpi

import (
	"runtime"
	"time"
)

// A pause makes the pauses of a rank that waits: none at first, then it gives way to others on its
// core, then it sleeps, for a small part of the time it has waited.
//
// Giving way is for other ranks, which soon wait as well. Another program keeps the core until its
// time is over, some milliseconds, while what this rank waits for comes in microseconds: once it has
// lost the core for long, the rank sleeps instead for a while. One that has slept is run before one
// that has computed.
type pause struct {
	turns int
	since time.Time
	core  *core
}

// A core records whether other ranks or programs compete for this rank's core.
type core struct {
	lost time.Time // the last time that one kept it for long
}

const (
	spins      = 64 // turns without a pause
	yields     = 500 * time.Microsecond
	longest    = time.Millisecond      // sleep
	shortest   = 10 * time.Microsecond // on a core that others keep
	kept       = time.Millisecond      // for long
	remembered = 100 * time.Millisecond
	lookAround = 16 // turns between looks for the failures of others
)

// turn pauses, and reports whether it is time to look for the failures of others.
func (p *pause) turn() bool {
	p.turns++
	if p.turns < spins {
		return false
	}
	now := time.Now()
	if p.turns == spins {
		p.since = now
	}
	if p.gives(now) {
		runtime.Gosched()
		yield()
		if time.Since(now) > kept {
			p.core.lost = now
		}
		return p.turns%lookAround == 0
	}
	nap(max(shortest, min(now.Sub(p.since)/16, longest)))
	return true
}

// gives reports whether the rank gives way to others on its core, rather than sleep.
func (p *pause) gives(now time.Time) bool {
	return now.Sub(p.since) < yields && now.Sub(p.core.lost) >= remembered
}
