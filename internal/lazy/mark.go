package lazy

import "github.com/go-op2/op2/internal/core"

// mark is what the queue knows about a storage, which waits for the calls that use it. Each pass over
// the queue has an epoch of its own, and what earlier ones have found does not count.
type mark struct {
	queue *Queue
	id    uint64 // no loop's
	calls int    // in the queue that use it
	lost  error  // why the values were not computed

	epoch   uint64
	read    bool // by a later call that is needed
	changed bool // by a later call that is needed
	dead    bool // what earlier calls leave is replaced before anybody sees it
	used    bool // by a loop of this group
	set     int  // 1 + the number of the call in the group that has assigned to it since; 0 if there is none
}

// markOf returns the mark of a storage; nil if no call has used it.
func markOf(s *core.Storage) *mark {
	m, _ := s.Waiter().(*mark)
	return m
}

// mark returns the mark of a storage, which gets one if it has none.
func (q *Queue) mark(s *core.Storage) *mark {
	m := markOf(s)
	if m == nil {
		q.marks++
		m = &mark{queue: q, id: 1<<63 | q.marks}
		s.Await(m)
	}
	return m
}

// marked returns the mark, in this pass, of a storage that a call uses.
func marked(s *core.Storage) *mark { return markOf(s).now() }

// now returns the mark in this pass.
func (m *mark) now() *mark {
	if m.epoch != m.queue.epoch {
		m.epoch, m.read, m.changed, m.dead, m.used, m.set = m.queue.epoch, false, false, false, false, 0
	}
	return m
}

// Ready implements core.Waiter.
func (m *mark) Ready(changes, whole bool) error {
	if changes && whole {
		m.lost = nil
	}
	if err := m.queue.force(m, changes, whole); err != nil {
		return err
	}
	return m.lost
}

// Late implements core.Waiter.
func (m *mark) Late(err error) { m.queue.rt.Late(err) }
