package mpi

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
)

// A Config says how a Comm handles failures. Zero values stand for the usual ones.
type Config struct {
	// Collect is how long a rank that fails waits for what others report, so that one speaks for
	// all.
	Collect time.Duration
	// Patience is how long a rank that learns of a failure waits to be ended by the launcher before
	// it returns the failure.
	Patience time.Duration
	// Suspect is how long Close waits for the others before it tells them, in case they wait for
	// this rank; and how long they then wait for messages that may be under way.
	Suspect time.Duration
}

func (c Config) orUsual() Config {
	usual := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	usual(&c.Collect, 300*time.Millisecond)
	usual(&c.Patience, 3*time.Second)
	usual(&c.Suspect, time.Second)
	return c
}

// Comm is a comm.Comm of all ranks of the MPI job.
type Comm struct {
	library       *Library
	config        Config
	rank, size    int
	data, control *uint64 // handles of communicators: of messages and reductions; of notices and Consensus

	rounds int          // of Consensus
	active []*operation // that MPI works on

	mu       sync.Mutex // of what follows: Fail may be called at any time
	calls    int        // collective calls so far
	closed   bool
	own      *comm.Failure
	alone    *comm.Failure   // a rank that others wait for has ended
	failures []*comm.Failure // of others, as they came
	lingered atomic.Bool     // has waited to be ended by the launcher, or has no reason to
	ended    map[int]ending  // ranks that have closed their Comm, and suspect that others wait for them
	coming   []*arrival      // messages on control that are being received
	came     [2][]*arrival   // messages of this Consensus and the next, by parity
	notices  []*notice       // to others
	probed   *probed
}

// Open connects this process with all others of the MPI job. It is collective; a process can open
// several Comms, in the same order on all ranks.
func Open(config Config) (*Comm, error) {
	l, err := retain()
	if err != nil {
		return nil, err
	}
	c := &Comm{library: l, config: config.orUsual(), data: new(uint64), control: new(uint64), ended: map[int]ending{}}
	c.probed = &probed{status: l.statusOf(l.newStatuses(1), 0)}
	if err := c.connect(); err != nil {
		end(false)
		return nil, err
	}
	return c, nil
}

// connect duplicates the communicator of all processes: no one else's messages are in it.
func (c *Comm) connect() error {
	l, f := c.library, &c.library.functions
	rank, size := new(int32), new(int32)
	if err := l.call(f.rank, l.world, uintptr(unsafe.Pointer(rank))); err != nil {
		return err
	}
	if err := l.call(f.size, l.world, uintptr(unsafe.Pointer(size))); err != nil {
		return err
	}
	c.rank, c.size = int(*rank), int(*size)
	if err := l.checkTags(); err != nil {
		return err
	}
	for _, handle := range []*uint64{c.data, c.control} {
		r := l.newRequests(1)
		if err := l.call(f.duplicate, l.world, uintptr(unsafe.Pointer(handle)), r.at(0)); err != nil {
			return err
		}
		var p pause
		for {
			done, err := l.test(r, nil)
			if err != nil {
				return err
			}
			if done {
				break
			}
			p.turn()
		}
		if err := l.call(f.handler, l.handle(handle), l.returns); err != nil {
			return err
		}
	}
	return nil
}

// Rank returns the number of this rank.
func (c *Comm) Rank() int { return c.rank }

// Size returns the number of ranks.
func (c *Comm) Size() int { return c.size }

// Name returns the name and version of the library.
func (c *Comm) Name() string { return c.library.Name }

// Library returns the library.
func (c *Comm) Library() *Library { return c.library }

// Handle returns the MPI_Comm, for other libraries, which duplicate it.
func (c *Comm) Handle() uintptr { return c.library.handle(c.data) }

// An operation is a call of MPI that continues after it returns.
type operation struct {
	requests requests
	statuses []byte                        // of the messages when they have come, or nil
	number   int                           // of a collective call
	from     []int                         // ranks from which the first requests receive
	memory   any                           // that MPI reads and writes
	place    int                           // in active
	more     func() (done bool, err error) // further condition of its end, or nil
	look     func()                        // what else to do now and then, or nil
	poll     bool                          // messages of a Consensus are expected
}

// begin records an operation, whose memory stays reachable until end.
func (c *Comm) begin(o *operation) {
	o.place = len(c.active)
	c.active = append(c.active, o)
}

func (c *Comm) end(o *operation) {
	last := len(c.active) - 1
	c.active[o.place] = c.active[last]
	c.active[o.place].place = o.place
	c.active[last] = nil
	c.active = c.active[:last]
}

// collective begins a collective call.
func (c *Comm) collective(memory any) (*operation, error) {
	if err := c.err(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.calls++
	o := &operation{requests: c.library.newRequests(1), number: c.calls, memory: memory}
	c.mu.Unlock()
	c.begin(o)
	return o, nil
}

// await waits for the end of an operation.
func (c *Comm) await(o *operation) error {
	var p pause
	for {
		done, err := c.library.test(o.requests, o.statuses)
		if err != nil {
			return err
		}
		if done && o.more != nil {
			if done, err = o.more(); err != nil {
				return err
			}
		}
		if done {
			c.end(o)
			return nil
		}
		if p.turn() || o.poll {
			if o.look != nil {
				o.look()
			}
			if err := c.look(o); err != nil {
				return err
			}
		}
	}
}

// Close ends the communication of this rank, and MPI if it is the last Comm of the process. It waits
// for all ranks, unless one has failed. Close in a panic fails.
func (c *Comm) Close() error {
	err := c.err()
	if err == comm.ErrClosed {
		return nil
	}
	failed := err != nil
	if !failed && c.alone != nil {
		c.begins(c.alone)
		failed = true
	}
	if !failed && panics() {
		c.begins(errors.New("a panic"))
		failed = true
	}
	err = nil
	if !failed {
		err = c.part()
	}
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	if failed || err != nil || len(c.active) > 0 {
		keep(c)
	}
	return errors.Join(err, end(!failed && err == nil))
}

// panics reports whether the goroutine runs deferred calls of a panic, or of its end.
func panics() bool {
	pc := make([]uintptr, 256)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit" {
			return true
		}
		if !more {
			return false
		}
	}
}

// part waits until all ranks close their Comm, and frees it: not before the notices of all have been
// received, which would reach the next one otherwise.
func (c *Comm) part() error {
	since := time.Now()
	suspect := func() {
		if time.Since(since) > c.config.Suspect && !c.lingered.Swap(true) { // others may fail because of this rank, which then says why it ends
			c.mu.Lock()
			c.tell(ends, "")
			c.mu.Unlock()
		}
	}
	if err := c.meet(suspect); err != nil {
		return err
	}
	for _, n := range c.notices {
		o := &operation{requests: n.requests, memory: n}
		c.begin(o)
		if err := c.await(o); err != nil {
			return err
		}
	}
	if err := c.meet(nil); err != nil {
		return err
	}
	l := c.library
	for _, handle := range []*uint64{c.control, c.data} {
		if err := l.call(l.functions.free, uintptr(unsafe.Pointer(handle))); err != nil {
			return err
		}
	}
	return nil
}

// meet waits until all ranks close their Comm.
func (c *Comm) meet(look func()) error {
	l := c.library
	o := &operation{requests: l.newRequests(1), look: look}
	c.begin(o)
	if err := l.call(l.functions.barrier, l.handle(c.control), o.requests.at(0)); err != nil {
		return err
	}
	return c.await(o)
}
