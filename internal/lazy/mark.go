package lazy

import (
	"github.com/go-op2/op2/internal/store"
)

// mark is the queue's record of a storage, and the storage's waiter. A pass over the queue begins with a
// new epoch, which invalidates the findings of earlier passes (the second block of fields).
type mark struct {
	queue *Queue
	id    uint64 // distinct from those of loops
	calls int    // pending calls that use the storage
	lost  error  // why the values were not computed; nil if they were

	epoch   uint64
	read    bool // by a later call that is needed
	changed bool // by a later call that is needed
	dead    bool // overwritten before it is read again
}

// markOf returns the mark of a storage; nil if no call has used it.
func markOf(s *store.Storage) *mark {
	m, _ := s.Waiter().(*mark)
	return m
}

// mark returns the mark of a storage, and creates it if there is none.
func (q *Queue) mark(s *store.Storage) *mark {
	m := markOf(s)
	if m == nil {
		q.marks++
		m = &mark{queue: q, id: 1<<63 | q.marks}
		s.Await(m)
	}
	return m
}

// marked returns the mark of a storage that a pending call uses, valid in this pass.
func marked(s *store.Storage) *mark { return markOf(s).now() }

// now clears the findings of earlier passes.
func (m *mark) now() *mark {
	if m.epoch != m.queue.epoch {
		m.epoch, m.read, m.changed, m.dead = m.queue.epoch, false, false, false
	}
	return m
}

// Ready implements store.Waiter.
func (m *mark) Ready(changes, whole bool) error {
	if changes && whole {
		m.lost = nil
	}
	if err := m.queue.force(m, changes, whole); err != nil {
		return err
	}
	return m.lost
}

// Late implements store.Waiter.
func (m *mark) Late(err error) { m.queue.rt.Late(err) }
