// Package lazy defers loops. A call of a loop is queued instead of run; when the program uses values, the
// pending calls that those values depend on run. Calls whose results are overwritten or unreachable never
// run (dead-call elimination, as a compiler's for stores), and sequences of calls that repeat become chains.
//
// The root package attaches a queue to a runtime that is opened WithLazy. The queue knows calls only by
// their uses of storages; package run runs them.
package lazy

import (
	"cmp"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/sorting"
)

// Queue holds the pending calls of a runtime. Each storage that a pending call uses has a mark as its
// waiter: before values are read or written on the host, the mark runs the calls they depend on. Calls
// that depend on each other keep their order.
type Queue struct {
	rt      *entity.Runtime
	calls   []queued // in the order of the program
	number  uint64   // of the last call
	running bool

	replaced int    // pending calls that overwrite a whole storage: without any, no earlier call can be dead
	epoch    uint64 // of marks; see mark
	marks    uint64 // so far
	batch    []queued
	group    []run.Operation // that runs
	consts   *constValues    // at the last call of a loop that has some
	chains   sequences
}

// Attach gives a runtime a queue if its configuration asks for one. Diagnostics check each call in its
// place, and several ranks would have to agree on what runs: both run calls at once.
func Attach(rt *entity.Runtime) {
	if c := rt.Config(); c.Lazy && !c.Static && !c.Backend.Poison && !rt.Several() {
		run.LetWait(rt, &Queue{rt: rt})
	}
}

// queued is a pending call.
type queued struct {
	run.Operation
	consts *constValues
	number uint64
	site   callsite.Calls
	needed bool
}

// capacity is the capacity of the queue.
const capacity = 256

// Add implements run.Queue: it queues a call. A task does not wait, nor does an assignment to a global that no pending
// call uses.
func (q *Queue) Add(o run.Operation) (waits bool, err error) {
	if o.Task != nil {
		return false, q.Before(o)
	}
	if o.Loop == nil {
		if m := markOf(o.Set.Storage()); m == nil || m.calls == 0 {
			return false, nil
		}
		q.number++
		q.append(queued{Operation: o, number: q.number})
		return true, nil
	}
	if err := q.rt.Config().Backend.Stop.Err(); err != nil {
		return false, problem.Errorf("op2: %s: %w", o.Loop.Name(), err)
	}
	if err := q.Admit(o); err != nil {
		return false, err
	}
	if len(q.calls) == capacity {
		if err := q.shorten(); err != nil {
			return false, err
		}
	}
	q.number++
	q.append(queued{Operation: o, consts: q.values(o.Loop), number: q.number}).site.Capture()
	return true, nil
}

// append appends a call, and returns where it is. A storage that the call overwrites as a whole is no longer lost.
func (q *Queue) append(call queued) *queued {
	q.calls = append(q.calls, call)
	c := &q.calls[len(q.calls)-1]
	uses := c.Uses()
	for i := range uses {
		u := &uses[i]
		m := q.mark(u.Storage)
		m.calls++
		if u.Whole && u.Changes {
			q.replaced++
			m.lost = nil
		}
	}
	return c
}

// left updates the marks after a call has left the queue.
func (q *Queue) left(c *queued) {
	for _, u := range c.Uses() {
		markOf(u.Storage).calls--
		if u.Whole && u.Changes {
			q.replaced--
		}
	}
}

// takeAll takes all calls from the queue, and appends them to others.
func (q *Queue) takeAll(to []queued) []queued {
	to = append(to, q.calls...)
	for i := range q.calls {
		q.left(&q.calls[i])
	}
	clear(q.calls)
	q.calls = q.calls[:0]
	return to
}

// Run implements run.Queue: it runs all pending calls but dead ones.
func (q *Queue) Run() error {
	if len(q.calls) == 0 || q.running {
		return nil
	}
	q.prune(nil)
	q.batch = q.takeAll(q.batch[:0])
	return q.run()
}

