package mpi

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// A Config says how a Comm handles failures. Zero values stand for the usual ones.
type Config struct {
	// Collect is how long a rank that fails waits for reports of others, so that one speaks for
	// all.
	Collect time.Duration
	// Patience is how long a rank that learns of a failure waits to be ended by the launcher before
	// it returns the failure.
	Patience time.Duration
	// Suspect is how long Close waits for the others before it tells them, in case they wait for
	// this rank; and how long they then wait for messages that may be under way.
	Suspect time.Duration
	// Slow is how long a rank waits until it tells rank 0 where.
	Slow time.Duration
	// Say writes a message to the user; nil writes none.
	Say func(text string)
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
	usual(&c.Slow, 3*time.Second)
	if c.Say == nil {
		c.Say = func(string) {}
	}
	return c
}

// Comm is a comm.Comm of ranks of the MPI job: all, or some that Split has connected.
type Comm struct {
	library    *Library
	config     Config
	rank, size int
	// Handles of communicators. Each kind of collective call has its own, so that ranks that make
	// different ones wait for each other, and do not take the values of one for those of the other.
	data    *uint64 // of messages, and of reductions that the library asks for
	loops   *uint64 // of reductions of loops, which can thus not be taken for others
	control *uint64 // of notices, messages of Consensus, and Close
	rounds  *uint64 // of barriers of Consensus
	casts   *uint64 // of Broadcast

	opened   uint64         // a number that no other Comm of its processes has
	round    int            // of Consensus
	active   []*operation   // that MPI works on; changed with the lock of progress
	recent   [16]*operation // the last collective calls
	progress *progress
	core     core

	mu       sync.Mutex // of what follows: Fail may be called at any time
	calls    int        // collective calls so far
	meets    int        // times that all ranks have met
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

	blamed int    // the rank for which another waits in vain; -1: none
	blames string // in these words

	slow map[int]*waiting // ranks that wait for long, on rank 0
	seen time.Time        // when rank 0 has looked at them
	said bool             // that this rank waits for very long
}

// Open connects this process with all others of the MPI job. It is collective; a process can open
// several Comms, in the same order on all ranks. A rank whose Open has returned may fail before that
// of another does, which then returns this failure.
func Open(config Config) (*Comm, error) {
	l, err := retain()
	if err != nil {
		return nil, err
	}
	return l.open(config.orUsual(), l.world)
}

// open connects the ranks of a communicator, for a use of the library that has been counted.
func (l *Library) open(config Config, of uintptr) (*Comm, error) {
	c := &Comm{library: l, config: config, ended: map[int]ending{}, blamed: -1, slow: map[int]*waiting{}}
	c.progress = &progress{comm: c, threads: l.multiple}
	c.probed = &probed{status: l.statusOf(l.newStatuses(1), 0)}
	err := c.connect(of)
	if err == nil {
		err = c.number()
	}
	if err != nil {
		keep(c)
		end(false)
		return nil, err
	}
	return c, nil
}

