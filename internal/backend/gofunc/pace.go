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
	spent time.Duration   // since the last trial
	down  bool            // which way it went
}

// trialShare is the part of the time, as 1/trialShare, that trials may take.
const trialShare = 32

// newPace begins with the most goroutines that can be of use.
func newPace(most int) pace {
	p := pace{}
	for team := 1; team < most; team *= 2 {
		p.teams = append(p.teams, team)
	}
	p.teams = append(p.teams, most)
	p.costs = make([]time.Duration, len(p.teams))
	p.level = len(p.teams) - 1
	return p
}

// alone reports whether there is nothing to choose.
func (p *pace) alone() bool { return len(p.teams) == 1 }

// begin is the number of goroutines for a call.
func (p *pace) begin() int {
	p.taken = p.level
	for range 2 {
		p.down = !p.down
		other := p.level + 1
		if p.down {
			other = p.level - 1
		}
		if other >= 0 && other < len(p.teams) && p.costs[p.level] > 0 && p.spent >= trialShare*p.costs[other] {
			p.taken, p.spent = other, 0
			break
		}
	}
	return p.teams[p.taken]
}

// end counts the time of the call. A single one that took very long counts as four, since it
// says more of the moment than of the loop.
func (p *pace) end(took time.Duration) {
	p.spent += took
	cost := &p.costs[p.taken]
	if *cost == 0 {
		*cost = max(1, took)
	} else {
		*cost += (min(took, 4**cost) - *cost) / 4
	}
	for level, c := range p.costs {
		if c > 0 && c < p.costs[p.level] {
			p.level = level
		}
	}
}
