package kernel

import "slices"

// state holds the facts at one point of an abstract execution. It has one owner: merge takes
// ownership of its second argument.
type state struct {
	values  []interval // of the tracked local variables, by slot
	written []uint64   // bits of parameter components that are written on every path
	blurred []bool     // parameters stored to at an unknown place
	maybe   bool       // execution may not get here
}

func (s *state) isWritten(bit int) bool { return s.written[bit/64]&(1<<(bit%64)) != 0 }
func (s *state) setWritten(bit int)     { s.written[bit/64] |= 1 << (bit % 64) }

// states recycles states of one size.
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

// merge returns the state where two paths meet; either may be nil, for a path that does not arrive.
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

// covers reports whether everything possible in t is possible in s too.
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

// widen is the widening operator: it makes s, the state at the head of a loop, cover t, the state after
// one iteration, so that the loop reaches a fixed point soon. A bound that moved is extended to the limit of its type, from the third
// iteration on both bounds are, and from the sixth on all intervals.
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
