package mpi

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/native"
)

// piece is the largest number of bytes in one message of MPI, whose counts are 32-bit: longer
// messages are sent in pieces. Tests make it small.
var piece = 1 << 30

// pieces returns the pieces of a message; at least one.
func pieces(data []byte) [][]byte {
	if len(data) <= piece {
		return [][]byte{data}
	}
	return slices.Collect(slices.Chunk(data, piece))
}

// exchange is a set of persistent requests.
type exchange struct {
	comm      *Comm
	receiving operation
	sending   operation
	receives  []comm.Message
	started   bool
	received  bool
}

// Prepare returns a fixed set of messages.
func (c *Comm) Prepare(sends, receives []comm.Message) (comm.Exchange, error) {
	if err := comm.Check(c.size, slices.Concat(receives, sends)); err != nil {
		return nil, err
	}
	e := &exchange{comm: c, receives: slices.Clone(receives)}
	if err := c.err(); err != nil {
		return nil, err
	}
	f := &c.library.functions
	err := c.prepare(&e.receiving, f.MPI_Recv_init, receives)
	if err == nil {
		err = c.prepare(&e.sending, f.MPI_Send_init, sends)
	}
	if err != nil {
		e.Free()
		return nil, err
	}
	e.receiving.statuses = c.library.newStatuses(e.receiving.requests.n)
	e.sending.sends = true
	return e, nil
}

// prepare makes the requests of messages that are received, or sent.
func (c *Comm) prepare(o *operation, f native.Function, messages []comm.Message) error {
	n := 0
	for _, m := range messages {
		n += len(pieces(m.Data))
	}
	l := c.library
	o.requests, o.memory = l.newRequests(n), slices.Clone(messages)
	for _, m := range messages {
		for _, p := range pieces(m.Data) {
			err := l.call(f, data(p), uintptr(len(p)), l.bytes, uintptr(m.Rank), uintptr(m.Tag), l.handle(c.data), o.requests.at(len(o.with)))
			if err != nil {
				o.requests.n = len(o.with)
				return err
			}
			o.with = append(o.with, m.Rank)
		}
	}
	return nil
}

// Start starts all requests.
func (e *exchange) Start() error {
	c := e.comm
	if err := c.err(); err != nil {
		return err
	}
	if e.started {
		return errors.New("an exchange is started that has not been waited for")
	}
	e.started, e.received = true, false
	for _, o := range []*operation{&e.receiving, &e.sending} {
		c.begin(o)
		if o.requests.n == 0 {
			continue
		}
		if err := c.library.call(c.library.functions.MPI_Startall, uintptr(o.requests.n), o.requests.at(0)); err != nil {
			return err
		}
		c.progress.under(o)
	}
	return nil
}

// Receive waits for the messages of others. The first one checks that they have the expected lengths.
func (e *exchange) Receive() error {
	if !e.started || e.received {
		return e.comm.err()
	}
	err := e.comm.await(&e.receiving)
	var failed *Error
	if errors.As(err, &failed) {
		return e.describe(failed)
	}
	if err != nil {
		return err
	}
	e.received = true
	if e.receiving.statuses == nil {
		return nil
	}
	err = e.check()
	e.receiving.statuses = nil
	return err
}

// Wait waits for all messages.
func (e *exchange) Wait() error {
	if err := e.Receive(); err != nil || !e.started {
		return err
	}
	if err := e.comm.await(&e.sending); err != nil {
		return err
	}
	e.started = false
	return nil
}

// check returns an error if a message that has come has another length.
func (e *exchange) check() error {
	l, i := e.comm.library, 0
	for _, m := range e.receives {
		came := 0
		for range pieces(m.Data) {
			n, err := l.length(l.statusOf(e.receiving.statuses, i))
			if err != nil {
				return err
			}
			came += n
			i++
		}
		if came != len(m.Data) {
			return fmt.Errorf("a message of %d bytes with tag %d came from rank %d, %d were expected", came, m.Tag, m.Rank, len(m.Data))
		}
	}
	return nil
}

// describe returns an error of an exchange with the message that has failed.
func (e *exchange) describe(err *Error) error {
	l, i := e.comm.library, 0
	if int(err.Class) != l.abi.inStatus || e.receiving.statuses == nil {
		return err
	}
	for _, m := range e.receives {
		for range pieces(m.Data) {
			code := l.statusOf(e.receiving.statuses, i).field(l.abi.err)
			i++
			if code == 0 {
				continue
			}
			var failed *Error
			switch errors.As(l.error(int32(code)), &failed); int(failed.Class) {
			case l.abi.pending:
			case l.abi.truncated:
				return fmt.Errorf("a longer message with tag %d came from rank %d, %d were expected: %w", m.Tag, m.Rank, len(m.Data), failed)
			default:
				return fmt.Errorf("a message with tag %d from rank %d: %w", m.Tag, m.Rank, failed)
			}
		}
	}
	return err
}

// Free frees the requests, unless MPI still works on them.
func (e *exchange) Free() {
	process.Lock()
	defer process.Unlock()
	if e.started || process.ended {
		return
	}
	l := e.comm.library
	for _, o := range []*operation{&e.receiving, &e.sending} {
		for i := range o.requests.n {
			l.call(l.functions.MPI_Request_free, o.requests.at(i))
		}
		o.requests.n = 0
	}
}
