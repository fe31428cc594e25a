package mpi

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// request is a reduction that is under way.
type request struct {
	comm      *Comm
	operation *operation
	form      form
	combining *combining     // if MPI calls the program to combine values; or nil
	result    unsafe.Pointer // of MPI
	values    unsafe.Pointer
	done      bool
	err       error
}

// Reduce combines values with MPI's own operations, and with those of the program, which MPI calls.
func (c *Comm) Reduce(r loop.Reduction, values unsafe.Pointer) (comm.Request, error) {
	if r.Dim > math.MaxInt32 {
		return nil, fmt.Errorf("a reduction of %d values, at most %d are possible", r.Dim, math.MaxInt32)
	}
	q := &request{comm: c, values: values}
	o, err := c.collective("Reduce", q)
	if err != nil {
		return nil, err
	}
	q.operation, o.reduces = o, r
	l := c.library
	var n int
	var kind, op uintptr
	if r.Access == loop.Reduce || r.Record != nil {
		q.combining = c.newCombining(r, o.number)
		q.form, n = q.combining.form(), 1
		if kind, op, err = l.element(q.combining.words()); err != nil {
			return nil, err
		}
	} else {
		q.form = formOf(r)
		n, kind, op = q.form.sent.Dim, l.types[q.form.sent.Type], l.ops[q.form.sent.Access]
	}
	q.result = q.form.sent.New()
	q.form.encode(q.result, values)
	within := c.data
	if r.Loop {
		within = c.loops
	}
	err = l.call(l.functions.MPI_Iallreduce, uintptr(l.abi.inPlace), uintptr(q.result), uintptr(n), kind, op, l.handle(within), o.requests.at(0))
	c.progress.under(o)
	return q, err
}

// Wait waits for the result.
func (q *request) Wait() error {
	if q.done {
		return q.err
	}
	q.done, q.err = true, q.comm.await(q.operation)
	if q.err == nil && q.combining != nil {
		q.err = q.combining.end(q.result)
	}
	if q.err == nil {
		q.form.decode(q.values, q.result)
	}
	return q.err
}

// Broadcast copies data from the root, in pieces if it is long.
func (c *Comm) Broadcast(root int, bytes []byte) error {
	if err := comm.CheckRoot(c.size, root); err != nil {
		return err
	}
	l := c.library
	for _, p := range pieces(bytes) {
		o, err := c.collective("Broadcast", p)
		if err != nil {
			return err
		}
		if err := l.call(l.functions.MPI_Ibcast, data(p), uintptr(len(p)), l.bytes, uintptr(root), l.handle(c.casts), o.requests.at(0)); err != nil {
			return err
		}
		if err := c.await(o); err != nil {
			return err
		}
	}
	return nil
}

// consensusTag returns the tag of MPI for a message of a Consensus. Two follow each other with
// different parities, since a rank may be one ahead.
func consensusTag(parity, tag int) int { return 1 + parity + 2*tag }

// Consensus sends with synchronous sends, which end when the message is received, and enters a
// barrier when all have ended: when all ranks are in the barrier, all messages have come.
func (c *Comm) Consensus(sends []comm.Message) ([]comm.Message, error) {
	if err := comm.CheckConsensus(c.size, sends); err != nil {
		return nil, err
	}
	memory := slices.Clone(sends)
	o, err := c.collective("Consensus", memory)
	if err != nil {
		return nil, err
	}
	parity := c.round % 2
	c.round++
	l, n := c.library, 0
	for _, m := range sends {
		n += len(pieces(m.Data))
	}
	o.requests = l.newRequests(n)
	i := 0
	for _, m := range sends {
		for _, p := range pieces(m.Data) {
			err := l.call(l.functions.MPI_Issend, data(p), uintptr(len(p)), l.bytes, uintptr(m.Rank), uintptr(consensusTag(parity, m.Tag)),
				l.handle(c.control), o.requests.at(i))
			if err != nil {
				return nil, err
			}
			i++
		}
	}
	inBarrier := false
	o.poll = true
	o.more = func() (bool, error) {
		if inBarrier {
			return c.received(parity), nil
		}
		inBarrier = true
		o.requests = l.newRequests(1)
		return false, l.call(l.functions.MPI_Ibarrier, l.handle(c.rounds), o.requests.at(0))
	}
	if err := c.await(o); err != nil {
		return nil, err
	}
	return c.take(parity), nil
}

// received reports whether all that has come in this Consensus has been received.
func (c *Comm) received(parity int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !slices.ContainsFunc(c.came[parity], func(a *arrival) bool { return !a.done })
}

// take returns the messages of this Consensus.
func (c *Comm) take(parity int) []comm.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	came := c.came[parity]
	c.came[parity] = nil
	sorting.By(came, func(a, b *arrival) int { return cmp.Compare(a.from, b.from) })
	var messages []comm.Message
	for _, a := range came {
		if last := len(messages) - 1; last >= 0 && messages[last].Rank == a.from { // a further piece
			messages[last].Data = append(messages[last].Data, a.data...)
			continue
		}
		messages = append(messages, comm.Message{Rank: a.from, Tag: (a.tag - 1) / 2, Data: a.data})
	}
	return messages
}
