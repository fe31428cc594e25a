package store

import "weak"

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
	s.TakeBack()
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

// Handle is what all views of a storage share: when it has become unreachable, nobody can see values.
type Handle struct{ _ [16]byte }

// Watch makes Gone report whether the handle, which all views share, has become unreachable.
func (s *Storage) Watch() *Handle {
	h := &Handle{}
	s.handle, s.watched = weak.Make(h), true
	return h
}

// Gone reports whether the program no longer has the data.
func (s *Storage) Gone() bool { return s.watched && s.handle.Value() == nil }
