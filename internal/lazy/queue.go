// Package lazy lets the calls of a runtime wait until somebody wants what they compute. Those in vain never
// run, and sequences of calls that come again become chains.
package lazy

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// Queue holds the calls of loops that have not run yet, on a runtime with lazy evaluation. They run
// when somebody wants what they compute: a storage that a queued call uses waits for the queue, so that
// whoever reads or writes its values on the host makes those calls run that it must. Calls keep their
// order as far as one depends on the other.
type Queue struct {
	rt      *core.Runtime
	calls   []queued // in the order of the program
	number  uint64   // of the last call
	running bool

	replaced int    // queued calls that replace all values of a storage, so that others may be in vain
	epoch    uint64 // of marks; see mark
	marks    uint64 // so far
	batch    []queued
	consts   *constValues // at the last call of a loop that has some
	chains   sequences
}

// Attach gives a runtime a queue, if its configuration asks for one, unless each call must run at its
// place: for diagnostics, and on several ranks, all of which must agree on what runs.
func Attach(rt *core.Runtime) {
	if c := rt.Config(); c.Lazy && !c.Static && !c.Backend.Poison && rt.Ranks() == 1 {
		rt.LetWait(&Queue{rt: rt})
	}
}

// queued is a call in the queue: of a loop, or the assignment of new values to a global.
type queued struct {
	loop   *core.Loop
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
	uses   [1]core.Use
	values []byte
}

// newAssignment returns the assignment of values.
func newAssignment(g *core.Data, values []byte) *assignment {
	return &assignment{[1]core.Use{{Storage: g.Storage(), Name: g.Name(), Changes: true, Whole: true}}, values[:g.Storage().Bytes()]}
}

// storage returns the storage of the global.
func (a *assignment) storage() *core.Storage { return a.uses[0].Storage }

// uses returns what the call does with storages.
func (c *queued) uses() []core.Use {
	if c.loop == nil {
		return c.assign.uses[:]
	}
	return c.loop.Uses()
}

// mostQueued limits the queue.
const mostQueued = 256

// Call implements core.Queue: it queues the call of a loop that is ready.
func (q *Queue) Call(l *core.Loop) (waits bool, err error) { return true, q.add(l, nil) }

// CallWith implements core.Queue.
func (q *Queue) CallWith(l *core.Loop, g *core.Data, values []byte) error {
	return q.add(l, newAssignment(g, values))
}

// Assign implements core.Queue.
func (q *Queue) Assign(g *core.Data, values []byte) {
	a := newAssignment(g, values)
	if m := markOf(g.Storage()); m != nil && m.calls > 0 {
		q.push(queued{assign: a})
		return
	}
	a.to(a.storage())
}

