// Package comm connects the ranks of a run: the processes of an MPI job, or goroutines of one
// process. Both are a Comm, so that tests of one hold for the other.
package comm

import (
	"errors"
	"fmt"
	"math"
	"time"
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
	// Name describes the connection of the ranks: "Open MPI 4.1.4", "goroutines".
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
	// Reduce starts to combine results of all ranks; each gets them, in place, bit for bit the same
	// on all. Those of operations of the program, and of records, are combined in the order of ranks.
	// The operation may be called in any call of the Comm until the request has been waited for, also
	// while the rank computes.
	Reduce(r loop.Reduction, values unsafe.Pointer) (Request, error)
	// Broadcast copies data from the root to all ranks; all pass the same length.
	Broadcast(root int, data []byte) error

	// Split connects the ranks that pass the same number, from 0, with each other, in their order. Where ranks are
	// goroutines, one that fails here does so there, too; processes of MPI are ended by their launcher.
	Split(number int) (Comm, error)

	// Computes makes exchanges and reductions that have been started go on. The rank then computes for
	// about so long, during which they go on, too, if that is long. It does not communicate.
	Computes(about time.Duration)

	// Meet waits until all ranks call it, or Close. A rank that comes here early is not waited for: a
	// call of another that needs it fails as if it had closed.
	Meet() error

	// Fail tells the other ranks that this one has failed, and why: their calls, also those that
	// wait, return a *Failure, as later calls of this rank do. It returns the error to report, which
	// wraps why and names the rank; it may also say what other ranks have reported. A *Failure that
	// a call has returned is returned as it is. Fail is not collective, and may be called at any
	// time.
	Fail(why error) error
	// Close ends the communication of this rank. Calls of other ranks that need it fail. Close may
	// wait for the others to close theirs, except after a failure.
	Close() error
}

// Message is a message to or from another rank.
type Message struct {
	Rank int
	Tag  int // from 0 to MaxTag
	Data []byte
}

// MaxTag is the largest tag that every implementation has. The functions of this package use it.
const MaxTag = 1<<15 - 1

// Check returns an error if the messages are not suitable for a run of size ranks.
func Check(size int, messages []Message) error {
	for _, m := range messages {
		if m.Rank < 0 || m.Rank >= size || m.Tag < 0 || m.Tag > MaxTag {
			return fmt.Errorf("a message with rank %d and tag %d: ranks are 0 to %d, tags 0 to %d", m.Rank, m.Tag, size-1, MaxTag)
		}
	}
	return nil
}

// CheckConsensus returns an error if the messages cannot be sent with Consensus.
func CheckConsensus(size int, messages []Message) error {
	to := make(map[int]bool, len(messages))
	for _, m := range messages {
		if to[m.Rank] {
			return fmt.Errorf("several messages to rank %d in one Consensus", m.Rank)
		}
		to[m.Rank] = true
	}
	return Check(size, messages)
}

// CheckSplit returns an error if ranks cannot be split by such a number.
func CheckSplit(number int) error {
	if number < 0 || number > math.MaxInt32 {
		return fmt.Errorf("ranks are split by numbers from 0 to %d, not %d", math.MaxInt32, number)
	}
	return nil
}

// CheckRoot returns an error if root is not a rank of a run of size ranks.
func CheckRoot(size, root int) error {
	if root < 0 || root >= size {
		return fmt.Errorf("the root is rank %d: ranks are 0 to %d", root, size-1)
	}
	return nil
}

// Exchange is a prepared set of messages.
type Exchange interface {
	// Start starts to receive and to send the current contents of the messages.
	Start() error
	// Receive waits until all have been received. Until Wait, those that are sent must not change:
	// others may not have received them yet. Without Start it returns at once.
	Receive() error
	// Wait waits until all have been received and sent. Without Start it returns at once.
	Wait() error
	// Free releases the exchange, which has not been started, or waited for.
	Free()
}

// Request is a call that continues in the background.
type Request interface {
	// Wait waits until the call has ended. Later calls return the same.
	Wait() error
}

// ErrClosed is returned by calls of a Comm that has been closed.
var ErrClosed = errors.New("the communication has ended")
