package core

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// cut splits loops into segments: several that can run by tiles together, as long as possible, and
// those that cannot. On several ranks, starts says which loops need an exchange of messages before them.
func (c *Chain) cut(loops []*Loop, starts []bool) []*segment {
	if why := c.untiled(); why != "" {
		return []*segment{{loops: loops, why: why}}
	}
	var segments []*segment
	var open *segment
	for i, l := range loops {
		if starts != nil && starts[i] {
			open = nil
		}
		why := l.untiled()
		if why == "" && open != nil {
			for _, earlier := range open.loops {
				if apart := apart(earlier, l); apart != "" && why == "" {
					open, why = nil, apart
				}
			}
			if open == nil { // it begins the next one
				open, why = &segment{loops: []*Loop{l}}, ""
				segments = append(segments, open)
				continue
			}
		}
		switch {
		case why != "":
			segments, open = append(segments, &segment{loops: []*Loop{l}, why: why}), nil
		case open == nil:
			open = &segment{loops: []*Loop{l}}
			segments = append(segments, open)
		default:
			open.loops = append(open.loops, l)
		}
	}
	for _, s := range segments {
		if len(s.loops) == 1 && s.why == "" {
			s.why = "it has no neighbor that could share tiles with it"
		}
	}
	return segments
}

// untiled returns why no loops of the chain can be tiled; "" if some can.
func (c *Chain) untiled() string {
	rt := c.rt
	choice := c.chosen()
	_, tiles := rt.backend.(backend.Tiler)
	switch {
	case choice == tune.ChainsOff || choice == tune.Fuse:
		return fmt.Sprintf("chains are %s", choice)
	case !tiles:
		return fmt.Sprintf("the backend %s runs no tiles", rt.name)
	case rt.config.Static:
		return "the runtime is static"
	case c.oneByOne():
		return oneByOne + c.proved
	case rt.config.Backend.SameBits:
		return "the runtime is reproducible"
	}
	return ""
}

// untiled returns why a loop can only run as a whole; "" if it can be tiled.
func (l *Loop) untiled() string {
	if l.rearranged != nil {
		return "it runs in another order, for threads"
	}
	for _, a := range l.binder.args {
		if a.kind == loop.Mat {
			return fmt.Sprintf("it assembles %s", a.data.name)
		}
	}
	return ""
}

// apart returns why a loop cannot share tiles with an earlier one; "" if it can.
func apart(earlier, later *Loop) string {
	for _, a := range later.binder.args {
		for _, b := range earlier.binder.args {
			if a.data == nil || b.data == nil || a.data.storage != b.data.storage {
				continue
			}
			switch {
			case a.kind != loop.Global:
				if a.data.set != b.data.set {
					return fmt.Sprintf("%s is used on %s and on %s", a.data.name, b.data.set.name, a.data.set.name)
				}
			case b.access == loop.Read:
			case a.access == loop.Read:
				return fmt.Sprintf("it reads %s, which %s reduces", a.data.name, earlier.name)
			case a.access != loop.Inc || b.access != loop.Inc:
				return fmt.Sprintf("it reduces %s, as does %s in another way", a.data.name, earlier.name)
			}
		}
	}
	return ""
}