// Split connects the ranks that pass the same number.
func (c *Comm) Split(number int) (comm.Comm, error) {
	if err := comm.CheckSplit(number); err != nil {
		return nil, c.Fail(err)
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := c.barrier(nil); err != nil { // the library would wait for others forever
		return nil, err
	}
	l, err := retain()
	if err != nil {
		return nil, err
	}
	part := new(uint64)
	if err := l.call(l.functions.MPI_Comm_split, l.handle(c.control), uintptr(number), 0, uintptr(unsafe.Pointer(part))); err != nil {
		end(false)
		return nil, err
	}
	split, err := l.open(c.config, l.handle(part))
	if err != nil {
		return nil, err
	}
	return split, l.call(l.functions.MPI_Comm_free, uintptr(unsafe.Pointer(part)))
}

// number gives the Comm a number, which all its ranks have not given to another.
func (c *Comm) number() error {
	number := []int64{int64(opened.Load()) + 1}
	if err := comm.Max(c, number); err != nil {
		return err
	}
	c.opened = uint64(number[0])
	for last := opened.Load(); last < c.opened && !opened.CompareAndSwap(last, c.opened); last = opened.Load() {
	}
	return nil
}

// connect duplicates a communicator: no one else's messages are in it.
func (c *Comm) connect(of uintptr) error {
	l, f := c.library, &c.library.functions
	rank, size := new(int32), new(int32)
	if err := l.call(f.MPI_Comm_rank, of, uintptr(unsafe.Pointer(rank))); err != nil {
		return err
	}
	if err := l.call(f.MPI_Comm_size, of, uintptr(unsafe.Pointer(size))); err != nil {
		return err
	}
	c.rank, c.size = int(*rank), int(*size)
	if err := l.checkTags(); err != nil {
		return err
	}
	for _, at := range c.handles() {
		handle := new(uint64)
		*at = handle
		r := l.newRequests(1)
		if err := l.call(f.MPI_Comm_idup, of, uintptr(unsafe.Pointer(handle)), r.at(0)); err != nil {
			return err
		}
		p := pause{core: &c.core}
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
		if err := l.call(f.MPI_Comm_set_errhandler, l.handle(handle), l.returns); err != nil {
			return err
		}
	}
	return nil
}

// handles returns where the handles of the communicators are.
func (c *Comm) handles() []**uint64 {
	return []**uint64{&c.data, &c.loops, &c.control, &c.rounds, &c.casts}
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

// Files is what a library needs that accesses files through MPI.
type Files struct {
	Communicator, NoInfo uintptr // MPI_Comm, MPI_INFO_NULL
	Identity             uintptr // the address of MPI_Get_library_version, which tells whether it has been linked with this library
}

// Files returns what other libraries access files through; false if they cannot, because they would call MPI at the
// same time as this one, or because a constant of the library is not known.
func (c *Comm) Files() (Files, bool) {
	l := c.library
	return Files{c.Handle(), l.noInfo, l.functions.MPI_Get_library_version.Address}, l.multiple && l.noInfo != 0
}

// An operation is a call of MPI that continues after it returns.
type operation struct {
	requests   requests
	statuses   []byte                        // of the messages when they have come, or nil
	call       string                        // that is collective: "Consensus", "Reduce", "Broadcast"; "" for messages
	reduces    loop.Reduction                // of Reduce
	number     int                           // of a collective call
	with       []int                         // ranks that the requests are messages from, or to
	sends      bool                          // messages to others
	memory     any                           // that MPI reads and writes
	place      int                           // in active
	landed     int                           // leading requests known to have ended
	background bool                          // goes on while the program computes
	more       func() (done bool, err error) // further condition of its end, or nil
	look       func()                        // what else to do now and then, or nil
	poll       bool                          // messages of a Consensus are expected
	waiting    *waiting                      // what rank 0 has been told; nil: nothing
}

// begin records an operation, whose memory stays reachable until end.
func (c *Comm) begin(o *operation) {
	c.progress.mu.Lock()
	defer c.progress.mu.Unlock()
	o.place, o.landed, o.background = len(c.active), 0, false
	c.active = append(c.active, o)
}

func (c *Comm) end(o *operation) {
	c.progress.mu.Lock()
	defer c.progress.mu.Unlock()
	last := len(c.active) - 1
	c.active[o.place] = c.active[last]
	c.active[o.place].place = o.place
	c.active[last] = nil
	c.active = c.active[:last]
	if o.number > 0 { // recent keeps the rest; an exchange starts again
		o.memory, o.more = nil, nil
	}
}

// collective begins a collective call.
func (c *Comm) collective(call string, memory any) (*operation, error) {
	if err := c.err(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.calls++
	o := &operation{requests: c.library.newRequests(1), call: call, number: c.calls, memory: memory}
	c.recent[o.number%len(c.recent)] = o
	c.mu.Unlock()
	c.begin(o)
	return o, nil
}

// await waits for the end of an operation.
func (c *Comm) await(o *operation) error {
	c.progress.attended.Store(true)
	defer c.progress.attended.Store(false)
	p := pause{core: &c.core}
	for {
		done, err := c.library.test(o.requests, o.statuses)
		if err != nil {
			return c.describe(o, err)
		}
		if done && o.more != nil {
			if done, err = o.more(); err != nil {
				return err
			}
		}
		if done {
			c.end(o)
			c.goesOn(o)
			return nil
		}
		if p.turn() || o.poll {
			if o.look != nil {
				o.look()
			}
			if err := c.look(o); err != nil {
				return err
			}
			if err := c.watch(o, p.since); err != nil {
				return err
			}
		}
	}
}

// Meet waits until all ranks call it, or Close. Meet in a panic fails.
func (c *Comm) Meet() error {
	if err := c.stops(); err != nil {
		return err
	}
	return c.meet()
}

// Close ends the communication of this rank, and MPI if it is the last Comm of the process. It waits
// for all ranks, unless one has failed. Close in a panic fails.
func (c *Comm) Close() error {
	failed := c.stops()
	if failed == comm.ErrClosed {
		return nil
	}
	var err error
	c.progress.end()
	if failed == nil {
		if err = c.meet(); err == nil {
			err = c.part()
		}
	}
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	if failed != nil || err != nil || len(c.active) > 0 {
		keep(c)
	}
	return errors.Join(err, end(failed == nil && err == nil))
}

// stops returns why this rank cannot go on, if so, and tells the others.
func (c *Comm) stops() error {
	if err := c.err(); err != nil {
		return err
	}
	if c.alone != nil {
		c.begins(c.alone)
		return c.alone
	}
	if ending := panics(); ending != "" {
		c.config.Say(fmt.Sprintf("rank %d ends with %s", c.rank, ending))
		c.begins(errors.New(ending))
		return c.own
	}
	return nil
}

// panics returns "a panic" if the goroutine runs the deferred calls of one, and something similar if
// it runs those of its end.
func panics() string {
	pc := make([]uintptr, 256)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	for {
		f, more := frames.Next()
		switch f.Function {
		case "runtime.gopanic":
			return "a panic"
		case "runtime.Goexit":
			return "the end of its goroutine"
		}
		if !more {
			return ""
		}
	}
}

// meet waits until all ranks call it.
func (c *Comm) meet() error {
	err := c.barrier(c.suspect(time.Now()))
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.meets++
		return nil
	}
	c.blame()
	return err
}

// suspect returns a function that tells the others, if they do not come for some time, that this rank
// ends: some may wait for it, and learn why.
func (c *Comm) suspect(since time.Time) func() {
	return func() {
		if time.Since(since) > c.config.Suspect && !c.lingered.Swap(true) { // others may fail because of this rank, which then says why it ends
			c.mu.Lock()
			c.tell(ends, uint64(c.meets)<<48|uint64(c.calls), "", c.others())
			c.mu.Unlock()
		}
	}
}

// blame says that others wait in vain for this rank, which has come to its end: the program may have
// no error to speak of. Another one that has, too, leaves this one the time to say it.
func (c *Comm) blame() {
	switch {
	case c.blamed == c.rank:
		c.config.Say(c.blames)
	case c.blamed >= 0:
		time.Sleep(c.config.Collect)
	}
}

// settle ends exchanges whose messages all have received and that nobody has waited for since: MPI may
// have to be called for it to notice.
func (c *Comm) settle() {
	start := time.Now()
	for _, o := range slices.Clone(c.active) {
		for o.sends && time.Since(start) < c.config.Collect {
			if done, err := c.library.test(o.requests, nil); done || err != nil {
				c.end(o)
				break
			}
		}
	}
}

// part frees the communicators when all ranks have met: not before the notices of all have been
// received, which would reach the next one otherwise.
func (c *Comm) part() error {
	c.settle()
	for _, n := range c.notices {
		o := &operation{requests: n.requests, memory: n}
		c.begin(o)
		if err := c.await(o); err != nil {
			return err
		}
	}
	if err := c.barrier(nil); err != nil {
		return err
	}
	l := c.library
	for _, at := range c.handles() {
		if err := l.call(l.functions.MPI_Comm_free, uintptr(unsafe.Pointer(*at))); err != nil {
			return err
		}
	}
	return nil
}

// barrier waits until all ranks call it.
func (c *Comm) barrier(look func()) error {
	l := c.library
	o := &operation{requests: l.newRequests(1), look: look}
	c.begin(o)
	if err := l.call(l.functions.MPI_Ibarrier, l.handle(c.control), o.requests.at(0)); err != nil {
		return err
	}
	return c.await(o)
}
