package core

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/problem"
)

// ChainPlan says what a chain is turned into.
type ChainPlan struct {
	Segments []SegmentPlan
	Apart    []string // why neighbors are not fused
	Tried    []string // what was measured in calls of two forms, and chosen
	// Messages says how often several ranks exchange messages; "" if that is before each loop that needs it.
	Messages string
}

// SegmentPlan says how some neighbors of a chain run.
type SegmentPlan struct {
	Loops []string // a fused one names its parts
	Fused bool     // some of them
	Tiles string   // figures of the tiles; "" if there are none
	Why   string   // there are no tiles
	Queue string   // how a device queues them together; "" if it does not
}

// Plan says what the chain is turned into.
func (c *Chain) Plan() (ChainPlan, error) {
	if err := c.prepare(); err != nil {
		return ChainPlan{}, err
	}
	p := ChainPlan{Apart: c.apart}
	for _, s := range c.segments {
		part := SegmentPlan{Why: s.why}
		for _, l := range s.loops {
			part.Loops = append(part.Loops, strings.TrimPrefix(l.name, "loop "))
			part.Fused = part.Fused || l.parts != nil
			if l.trial.Trial != nil && s.tiled == nil {
				p.Tried = append(p.Tried, fmt.Sprintf("%s: %s", strings.TrimPrefix(l.name, "loop "), l.trial))
			}
		}
		if s.tiled != nil {
			part.Tiles = s.tiled.tiles.How() + ", " + s.tiled.figures
		}
		if s.queued != nil {
			part.Queue = s.queued.How()
		}
		if s.trial.Trial != nil {
			p.Tried = append(p.Tried, fmt.Sprintf("%s: %s", strings.Join(part.Loops, ", "), s.trial))
		}
		p.Segments = append(p.Segments, part)
	}
	if x := c.ranks; x != nil {
		p.Messages = fmt.Sprintf("%s of messages, %d loop by loop", problem.Count(x.calls, "exchange"), x.apart)
	}
	return p, nil
}

// String formats the plan in a few lines.
func (p ChainPlan) String() string {
	var b strings.Builder
	for _, s := range p.Segments {
		switch {
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
