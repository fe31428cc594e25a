package core

import "weak"

// With lazy evaluation, calls wait until somebody wants what they compute. What they wait in is above
// this package: a runtime asks its Queue at each call, a storage its Waiter whenever its values are used.

// Queue decides when the calls of a runtime run.
type Queue interface {
	// Call takes the call of a loop that is ready, unless it is to run at once.
	Call(l *Loop) (waits bool, err error)
	// CallWith takes the call of a loop for which a global has the values with these bytes, which it may
	// keep. It is called only with lazy evaluation.
	CallWith(l *Loop, g *Data, values []byte) error
	// Assign is CallWith for the assignment alone.
	Assign(g *Data, values []byte)

	// Run runs all calls whose results somebody can see.
	Run() error
	// Before runs the calls that must run before a loop that does not wait. It returns an error if values
	// that the loop uses were not computed.
	Before(l *Loop) error
	// Admit returns an error if loops, computed one after another, depend on values that were not
	// computed. Those all of which they replace then count as computed.
	Admit(loops ...*Loop) error

	// Drop drops what depends on objects that have become unreachable, and calls whose results nobody
	// can see any more.
	Drop(objects Objects)
	// DropChains drops the chains that it has made of repeated calls.
	DropChains()
}

// atOnce is the queue without lazy evaluation: nothing waits.
type atOnce struct{}

func (atOnce) Call(*Loop) (bool, error)            { return false, nil }
func (atOnce) CallWith(*Loop, *Data, []byte) error { return nil }
func (atOnce) Assign(*Data, []byte)                {}
func (atOnce) Run() error                          { return nil }
func (atOnce) Before(*Loop) error                  { return nil }
func (atOnce) Admit(...*Loop) error                { return nil }
func (atOnce) Drop(Objects)                        {}
func (atOnce) DropChains()                         {}

// LetWait gives a runtime that has just been opened a queue for its calls.
func (rt *Runtime) LetWait(q Queue) { rt.queue, rt.lazy = q, true }

// Queue returns the queue of a runtime.
func (rt *Runtime) Queue() Queue { return rt.queue }

// Lazy reports whether loops wait until somebody wants what they compute.
func (rt *Runtime) Lazy() bool { return rt.lazy }

// Force runs all queued calls whose results somebody can see.
func (rt *Runtime) Force() error {
	if rt == nil || !rt.Opened() || rt.closed {
		return nil
	}
	return rt.queue.Run()
}

// Late keeps the error of calls that ran for a verb that returns none, for the next one that does.
func (rt *Runtime) Late(err error) {
	if rt.late == nil {
		rt.late = err
	}
}

// EnterLazily enters the runtime for a call that uses values through storages alone: only the queued
// calls that it depends on run. Enter runs all of them.
func (rt *Runtime) EnterLazily() error { return rt.enter() }

// EnterDataLazily is EnterLazily for a call that uses values, which a static runtime does not have.
func (rt *Runtime) EnterDataLazily() error { return rt.refuseStatic(rt.enter()) }

// Waiter is what must run before the values of a storage are used.
type Waiter interface {
	// Ready runs it before the values are read, changed, or all replaced. It returns an error for values
	// that were not computed.
	Ready(changes, whole bool) error
	// Late keeps the error of Ready for a caller that returns none.
	Late(err error)
}

// Await makes the values of a storage wait for w; nil: for nobody.
func (s *Storage) Await(w Waiter) { s.waiter = w }

// Waiter returns what the values of a storage wait for; nil if there is nothing.
func (s *Storage) Waiter() Waiter { return s.waiter }

// ready is called before the values are read, changed, or all replaced. If nothing is lent and nobody
// waits, that is two comparisons with nil.
func (s *Storage) ready(changes, whole bool) error {
	s.takeBack()
	if s.waiter == nil {
		return nil
	}
	return s.waiter.Ready(changes, whole)
}

// replace is ready for values all of which are replaced, for callers that return no error.
func (s *Storage) replace() {
	s.lent = nil
	if s.waiter != nil {
		if err := s.waiter.Ready(true, true); err != nil {
			s.waiter.Late(err)
		}
	}
}

// handle is what all views of a storage share: when it has become unreachable, nobody can see values.
type handle struct{ _ [16]byte }

// watch makes Gone report whether all views have become unreachable, of which d is the first.
func (d *Data) watch() {
	if d.rt.lazy {
		d.handle = &handle{}
		d.storage.handle, d.storage.watched = weak.Make(d.handle), true
	}
}

// Gone reports whether the program no longer has the data.
func (s *Storage) Gone() bool { return s.watched && s.handle.Value() == nil }