// shorten runs the calls of a full queue except the last group, which may still grow.
func (q *Queue) shorten() error {
	q.prune(nil)
	n := 0
	for n < len(q.calls) {
		size := group(q.calls[n:])
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

// force runs the calls that must precede an access to a storage: a read, a change of some values, or
// the overwriting of all. Before all values are overwritten, calls that only computed them are dead.
func (q *Queue) force(m *mark, changes, whole bool) error {
	if q.running || m.calls == 0 {
		return nil
	}
	var replaced *mark
	if changes && whole {
		replaced = m
	}
	q.prune(replaced)
	q.need(m, changes)
	return q.runNeeded()
}

// prune drops dead calls: all that they change is overwritten before it is read, by a later call or by
// the access at hand (replaced), or belongs to data that the program no longer reaches. It is liveness
// analysis: one pass from the last call to the first.
func (q *Queue) prune(replaced *mark) {
	if q.replaced == 0 && replaced == nil && !q.anyUnreachable() {
		return
	}
	q.epoch++
	if replaced != nil {
		replaced.now().dead = true
	}
	for i := range q.calls {
		for _, u := range q.calls[i].Uses() {
			if m := marked(u.Storage); u.Changes && !m.dead {
				m.dead = u.Storage.Gone()
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
		for _, u := range c.Uses() {
			m := marked(u.Storage)
			m.dead = u.Whole && u.Changes || m.dead && !u.Reads
		}
		kept--
		q.calls[kept] = *c
	}
	n := copy(q.calls, q.calls[kept:])
	clear(q.calls[n:])
	q.calls = q.calls[:n]
}

// visible reports whether a call is live. A loop that changes nothing is: its kernel may print.
func (q *Queue) visible(c *queued) bool {
	changes := false
	for _, u := range c.Uses() {
		if u.Changes {
			changes = true
			if !marked(u.Storage).dead {
				return true
			}
		}
	}
	return !changes
}

// anyUnreachable reports whether a pending call changes data that the program no longer reaches.
func (q *Queue) anyUnreachable() bool {
	for i := range q.calls {
		for _, u := range q.calls[i].Uses() {
			if u.Changes && u.Storage.Gone() {
				return true
			}
		}
	}
	return false
}

// need marks the calls that must precede a read or write of a storage: all calls on which the access
// depends, directly or through other calls. A call depends on an earlier one if one of them changes a
// storage that both use.
func (q *Queue) need(m *mark, write bool) {
	q.epoch++
	m.now().read, m.changed = true, write
	for i := len(q.calls) - 1; i >= 0; i-- {
		c := &q.calls[i]
		for _, u := range c.Uses() {
			m := marked(u.Storage)
			c.needed = c.needed || m.changed || m.read && u.Changes
		}
		if !c.needed {
			continue
		}
		for _, u := range c.Uses() {
			m := marked(u.Storage)
			m.read, m.changed = true, m.changed || u.Changes
		}
	}
}

// runNeeded runs the marked calls and keeps the others.
func (q *Queue) runNeeded() error {
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
func (q *Queue) run() (err error) {
	q.running = true
	defer func() {
		clear(q.batch)
		q.running = false
	}()
	rest := q.batch
	for len(rest) > 0 {
		n := group(rest)
		t, err := q.runGroup(rest[:n])
		clear(q.group)
		if err != nil {
			return q.fail(rest, t, entity.Located(err, "called", rest[t.At].site.Site()))
		}
		rest = rest[n:]
	}
	return nil
}

// Before implements run.Queue: it runs the pending calls on which an operation depends that runs at once.
func (q *Queue) Before(o run.Operation) error {
	if q.running {
		return nil
	}
	if err := q.forceUses(o.Uses(), false); err != nil {
		return err
	}
	if err := q.Admit(o); err != nil {
		return err
	}
	return q.forceUses(o.Uses(), true)
}

// forceUses runs the pending calls that must precede uses: those that overwrite a whole
// storage, or else the others.
func (q *Queue) forceUses(uses []run.Use, whole bool) error {
	for _, u := range uses {
		if m := markOf(u.Storage); m != nil && u.Whole == whole {
			if err := q.force(m, u.Changes, whole); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail handles an error within the given calls. The interrupted ones may have run in part, so their
// results are lost; later ones have not run. Of these, calls that depend on lost values are dropped, and
// their results are lost, too; the others are pending again.
func (q *Queue) fail(calls []queued, t chains.Affected, err error) error {
	if q.rt.Config().Backend.Stop.Err() != nil { // nothing runs any more, but data can still be read
		q.takeAll(nil)
		return err
	}
	for i := t.First; i < t.Last; i++ {
		if c := &calls[i]; c.Loop != nil {
			c.lose(err)
		} else { // an assignment has taken place all the same
			markOf(c.Set.Storage()).lost = nil
		}
	}
	waiting := append(q.takeAll(nil), calls[t.Last:]...)
	sorting.By(waiting, func(a, b queued) int { return cmp.Compare(a.number, b.number) })
	for i := range waiting {
		if c := &waiting[i]; c.depends() {
			c.lose(err)
		} else {
			q.append(*c)
		}
	}
	return err
}

// Drop implements run.Queue.
func (q *Queue) Drop(objects entity.Objects) {
	q.chains.drop(objects)
	q.prune(nil)
}

// DropChains implements run.Queue.
func (q *Queue) DropChains() {
	if !q.running {
		q.chains.clear()
	}
}

// Waiting returns the number of pending calls.
func (q *Queue) Waiting() int { return len(q.calls) }

// Chains returns the number of chains made of repeated calls.
func (q *Queue) Chains() int {
	n := 0
	for _, s := range q.chains.order {
		if s.chain != nil {
			n++
		}
	}
	return n
}