// add queues the call of a loop that is ready, with an assignment for this call alone unless that is
// nil.
func (q *Queue) add(l *core.Loop, with *assignment) error {
	if err := q.rt.Config().Backend.Stop.Err(); err != nil {
		return problem.Errorf("op2: %s: %w", l.Name(), err)
	}
	if err := q.Admit(l); err != nil {
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

// push appends a new call.
func (q *Queue) push(c queued) {
	q.number++
	c.number = q.number
	q.append(c)
}

// append appends a call. Values that it replaces as a whole are lost no more.
func (q *Queue) append(c queued) {
	for _, u := range c.uses() {
		m := q.mark(u.Storage)
		m.calls++
		if u.Whole && u.Changes {
			q.replaced++
			m.lost = nil
		}
	}
	q.calls = append(q.calls, c)
}

// left updates the marks after a call has left the queue.
func (q *Queue) left(c *queued) {
	for _, u := range c.uses() {
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

// Run implements core.Queue: it runs all calls whose results somebody can see.
func (q *Queue) Run() error {
	if len(q.calls) == 0 || q.running {
		return nil
	}
	q.prune(nil)
	q.batch = q.takeAll(q.batch[:0])
	return q.run()
}

// shorten runs the calls of a full queue but for those of the last group, which may go on.
func (q *Queue) shorten() error {
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

// force runs the calls that are needed before the values of a storage are read, before some are written,
// or before all are replaced: then, those that would only have computed the ones there now never run.
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

// prune drops the calls whose results nobody can see: values that later calls replace before they are
// read, those that are about to be replaced, and those of data that the program no longer has.
func (q *Queue) prune(replaced *mark) {
	if q.replaced == 0 && replaced == nil && !q.someGone() {
		return
	}
	q.epoch++
	if replaced != nil {
		replaced.now().dead = true
	}
	for i := range q.calls {
		for _, u := range q.calls[i].uses() {
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
		for _, u := range c.uses() {
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

// visible reports whether somebody can see what a call changes. Loops that change nothing may print.
func (q *Queue) visible(c *queued) bool {
	changes := false
	for _, u := range c.uses() {
		if u.Changes {
			changes = true
			if !marked(u.Storage).dead {
				return true
			}
		}
	}
	return !changes
}

// someGone reports whether the program no longer has some of the data that queued calls change.
func (q *Queue) someGone() bool {
	for i := range q.calls {
		for _, u := range q.calls[i].uses() {
			if u.Changes && u.Storage.Gone() {
				return true
			}
		}
	}
	return false
}

// need marks the calls that are needed before the values of a storage are read, or written: those that
// change what is read, those that use what is written, and those that these need.
func (q *Queue) need(m *mark, write bool) {
	q.epoch++
	m.now().read, m.changed = true, write
	for i := len(q.calls) - 1; i >= 0; i-- {
		c := &q.calls[i]
		for _, u := range c.uses() {
			m := marked(u.Storage)
			c.needed = c.needed || m.changed || m.read && u.Changes
		}
		if !c.needed {
			continue
		}
		for _, u := range c.uses() {
			m := marked(u.Storage)
			m.read, m.changed = true, m.changed || u.Changes
		}
	}
}

// runNeeded runs the calls that are marked, and keeps the others.
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
		n := q.group(rest)
		if t, err := q.runGroup(rest[:n]); err != nil {
			return q.fail(rest, t, core.Located(err, "called", rest[t.At].site.Site()))
		}
		rest = rest[n:]
	}
	return nil
}

// Before implements core.Queue: it runs the queued calls that must run before a loop that is not queued.
func (q *Queue) Before(l *core.Loop) error {
	if q.running {
		return nil
	}
	if err := q.forceUses(l, false); err != nil {
		return err
	}
	if err := q.Admit(l); err != nil {
		return err
	}
	return q.forceUses(l, true)
}

// forceUses runs the queued calls that must run before the values are used all of which the loop
// replaces, or before the others are.
func (q *Queue) forceUses(l *core.Loop, whole bool) error {
	for _, u := range l.Uses() {
		if m := markOf(u.Storage); m != nil && u.Whole == whole {
			if err := q.force(m, u.Changes, whole); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail handles the error of calls some of which have run in part; the later ones have not run. Those
// that depend on what these should have computed never run, and what they should have computed is lost,
// too; the others wait again.
func (q *Queue) fail(calls []queued, t core.Torn, err error) error {
	if q.rt.Config().Backend.Stop.Err() != nil { // then nothing runs any more, but data can be read
		q.takeAll(nil)
		return err
	}
	for i := t.First; i < t.Last; i++ {
		if c := &calls[i]; c.loop != nil {
			c.lose(err)
		} else { // which has taken place
			markOf(c.assign.storage()).lost = nil
		}
	}
	waiting := append(q.takeAll(nil), calls[t.Last:]...)
	slices.SortFunc(waiting, func(a, b queued) int { return cmp.Compare(a.number, b.number) })
	for i := range waiting {
		if c := &waiting[i]; c.depends() {
			c.lose(err)
		} else {
			q.append(*c)
		}
	}
	return err
}

// Drop implements core.Queue.
func (q *Queue) Drop(objects core.Objects) {
	q.chains.drop(objects)
	q.prune(nil)
}

// DropChains implements core.Queue.
func (q *Queue) DropChains() {
	if !q.running {
		q.chains.clear()
	}
}

// Waiting returns the number of calls that wait.
func (q *Queue) Waiting() int { return len(q.calls) }

// Chains returns the number of chains that repeated calls have become.
func (q *Queue) Chains() int {
	n := 0
	for _, s := range q.chains.order {
		if s.chain != nil {
			n++
		}
	}
	return n
}
