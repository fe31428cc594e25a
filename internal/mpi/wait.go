package mpi

import (
	"runtime"
	"time"
)

// A pause makes the pauses of a rank that waits: none at first, then it gives way to others on its
// core, then it sleeps, for a small part of the time it has waited.
type pause struct {
	turns int
	since time.Time
}

const (
	spins      = 64 // turns without a pause
	yields     = 500 * time.Microsecond
	longest    = time.Millisecond // sleep
	lookAround = 16               // turns between looks for the failures of others
)

// turn pauses, and reports whether it is time to look for the failures of others.
func (p *pause) turn() bool {
	p.turns++
	if p.turns < spins {
		return false
	}
	if p.turns == spins {
		p.since = time.Now()
	}
	waited := time.Since(p.since)
	if waited < yields {
		runtime.Gosched()
		yield()
		return p.turns%lookAround == 0
	}
	time.Sleep(min(waited/16, longest))
	return true
}
