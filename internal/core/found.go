package core

import "slices"

// Found is a chain of loops that a program calls again and again. Once it is ready, it keeps no sets, maps
// and data alive.
type Found struct {
	chain   *Chain
	objects Objects // that its loops use
}

// NewFound returns a chain without loops, whose calls have run that often loop by loop.
func NewFound(rt *Runtime, ran int64) *Found {
	return &Found{&Chain{rt: rt, found: true, ran: ran}, Objects{}}
}

// Precede puts a loop before those that the chain has, with what instead returns for its data. It reports
// whether all that the loop uses is reachable; otherwise, there is no chain.
func (f *Found) Precede(l *Loop, instead func(*Data) *Data) bool {
	over, args, ok := l.whole()
	if !ok {
		return false
	}
	place := &Loop{rt: l.rt, name: l.name, kernel: l.kernel, over: over, keep: args, meter: l.meter}
	f.objects[over.Set.tracked()], f.objects[over.Subset.tracked()] = true, true
	for _, a := range args {
		f.objects[a.data.tracked()], f.objects[a.m.tracked()], f.objects[a.cols.tracked()] = true, true, true
	}
	for i := range args {
		if d := &args[i].data; *d != nil {
			*d = instead(*d)
		}
	}
	f.chain.places = slices.Insert(f.chain.places, 0, place)
	return true
}

// Prepare makes the chain ready, if it is more than its loops one after another. It returns after how
// many calls a new one may have tiles; 0: never.
func (f *Found) Prepare() (gains bool, again int64, err error) {
	c := f.chain
	if err := c.prepare(); err != nil {
		return false, 0, err
	}
	again = c.matures()
	if !c.gains() {
		return false, again, nil
	}
	for _, s := range c.segments {
		if err := s.ready(); err != nil {
			return false, again, err
		}
	}
	c.detach()
	return true, again, nil
}

// UsesAny reports whether the chain uses any of the objects.
func (f *Found) UsesAny(objects Objects) bool {
	for id := range objects {
		if f.objects[id] {
			return true
		}
	}
	return false
}

// Run computes the loops. After an error it returns which it concerns.
func (f *Found) Run() (Torn, error) { return f.chain.run() }

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
