package core

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/problem"
)

// queue holds the calls of loops that have not run yet, on a runtime with lazy evaluation. They run
// when somebody wants what they compute: a storage that a queued call uses leads to the queue, so that
// whoever reads or writes its values on the host makes those calls run that it must. Calls keep their
// order as far as one depends on the other.
type queue struct {
	rt      *Runtime
	calls   []queued // in the order of the program
	number  uint64   // of the last call
	running bool
	late    error // of calls that ran for a verb that returns no error

	replaced int    // queued calls that replace all values of a storage, so that others may be in vain
	epoch    uint64 // of marks; see mark
	batch    []queued
	consts   *constValues // at the last call of a loop that has some
	chains   sequences
}

// queued is a call in the queue: of a loop, or the assignment of new values to a global.
type queued struct {
	loop   *Loop
	assign *assignment // instead of a loop, or to a global that has these values for the loop's call alone
	consts *constValues
	number uint64
	site   callsite.Calls
	needed bool
	when   moment // of an assignment
}

// moment says when an assignment takes place that is a call, relative to the loops of its group.
type moment uint8

const (
	before  moment = iota // no earlier one uses the global
	between               // earlier and later ones use the global
	after                 // no later one uses the global
)

// assignment sets the values of a global.
type assignment struct {
	uses   [1]use
	values []byte
}

// newAssignment returns the assignment of values, of which it has a copy.
func newAssignment[T any](g *Data, values []T) *assignment {
	s := g.storage
	return &assignment{[1]use{{storage: s, name: g.name, changes: true, whole: true}},
		slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), s.Bytes()))}
}

// storage returns the storage of the global.
func (a *assignment) storage() *Storage { return a.uses[0].storage }

// uses returns what the call does with storages.
func (c *queued) uses() []use {
	if c.loop == nil {
		return c.assign.uses[:]
	}
	return c.loop.uses
}

// mark is what the queue knows about a storage. Each pass over the queue has an epoch of its own, and
// marks of earlier ones do not count.
type mark struct {
	queue *queue
	id    uint64 // never reused
	calls int    // in the queue that use it

	epoch   uint64
	read    bool // by a later call that is needed
	changed bool // by a later call that is needed
	dead    bool // what earlier calls leave is replaced before anybody sees it
	used    bool // by a loop of this group
	set     int  // 1 + the number of the call in the group that has assigned to it since; 0 if there is none
}

// marked returns the mark of a storage in this pass.
func (q *queue) marked(s *Storage) *mark {
	m := s.queued
	if m == nil {
		m = &mark{queue: q, id: loopIDs.Add(1)}
		s.queued = m
	}
	if m.epoch != q.epoch {
		m.epoch, m.read, m.changed, m.dead, m.used, m.set = q.epoch, false, false, false, false, 0
	}
	return m
}

// mostQueued limits the queue.
const mostQueued = 256

// add queues the call of a loop that is ready, with an assignment for this call alone unless that is
// nil.
func (q *queue) add(l *Loop, with *assignment) error {
	if err := q.rt.config.Backend.Stop.Err(); err != nil {
		return problem.Errorf("op2: %s: %w", l.name, err)
	}
	if err := admit(l); err != nil {
		return err
	}
	if len(q.calls) == mostQueued {
		if err := q.shorten(); err != nil {
			return err
		}
	}
	c := queued{loop: l, assign: with, consts: q.values(l)}
	c.site.Capture()
	q.push(c)
	return nil
}

// push appends a call. Values that it replaces as a whole are lost no more.
func (q *queue) push(c queued) {
	q.number++
	c.number = q.number
	for _, u := range c.uses() {
		q.marked(u.storage).calls++
		if u.whole && u.changes {
			q.replaced++
			u.storage.lost = nil
		}
	}
	q.calls = append(q.calls, c)
}

// left updates the marks after a call has left the queue.
func (q *queue) left(c *queued) {
	for _, u := range c.uses() {
		u.storage.queued.calls--
		if u.whole && u.changes {
			q.replaced--
		}
	}
}

// all runs all calls whose results somebody can see.
func (q *queue) all() error {
	if len(q.calls) == 0 || q.running {
		return nil
	}
	q.prune(nil)
	q.batch = append(q.batch[:0], q.calls...)
	for i := range q.calls {
		q.left(&q.calls[i])
	}
	clear(q.calls)
	q.calls = q.calls[:0]
	return q.run()
}

// shorten runs the calls of a full queue but for those of the last group, which may go on.
func (q *queue) shorten() error {
	q.prune(nil)
	n := 0
	for n < len(q.calls) {
		size := q.group(q.calls[n:])
		if n > 0 && n+size == len(q.calls) {
			break
		}
		n += size
	}
	for i := range q.calls[:n] {
		q.calls[i].needed = true
	}
	return q.runNeeded()
}

// force runs the calls that somebody needs who reads the values of a storage, or writes some.
func (q *queue) force(s *Storage, write bool) error {
	if q.running || s.queued.calls == 0 {
		return nil
	}
	q.prune(nil)
	q.need(s, write)
	return q.runNeeded()
}

// overwrite runs the calls that are needed before all values of a storage are replaced. Those that
// would only have computed the ones there now never run.
func (q *queue) overwrite(s *Storage) error {
	if q.running || s.queued.calls == 0 {
		return nil
	}
	q.prune(s)
	q.need(s, true)
	return q.runNeeded()
}

