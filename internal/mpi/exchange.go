package mpi

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
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

// exchange is a set of persistent requests: first those to receive.
type exchange struct {
	comm      *Comm
	operation operation
	receives  []comm.Message
	started   bool
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
	n := 0
	for _, m := range slices.Concat(receives, sends) {
		n += len(pieces(m.Data))
	}
	l := c.library
	o := &e.operation
	o.requests, o.memory, o.statuses = l.newRequests(n), [2][]comm.Message{slices.Clone(receives), slices.Clone(sends)}, l.newStatuses(n)
	i := 0
	for direction, messages := range [][]comm.Message{receives, sends} {
		f := []uintptr{l.functions.receiveInit, l.functions.sendInit}[direction]
		for _, m := range messages {
			for _, p := range pieces(m.Data) {
				err := l.call(f, data(p), uintptr(len(p)), l.bytes, uintptr(m.Rank), uintptr(m.Tag), l.handle(c.data), o.requests.at(i))
				if err != nil {
					o.requests.n = i
					e.Free()
					return nil, err
				}
				i++
				if direction == 0 {
					o.from = append(o.from, m.Rank)
				}
			}
		}
	}
	return e, nil
}

// Start starts all requests.
func (e *exchange) Start() error {
	c, r := e.comm, e.operation.requests
	if err := c.err(); err != nil {
		return err
	}
	if e.started {
		return errors.New("an exchange is started that has not been waited for")
	}
	e.started = true
	c.begin(&e.operation)
	if r.n == 0 {
		return nil
	}
	return c.library.call(c.library.functions.startAll, uintptr(r.n), r.at(0))
}

// Wait waits for all messages. The first one checks that they have the expected lengths.
func (e *exchange) Wait() error {
	if !e.started {
		return e.comm.err()
	}
	err := e.comm.await(&e.operation)
	var failed *Error
	if errors.As(err, &failed) {
		return e.describe(failed)
	}
	if err != nil {
		return err
	}
	e.started = false
	if e.operation.statuses == nil {
		return nil
	}
	err = e.check()
	e.operation.statuses = nil
	return err
}

// check returns an error if a message that has come has another length.
func (e *exchange) check() error {
	l, i := e.comm.library, 0
	for _, m := range e.receives {
		came := 0
		for range pieces(m.Data) {
			n, err := l.length(l.statusOf(e.operation.statuses, i))
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
	if int(err.Class) != l.abi.inStatus || e.operation.statuses == nil {
		return err
	}
	for _, m := range e.receives {
		for range pieces(m.Data) {
			code := l.statusOf(e.operation.statuses, i).field(l.abi.err)
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
	r, l := e.operation.requests, e.comm.library
	if e.started || process.ended {
		return
	}
	for i := range r.n {
		l.call(l.functions.freeRequest, r.at(i))
	}
	e.operation.requests.n = 0
}
