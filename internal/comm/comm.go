// Package comm connects the ranks of a run: the processes of an MPI job, or goroutines of one
// process. Both are a Comm, so that whatever works on one is tested on the other.
package comm

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Comm connects one rank with all others. Its calls are collective, unless they say otherwise: each
// rank makes the same ones in the same order. One goroutine of a rank calls at a time.
//
// Memory that is passed to a call that continues after it returns belongs to the Comm until the
// request or exchange has been waited for. It must not be on a stack.
type Comm interface {
	// Rank returns the number of this rank, from 0; Size the number of ranks. Neither communicates.
	Rank() int
	Size() int
	// Name describes what connects the ranks: "Open MPI 4.1.4", "goroutines".
	Name() string

	// Prepare returns a fixed set of messages to and from other ranks, which can be exchanged many
	// times. It does not communicate, and only ranks that have messages need to call it. A message
	// that one rank sends with a tag is the one that the other receives from it with that tag: the
	// first sent is the first received.
	Prepare(sends, receives []Message) (Exchange, error)
	// Consensus sends messages to ranks that do not expect them, and returns those that came to
	// this rank, by ascending ranks: at most one from each. It takes time in proportion to the
	// messages of a rank and the logarithm of the number of ranks (Hoefler, Siebert, Lumsdaine,
	// 2010: scalable communication protocols for dynamic sparse data exchange).
	Consensus(sends []Message) ([]Message, error)
	// Reduce starts to combine count results of all ranks; each gets them, in place, bit for bit
	// the same on all.
	Reduce(r loop.Reduction, values unsafe.Pointer) (Request, error)
	// Broadcast copies data from the root to all ranks; all pass the same length.
	Broadcast(root int, data []byte) error

	// Fail tells the other ranks that this one has failed, and why: their calls, also those that
	// wait, return a *Failure. It is not collective, and may be called at any time.
	Fail(why error)
	// Close ends the communication of this rank. After Fail it waits for nobody.
	Close() error
}

// Message is a message to or from another rank.
type Message struct {
	Rank int
	Tag  int // from 0 to MaxTag
	Data []byte
}

// MaxTag is the largest tag that every implementation has.
const MaxTag = 1<<15 - 1

// Exchange is a prepared set of messages.
type Exchange interface {
	// Start starts to receive and to send the current contents of the messages.
	Start() error
	// Wait waits until all have been received and sent.
	Wait() error
	// Free releases the exchange, which has not been started, or waited for.
	Free()
}

// Request is a call that continues in the background.
type Request interface{ Wait() error }

// Failure reports that another rank has failed.
type Failure struct {
	Rank int
	Why  string
}

func (f *Failure) Error() string { return fmt.Sprintf("rank %d: %s", f.Rank, f.Why) }

// ErrClosed is returned by calls of a Comm that has been closed.
var ErrClosed = errors.New("the communication has ended")
