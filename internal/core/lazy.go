package core

import "weak"

// Whoever uses the values of a storage calls ready first. Without lazy evaluation, and if nothing is
// lent, that is a comparison with nil.

// ready runs the queued calls that must run before the values are read, changed, or all replaced. It
// returns an error for values that were not computed, because of another.
func (s *Storage) ready(changes, whole bool) error {
	s.takeBack()
	if s.queued == nil {
		return nil
	}
	if changes && whole {
		s.lost = nil
		return s.queued.queue.overwrite(s)
	}
	if err := s.queued.queue.force(s, changes); err != nil {
		return err
	}
	if s.lost != nil {
		return s.lost
	}
	return nil
}

// replace is ready for values all of which are replaced, for callers that return no error: the runtime
// keeps it.
func (s *Storage) replace() {
	s.lent = nil
	if s.queued == nil {
		return
	}
	if err := s.ready(true, true); err != nil && s.queued.queue.late == nil {
		s.queued.queue.late = err
	}
}

// handle is what all views of a storage share: when it has become unreachable, nobody can see values.
type handle struct{ _ [16]byte }

// watch makes gone report whether all views have become unreachable, of which d is the first.
func (d *Data) watch() {
	if d.rt.queue != nil {
		d.handle = &handle{}
		d.storage.handle, d.storage.watched = weak.Make(d.handle), true
	}
}

// gone reports whether the program no longer has the data.
func (s *Storage) gone() bool { return s.watched && s.handle.Value() == nil }

// Lazy reports whether loops wait until somebody wants what they compute.
func (rt *Runtime) Lazy() bool { return rt.queue != nil }

// Force runs all queued calls whose results somebody can see.
func (rt *Runtime) Force() error {
	if rt == nil || rt.queue == nil || rt.closed {
		return nil
	}
	return rt.queue.all()
}

// EnterLazily enters the runtime for a call that uses values through storages alone: only the queued
// calls that it depends on run. Enter runs all of them.
func (rt *Runtime) EnterLazily() error { return rt.enter() }

// EnterDataLazily is EnterLazily for a call that uses values, which a static runtime does not have.
func (rt *Runtime) EnterDataLazily() error { return rt.refuseStatic(rt.enter()) }

// Queued returns the number of calls that wait.
func (rt *Runtime) Queued() int {
	if rt.queue == nil {
		return 0
	}
	return len(rt.queue.calls)
}

// FoundChains returns the number of chains that repeated calls have become.
func (rt *Runtime) FoundChains() int {
	n := 0
	if rt.queue != nil {
		for _, s := range rt.queue.chains.order {
			if s.chain != nil {
				n++
			}
		}
	}
	return n
}
