package core

import "slices"

// A chain that has been found among queued calls has the loops of a group. What is assigned to a global
// between two of them, or for one of them alone, must not keep them apart: loops that need other values
// than the global has after the group get a stand-in for it.

// makeChain makes the chain of the loops that are called, if it is more than its loops one after
// another, and if all of their objects are reachable.
func (s *sequence) makeChain(rt *Runtime, calls []queued) error {
	c := &Chain{rt: rt, found: true, ran: int64(s.seen) - 1}
	objects := map[identity]bool{}
	var standIns []*Data
	later := map[*Storage]int{} // the stand-ins for globals to which later calls assign
	for i := range slices.Backward(calls) {
		call := &calls[i]
		assigned := -1
		if call.standsIn() {
			assigned = len(standIns)
			standIns = append(standIns, nil)
		}
		if call.loop == nil {
			if assigned >= 0 {
				later[call.assign.storage()] = assigned
			}
			continue
		}
		l := call.loop
		over, args, ok := l.whole()
		if !ok {
			return nil
		}
		place := &Loop{rt: rt, name: l.name, kernel: l.kernel, over: over, keep: args, meter: l.meter}
		place.identify(objects)
		for j := range args {
			g := &args[j].data
			if *g == nil {
				continue
			}
			n, standsIn := later[(*g).storage]
			if assigned >= 0 && (*g).storage == call.assign.storage() {
				n, standsIn = assigned, true
			}
			if !standsIn {
				continue
			}
			if standIns[n] == nil {
				standIns[n] = (*g).standIn()
			}
			*g = standIns[n]
		}
		c.places = append(c.places, place)
	}
	slices.Reverse(c.places)
	slices.Reverse(standIns)
	if err := c.prepare(); err != nil {
		return err
	}
	s.again = c.matures()
	if !c.gains() {
		return nil
	}
	for _, s := range c.segments {
		if err := s.ready(); err != nil {
			return err
		}
	}
	c.detach()
	s.chain, s.objects, s.standIns = c, objects, standIns
	return nil
}

// standsIn reports whether there is a stand-in for the global that the call assigns to: with its values
// from before the call, or those for the call alone.
func (c *queued) standsIn() bool { return c.assign != nil && (c.loop != nil || c.when == between) }

// run computes calls of the sequence as a chain. After an error it returns which calls it concerns.
func (s *sequence) run(calls []queued) (torn, error) {
	standIns := s.standIns
	for i := range calls {
		c := &calls[i]
		if c.assign == nil || c.when == after {
			continue
		}
		to := c.assign.storage()
		if c.standsIn() {
			g := standIns[0]
			standIns = standIns[1:]
			switch {
			case g == nil:
			case c.loop != nil:
				to = g.storage
			default:
				if err := g.storage.take(to); err != nil {
					return torn{0, len(calls), i}, err
				}
			}
		}
		c.assign.to(to)
	}
	t, err := s.chain.run()
	if err == nil {
		t.last = len(calls)
	} else {
		t = t.among(calls)
		s.restore(calls[t.last:])
	}
	for i := range calls[:t.last] {
		if c := &calls[i]; c.loop == nil && c.when == after {
			c.assign.to(c.assign.storage())
		}
	}
	return t, err
}

// restore gives globals the values from before the last calls of the sequence.
func (s *sequence) restore(calls []queued) {
	n := len(s.standIns)
	for i := range slices.Backward(calls) {
		c := &calls[i]
		if !c.standsIn() {
			continue
		}
		n--
		if g := s.standIns[n]; c.loop == nil && g != nil {
			if err := c.assign.storage().take(g.storage); err != nil {
				c.lose(err)
			}
		}
	}
}

// matures returns the number of calls after which some segment is inspected; 0 if none is.
func (c *Chain) matures() int64 {
	least := int64(0)
	for _, s := range c.segments {
		if s.pending != nil && (least == 0 || s.due < least) {
			least = s.due
		}
	}
	return least
}

// gains reports whether the chain is more than its loops one after another.
func (c *Chain) gains() bool {
	return len(c.all()) < len(c.places) || slices.ContainsFunc(c.segments, func(s *segment) bool { return s.tiled != nil })
}

// detach makes the chain, which is ready, keep no sets, maps and data alive. It cannot be prepared
// again.
func (c *Chain) detach() {
	c.places = nil
	for _, s := range c.segments {
		s.pending = nil
	}
	for _, l := range c.all() {
		for _, part := range append(l.parts, l) {
			part.keep, part.over, part.binder = nil, Range{}, nil
		}
	}
}
