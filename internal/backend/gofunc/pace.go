package gofunc

import "time"

// pace is how many goroutines a loop runs on, by what its calls take: a power of two,
// or all that it has blocks for. What one more step up or down takes is tried now and
// then, since other programs come and go.
type pace struct {
	teams []int           // goroutines, by level
	costs []time.Duration // of a call, by level; 0 until it was tried
	level int             // the best one that is known
	taken int             // that of this call
	total time.Duration   // of all calls
	tried []time.Duration // the total when a level was last taken
}

// trialShare is the part of the time, as 1/trialShare, that trials of a level may take.
const trialShare = 32

// newPace begins with the most goroutines that can be of use.
func newPace(most int) pace {
	p := pace{}
	for team := 1; team < most; team *= 2 {
		p.teams = append(p.teams, team)
	}
	p.teams = append(p.teams, most)
	p.costs, p.tried = make([]time.Duration, len(p.teams)), make([]time.Duration, len(p.teams))
	p.level = len(p.teams) - 1
	return p
}

// alone reports whether there is nothing to choose.
func (p *pace) alone() bool { return len(p.teams) == 1 }

// begin is the number of goroutines for a call.
func (p *pace) begin() int {
	p.taken = p.level
	for _, other := range [...]int{p.level - 1, p.level + 1} {
		if p.due(other) {
			p.taken = other
		}
	}
	return p.teams[p.taken]
}

// due reports whether a level is to be tried.
func (p *pace) due(level int) bool {
	return level >= 0 && level < len(p.teams) && p.total > 0 && p.total-p.tried[level] >= trialShare*p.costs[level]
}

// end counts the time of the call. One that took very long counts as four, since it says more
// of the moment than of the loop; a trial counts more than a call of many.
func (p *pace) end(took time.Duration) {
	p.total += took
	p.tried[p.taken] = p.total
	weight := time.Duration(4)
	if p.taken != p.level {
		weight = 2
	}
	cost := &p.costs[p.taken]
	if *cost == 0 {
		*cost = max(1, took)
	} else {
		*cost += (min(took, 4**cost) - *cost) / weight
	}
	for level, c := range p.costs {
		if c > 0 && c < p.costs[p.level] {
			p.level = level
		}
	}
}
