package kernel

import "slices"

// state is what is known at one point of an abstract execution. It is owned by
// whoever holds it: merge takes over its second argument.
type state struct {
	values  []interval // of the local variables that are followed, by slot
	written []uint64   // bits of components of parameters written on every path
	blurred []bool     // parameters stored to at a place that is not known
	maybe   bool       // the execution need not get here
}

func (s *state) isWritten(bit int) bool { return s.written[bit/64]&(1<<(bit%64)) != 0 }
func (s *state) setWritten(bit int)     { s.written[bit/64] |= 1 << (bit % 64) }

// states hands out states of one size, again and again.
type states struct {
	free []*state
}

func (p *states) clone(s *state) *state {
	if n := len(p.free); n > 0 {
		c := p.free[n-1]
		p.free = p.free[:n-1]
		copy(c.values, s.values)
		copy(c.written, s.written)
		copy(c.blurred, s.blurred)
		c.maybe = s.maybe
		return c
	}
	return &state{slices.Clone(s.values), slices.Clone(s.written), slices.Clone(s.blurred), s.maybe}
}

func (p *states) release(s *state) {
	if s != nil {
		p.free = append(p.free, s)
	}
}

// merge is what is known where two paths meet; either may be nil, a path that
// never gets there.
func (p *states) merge(s, t *state) *state {
	if s == nil {
		return t
	}
	if t == nil {
		return s
	}
	for i := range s.values {
		s.values[i] = s.values[i].hull(t.values[i])
	}
	s.mergeWrites(t)
	s.maybe = s.maybe || t.maybe
	p.release(t)
	return s
}

func (s *state) mergeWrites(t *state) {
	for i := range s.written {
		s.written[i] &= t.written[i]
	}
	for i := range s.blurred {
		s.blurred[i] = s.blurred[i] || t.blurred[i]
	}
}

// covers reports whether whatever is in t is possible in s too.
func (s *state) covers(t *state) bool {
	for i := range s.values {
		if !s.values[i].contains(t.values[i]) {
			return false
		}
	}
	for i := range s.written {
		if s.written[i]&^t.written[i] != 0 {
			return false
		}
	}
	for i := range s.blurred {
		if t.blurred[i] && !s.blurred[i] {
			return false
		}
	}
	return true
}

// widen makes s, the state at the head of a loop, cover t, the state after one
// round of it, in a way that soon ends: a bound that moved goes as far as its type
// allows, from the third round on both do, and from the sixth on all of them.
func (s *state) widen(t *state, ranges []interval, round int) {
	for i := range s.values {
		have, next := &s.values[i], t.values[i]
		if round >= 6 || round >= 3 && !have.contains(next) {
			*have = ranges[i]
			continue
		}
		if next.lo < have.lo {
			have.lo = ranges[i].lo
		}
		if next.hi > have.hi {
			have.hi = ranges[i].hi
		}
	}
	s.mergeWrites(t)
}
