package chains

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/problem"
)

// Plan says what a chain is turned into.
type Plan struct {
	Segments []Segment
	Apart    []string // why neighbors are not fused
	Tried    []string // what was measured in calls of two forms, and chosen
	// Messages says how often several ranks exchange messages; "" if that is before each loop that needs it.
	Messages string

	together, apart int // the exchanges of messages, and what they would be loop by loop
}

// Segment says how some neighbors of a chain run.
type Segment struct {
	Task  string   // what the chain does here, if that is no loop: "mat A: Mul"
	Loops []string // a fused one names its parts
	Fused bool     // some of them
	Tiles string   // figures of the tiles; "" if there are none
	Why   string   // there are no tiles
	Queue string   // how a device queues them together; "" if it does not
}

// plan adds what the group is turned into.
func (c *group) plan(p *Plan) error {
	if err := c.prepare(); err != nil {
		return err
	}
	p.Apart = append(p.Apart, c.apart...)
	for _, s := range c.segments {
		part := Segment{Why: s.why}
		for _, l := range s.loops {
			part.Loops = append(part.Loops, strings.TrimPrefix(l.Name(), "loop "))
			part.Fused = part.Fused || l.Parts() != nil
			if l.trial.Trial != nil && s.tiled == nil {
				p.Tried = append(p.Tried, fmt.Sprintf("%s: %s", strings.TrimPrefix(l.Name(), "loop "), l.trial))
			}
		}
		if s.tiled != nil {
			part.Tiles = s.tiled.tiles.How() + ", " + s.tiled.figures
			if c.ran < s.tiled.from {
				part.Tiles += fmt.Sprintf("; they are used first in call %d", s.tiled.from+1)
			}
		}
		if s.queued != nil {
			part.Queue = s.queued.How()
		}
		if s.trial.Trial != nil {
			p.Tried = append(p.Tried, fmt.Sprintf("%s: %s", strings.Join(part.Loops, ", "), s.trial))
		}
		p.Segments = append(p.Segments, part)
	}
	if c.ranks != nil {
		together, apart := c.ranks.Calls()
		p.together, p.apart = p.together+together, p.apart+apart
		p.Messages = fmt.Sprintf("%s of messages, %d loop by loop", problem.Count(p.together, "exchange"), p.apart)
	}
	return nil
}

// String formats the plan in a few lines.
func (p Plan) String() string {
	var b strings.Builder
	for _, s := range p.Segments {
		switch {
		case s.Task != "":
			fmt.Fprintf(&b, "no loop (%s)\n", s.Task)
		case s.Tiles != "":
			fmt.Fprintf(&b, "by tiles (%s):\n", s.Tiles)
		case s.Queue != "":
			fmt.Fprintf(&b, "on the device (%s):\n", s.Queue)
		case s.Fused:
			fmt.Fprintf(&b, "fused, without tiles (%s):\n", s.Why)
		default:
			fmt.Fprintf(&b, "loop by loop (%s):\n", s.Why)
		}
		for _, l := range s.Loops {
			fmt.Fprintf(&b, "  %s\n", l)
		}
	}
	for _, why := range p.Apart {
		fmt.Fprintf(&b, "not fused: %s\n", why)
	}
	for _, t := range p.Tried {
		fmt.Fprintf(&b, "trial of %s\n", t)
	}
	if p.Messages != "" {
		fmt.Fprintf(&b, "%s\n", p.Messages)
	}
	return b.String()
}