// prune drops the calls whose results nobody can see: values that later calls replace before they are
// read, those that are about to be replaced, and those of data that the program no longer has.
func (q *queue) prune(replaced *Storage) {
	if q.replaced == 0 && replaced == nil && !q.someGone() {
		return
	}
	q.epoch++
	if replaced != nil {
		q.marked(replaced).dead = true
	}
	for i := range q.calls {
		for _, u := range q.calls[i].uses() {
			if m := q.marked(u.storage); u.changes && !m.dead {
				m.dead = u.storage.gone()
			}
		}
	}
	kept := len(q.calls)
	for i := len(q.calls) - 1; i >= 0; i-- {
		c := &q.calls[i]
		if !q.visible(c) {
			q.left(c)
			continue
		}
		for _, u := range c.uses() {
			m := q.marked(u.storage)
			m.dead = u.whole && u.changes || m.dead && !u.reads
		}
		kept--
		q.calls[kept] = *c
	}
	n := copy(q.calls, q.calls[kept:])
	clear(q.calls[n:])
	q.calls = q.calls[:n]
}

// visible reports whether somebody can see what a call changes. Loops that change nothing may print.
func (q *queue) visible(c *queued) bool {
	changes := false
	for _, u := range c.uses() {
		if u.changes {
			changes = true
			if !q.marked(u.storage).dead {
				return true
			}
		}
	}
	return !changes
}

// someGone reports whether the program no longer has some of the data that queued calls change.
func (q *queue) someGone() bool {
	for i := range q.calls {
		for _, u := range q.calls[i].uses() {
			if u.changes && u.storage.gone() {
				return true
			}
		}
	}
	return false
}

// need marks the calls that are needed before the values of a storage are read, or written: those that
// change what is read, those that use what is written, and those that these need.
func (q *queue) need(s *Storage, write bool) {
	q.epoch++
	m := q.marked(s)
	m.read, m.changed = true, write
	for i := len(q.calls) - 1; i >= 0; i-- {
		c := &q.calls[i]
		for _, u := range c.uses() {
			m := q.marked(u.storage)
			c.needed = c.needed || m.changed || m.read && u.changes
		}
		if !c.needed {
			continue
		}
		for _, u := range c.uses() {
			m := q.marked(u.storage)
			m.read, m.changed = true, m.changed || u.changes
		}
	}
}

// runNeeded runs the calls that are marked, and keeps the others.
func (q *queue) runNeeded() error {
	q.batch = q.batch[:0]
	kept := 0
	for i := range q.calls {
		c := &q.calls[i]
		if c.needed {
			c.needed = false
			q.left(c)
			q.batch = append(q.batch, *c)
		} else {
			q.calls[kept] = *c
			kept++
		}
	}
	clear(q.calls[kept:])
	q.calls = q.calls[:kept]
	return q.run()
}

// run runs the calls of the batch, which have left the queue.
func (q *queue) run() (err error) {
	q.running = true
	defer func() {
		clear(q.batch)
		q.running = false
	}()
	rest := q.batch
	for len(rest) > 0 {
		n := q.group(rest)
		if t, err := q.runGroup(rest[:n]); err != nil {
			return q.fail(rest, t, located(err, "called", rest[t.at].site.Site()))
		}
		rest = rest[n:]
	}
	return nil
}

// before runs the queued calls that must run before a loop that is not queued.
func (q *queue) before(l *Loop) error {
	if q.running {
		return nil
	}
	for i := range l.uses {
		if u := &l.uses[i]; u.storage.queued != nil && !u.whole {
			if err := q.force(u.storage, u.changes); err != nil {
				return err
			}
		}
	}
	if err := admit(l); err != nil {
		return err
	}
	for i := range l.uses {
		if u := &l.uses[i]; u.storage.queued != nil && u.whole {
			if err := q.overwrite(u.storage); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail handles the error of calls some of which have run in part; the later ones have not run. Those
// that depend on what these should have computed never run, and what they should have computed is lost,
// too; the others wait again.
func (q *queue) fail(calls []queued, t torn, err error) error {
	if q.rt.config.Backend.Stop.Err() != nil { // then nothing runs any more, but data can be read
		for i := range q.calls {
			q.left(&q.calls[i])
		}
		clear(q.calls)
		q.calls = q.calls[:0]
		return err
	}
	for i := t.first; i < t.last; i++ {
		if c := &calls[i]; c.loop != nil {
			c.lose(err)
		} else { // which has taken place
			c.assign.storage().lost = nil
		}
	}
	for i := range q.calls {
		q.left(&q.calls[i])
	}
	waiting := slices.Concat(q.calls, calls[t.last:])
	slices.SortFunc(waiting, func(a, b queued) int { return cmp.Compare(a.number, b.number) })
	clear(q.calls)
	q.calls = q.calls[:0]
	for i := range waiting {
		c := &waiting[i]
		if c.depends() {
			c.lose(err)
			continue
		}
		for _, u := range c.uses() {
			if u.whole && u.changes {
				u.storage.lost = nil
			}
			q.marked(u.storage).calls++
			if u.whole && u.changes {
				q.replaced++
			}
		}
		q.calls = append(q.calls, *c)
	}
	return err
}

// takeLate returns the error of calls that ran for a verb that returns none.
func (q *queue) takeLate() error {
	err := q.late
	q.late = nil
	return err
}
