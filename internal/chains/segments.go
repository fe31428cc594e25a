package chains

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// cut splits loops into segments: several that can run by tiles together, as long as possible, and
// those that cannot. On several ranks, starts says which loops need an exchange of messages before them.
func (c *Chain) cut(loops []*member, starts []bool) []*segment {
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
				open, why = &segment{loops: []*member{l}}, ""
				segments = append(segments, open)
				continue
			}
		}
		switch {
		case why != "":
			segments, open = append(segments, &segment{loops: []*member{l}, why: why}), nil
		case open == nil:
			open = &segment{loops: []*member{l}}
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
	rt, choice := c.rt, c.chosen()
	_, tiles := rt.Backend().(backend.Tiler)
	switch {
	case choice == tune.ChainsOff || choice == tune.Fuse:
		return fmt.Sprintf("chains are %s", choice)
	case !tiles:
		return fmt.Sprintf("the backend %s runs no tiles", rt.Name())
	case rt.Config().Static:
		return "the runtime is static"
	case c.oneByOne():
		return oneByOne + c.proved
	case rt.Config().Backend.SameBits:
		return "the runtime is reproducible"
	}
	return ""
}

// untiled returns why a loop can only run as a whole; "" if it can be tiled.
func (l *member) untiled() string {
	if l.Rearranged() {
		return "it runs in another order, for threads"
	}
	b := l.Binding()
	for i, d := range b.Data {
		if b.Loop.Data[i].Kind == loop.Mat {
			return fmt.Sprintf("it assembles %s", d.Name())
		}
	}
	return ""
}

// apart returns why a loop cannot share tiles with an earlier one; "" if it can.
func apart(earlier, later *member) string {
	e, l := earlier.Binding(), later.Binding()
	for _, a := range l.Loop.Args {
		for _, b := range e.Loop.Args {
			if a.Data < 0 || b.Data < 0 || l.Data[a.Data].Storage() != e.Data[b.Data].Storage() {
				continue
			}
			d, before := l.Data[a.Data], e.Data[b.Data]
			switch {
			case a.Kind != loop.Global:
				if d.Set() != before.Set() {
					return fmt.Sprintf("%s is used on %s and on %s", d.Name(), before.Set().Name(), d.Set().Name())
				}
			case b.Access == loop.Read:
			case a.Access == loop.Read:
				return fmt.Sprintf("it reads %s, which %s reduces", d.Name(), earlier.Name())
			case a.Access != loop.Inc || b.Access != loop.Inc:
				return fmt.Sprintf("it reduces %s, as does %s in another way", d.Name(), earlier.Name())
			}
		}
	}
	return ""
}
