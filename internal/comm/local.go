package comm

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// Local returns connected ranks of this process, for a goroutine each. Messages take delay to
// arrive, as they would between machines. What is wrong on MPI but would go unnoticed here is
// reported: ranks that make different calls, and messages that change while they are sent. Memory
// that receives messages is filled with ones until they have been waited for.
func Local(n int, delay time.Duration) []Comm {
	ranks := make([]Comm, n)
	for i, l := range newJob(n, delay).ranks {
		ranks[i] = l
	}
	return ranks
}

// newJob returns a job of n connected ranks.
func newJob(n int, delay time.Duration) *job {
	j := &job{size: n, delay: delay, mail: map[address][]letter{}, calls: map[int]*call{}, closed: map[int]int{}, waiting: map[*wait]bool{}}
	for i := range n {
		l := &local{job: j, rank: i}
		l.changed.L = &j.mu
		j.ranks = append(j.ranks, l)
	}
	return j
}

// job is the state that the ranks of a process share: messages, collective calls, and waiting ranks.
type job struct {
	size  int
	delay time.Duration

	ranks []*local

	mu      sync.Mutex
	mail    map[address][]letter
	calls   map[int]*call // collective calls that some rank has not made, by number
	closed  map[int]int   // collective calls that a rank had made when it ended, or came to Meet
	meeting []int         // ranks in Meet
	meets   int           // times that all have met
	failed  *Failure      // the first
	waiting map[*wait]bool
	stuck   bool // all ranks wait for each other
}

// wait is a condition that a rank waits for.
type wait struct {
	what  string // "a message from rank 1 with tag 5"
	ready func() bool
	// missing returns a rank that will never make it ready.
	missing func() (rank int, is bool)
}

// address is where messages wait, in the order in which they were sent.
type address struct{ from, to, tag int }

type letter struct {
	data   []byte
	arrive time.Time
}

// call is a collective call.
type call struct {
	what  string // that its ranks do
	first int    // rank that made it
	came  map[int]bool
	ready time.Time // for all, if none is missing
	err   error     // ranks do different things

	mail  [][]Message // by receiver: messages with their senders
	data  []byte      // of the root
	total func() unsafe.Pointer
	parts [][]byte // by rank: what is to be combined

	numbers []int           // by rank: the number that it is split by
	split   func() []*local // by rank
}

// local is one rank of a job.
type local struct {
	job     *job
	rank    int
	changed sync.Cond // what it may wait for
	calls   int       // collective calls so far
	end     error
	parts   []*local // what Split has returned
}

func (l *local) Rank() int    { return l.rank }
func (l *local) Size() int    { return l.job.size }
func (l *local) Name() string { return "goroutines" }

// until waits until ready returns true, or missing names a rank that will never make it so. The
// lock is held while these run.
func (l *local) until(what string, ready func() bool, missing func() (rank int, is bool)) error {
	j := l.job
	w := &wait{what, ready, missing}
	j.waiting[w] = true
	defer delete(j.waiting, w)
	for !ready() {
		if j.stuck {
			return w.inVain()
		}
		if err := l.err(); err != nil {
			return err
		}
		if rank, is := missing(); is {
			return Ended(rank, l.rank)
		}
		if j.deadlock() {
			time.AfterFunc(patience, j.giveUp)
		}
		l.changed.Wait()
	}
	return nil
}

// wake makes all ranks check their conditions.
func (j *job) wake() {
	for _, l := range j.ranks {
		l.changed.Broadcast()
	}
}

// patience is how long all ranks wait for each other until they give up: another goroutine may call
// Fail.
const patience = 500 * time.Millisecond

// giveUp ends the waits of all ranks if nothing will.
func (j *job) giveUp() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed == nil && j.deadlock() {
		j.stuck = true
		j.wake()
	}
}

// deadlock reports whether all ranks that have not ended wait in vain.
func (j *job) deadlock() bool {
	if len(j.waiting)+len(j.closed) < j.size {
		return false
	}
	for w := range j.waiting {
		if _, is := w.missing(); is || w.ready() {
			return false
		}
	}
	return true
}

func (w *wait) inVain() error {
	return fmt.Errorf("it waits%s for %s, while all other ranks wait too: they do not make the same calls", In(), w.what)
}

// err returns why the rank cannot go on; nil if it can.
func (l *local) err() error {
	switch f := l.job.failed; {
	case l.end != nil:
		return l.end
	case f != nil && f.Rank == l.rank:
		return f
	case f != nil:
		return &Failure{Rank: f.Rank, Why: f.Why}
	}
	return nil
}

// exchange is a prepared set of messages of a local rank.
type exchange struct {
	rank            *local
	sends, receives []Message
	started         bool
	received        bool
	sent            [][]byte
}

func (l *local) Prepare(sends, receives []Message) (Exchange, error) {
	if err := Check(l.job.size, slices.Concat(sends, receives)); err != nil {
		return nil, err
	}
	return &exchange{rank: l, sends: slices.Clone(sends), receives: slices.Clone(receives)}, nil
}

func (e *exchange) Start() error {
	j := e.rank.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := e.rank.err(); err != nil {
		return err
	}
	if e.started {
		return fmt.Errorf("an exchange is started that has not been waited for")
	}
	e.started, e.received, e.sent = true, false, e.sent[:0]
	for _, m := range e.receives {
		for i := range m.Data {
			m.Data[i] = 0xff
		}
	}
	for _, m := range e.sends {
		at := address{e.rank.rank, m.Rank, m.Tag}
		data := slices.Clone(m.Data)
		e.sent = append(e.sent, data)
		j.mail[at] = append(j.mail[at], letter{data, time.Now().Add(j.delay)})
		j.ranks[m.Rank].changed.Broadcast()
	}
	return nil
}

func (e *exchange) Receive() error {
	j := e.rank.job
	if !e.started || e.received {
		j.mu.Lock()
		defer j.mu.Unlock()
		return e.rank.err()
	}
	for _, m := range e.receives {
		if err := e.receive(m); err != nil {
			return err
		}
	}
	e.received = true
	return nil
}

func (e *exchange) Wait() error {
	if err := e.Receive(); err != nil || !e.started {
		return err
	}
	for i, m := range e.sends {
		if !bytes.Equal(m.Data, e.sent[i]) {
			return fmt.Errorf("the message to rank %d with tag %d has changed while it was sent", m.Rank, m.Tag)
		}
	}
	e.started = false
	return nil
}

func (e *exchange) receive(m Message) error {
	l, err := e.take(m)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(l.arrive))
	if len(l.data) != len(m.Data) {
		return fmt.Errorf("a message of %d bytes with tag %d came from rank %d, %d were expected", len(l.data), m.Tag, m.Rank, len(m.Data))
	}
	copy(m.Data, l.data)
	return nil
}

// take waits for a message and removes it from the mail.
func (e *exchange) take(m Message) (letter, error) {
	j, at := e.rank.job, address{m.Rank, e.rank.rank, m.Tag}
	j.mu.Lock()
	defer j.mu.Unlock()
	err := e.rank.until(fmt.Sprintf("a message from rank %d with tag %d", m.Rank, m.Tag), func() bool { return len(j.mail[at]) > 0 }, func() (int, bool) {
		_, is := j.closed[m.Rank]
		return m.Rank, is
	})
	if err != nil {
		return letter{}, err
	}
	l := j.mail[at][0]
	if j.mail[at] = j.mail[at][1:]; len(j.mail[at]) == 0 {
		delete(j.mail, at)
	}
	return l, nil
}

func (e *exchange) Free() {}

// pending is a collective call that waits for its other ranks.
type pending struct {
	rank   *local
	number int
	call   *call
	finish func(*call)
	done   bool
	err    error
}

// begin makes the next collective call: give adds the part of this rank, and finish takes its
// result.
func (l *local) begin(what string, give, finish func(*call)) (*pending, error) {
	j := l.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := l.err(); err != nil {
		return nil, err
	}
	l.calls++
	c := j.calls[l.calls]
	if c == nil {
		c = &call{what: what, first: l.rank, came: map[int]bool{}}
		j.calls[l.calls] = c
	}
	c.came[l.rank] = true
	if c.what != what {
		c.err = fmt.Errorf("the ranks do not make the same calls: rank %d has called %s, rank %d %s", c.first, c.what, l.rank, what)
		j.wake()
	} else {
		give(c)
	}
	if len(c.came) == j.size {
		c.ready = time.Now().Add(j.delay)
		delete(j.calls, l.calls)
		j.wake()
	}
	return &pending{rank: l, number: l.calls, call: c, finish: finish}, nil
}

// Wait waits until all ranks have made the call.
func (p *pending) Wait() error {
	if !p.done {
		p.err = p.wait()
		p.done = true
	}
	return p.err
}

func (p *pending) wait() error {
	if err := p.all(); err != nil {
		return err
	}
	time.Sleep(time.Until(p.call.ready))
	p.finish(p.call)
	return nil
}

// all waits until all ranks have made the call.
func (p *pending) all() error {
	j := p.rank.job
	j.mu.Lock()
	defer j.mu.Unlock()
	c := p.call
	err := p.rank.until("others to call "+c.what, func() bool { return c.err != nil || len(c.came) == j.size }, func() (int, bool) {
		rank := j.size
		for r, calls := range j.closed {
			if calls < p.number {
				rank = min(rank, r)
			}
		}
		return rank, rank < j.size
	})
	if err != nil {
		return err
	}
	return c.err
}

func (l *local) Consensus(sends []Message) ([]Message, error) {
	if err := CheckConsensus(l.job.size, sends); err != nil {
		return nil, err
	}
	var came []Message
	p, err := l.begin("Consensus", func(c *call) {
		if c.mail == nil {
			c.mail = make([][]Message, l.job.size)
		}
		for _, m := range sends {
			c.mail[m.Rank] = append(c.mail[m.Rank], Message{l.rank, m.Tag, slices.Clone(m.Data)})
		}
	}, func(c *call) {
		came = c.mail[l.rank]
		sorting.By(came, func(a, b Message) int { return a.Rank - b.Rank })
	})
	if err != nil {
		return nil, err
	}
	return came, p.Wait()
}

func (l *local) Reduce(r loop.Reduction, values unsafe.Pointer) (Request, error) {
	own := unsafe.Slice((*byte)(values), r.Bytes())
	p, err := l.begin(r.String(), func(c *call) {
		if c.parts == nil {
			c.parts = make([][]byte, l.job.size)
			// A panic of an operation of the program goes on on all ranks.
			c.total = sync.OnceValue(func() unsafe.Pointer { return combined(r, c.parts) })
		}
		c.parts[l.rank] = aligned(own)
	}, func(c *call) {
		copy(own, unsafe.Slice((*byte)(c.total()), r.Bytes()))
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// combined returns the combination of values in the order of ranks, in the memory of the first.
func combined(r loop.Reduction, ranks [][]byte) unsafe.Pointer {
	total := unsafe.Pointer(unsafe.SliceData(ranks[0]))
	for _, other := range ranks[1:] {
		r.Combine(total, unsafe.Pointer(unsafe.SliceData(other)))
	}
	return total
}

// aligned returns a copy of the bytes that suits values of any type.
func aligned(b []byte) []byte {
	words := make([]uint64, (len(b)+7)/8)
	own := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
	copy(own, b)
	return own
}

func (l *local) Broadcast(root int, data []byte) error {
	if err := CheckRoot(l.job.size, root); err != nil {
		return err
	}
	p, err := l.begin(fmt.Sprintf("Broadcast of %d bytes from rank %d", len(data), root), func(c *call) {
		if l.rank == root {
			c.data = slices.Clone(data)
		}
	}, func(c *call) {
		if l.rank != root {
			copy(data, c.data)
		}
	})
	if err != nil {
		return err
	}
	return p.Wait()
}

func (l *local) Split(number int) (Comm, error) {
	if err := CheckSplit(number); err != nil {
		return nil, l.Fail(err)
	}
	j := l.job
	p, err := l.begin("Split", func(c *call) {
		if c.numbers == nil {
			c.numbers = make([]int, j.size)
			c.split = sync.OnceValue(func() []*local { return split(c.numbers, j.delay) })
		}
		c.numbers[l.rank] = number
	}, func(*call) {})
	if err == nil {
		err = p.Wait()
	}
	if err != nil {
		return nil, err
	}
	part := p.call.split()[l.rank]
	j.mu.Lock()
	defer j.mu.Unlock()
	l.parts = append(slices.DeleteFunc(l.parts, (*local).ended), part)
	if j.failed != nil {
		part.Fail(j.failed)
	}
	return part, nil
}

// ended reports whether the rank has ended its communication.
func (l *local) ended() bool {
	l.job.mu.Lock()
	defer l.job.mu.Unlock()
	return l.end != nil
}

// leave ends the communication of the rank, and of its parts.
func (l *local) leave() {
	l.job.mu.Lock()
	parts := slices.Clone(l.parts)
	l.job.mu.Unlock()
	for _, part := range parts {
		part.leave()
	}
	l.Close()
}

// split connects the ranks of each number.
func split(numbers []int, delay time.Duration) []*local {
	ranks := map[int][]int{}
	for rank, number := range numbers {
		ranks[number] = append(ranks[number], rank)
	}
	all := make([]*local, len(numbers))
	for _, own := range ranks {
		for i, l := range newJob(len(own), delay).ranks {
			all[own[i]] = l
		}
	}
	return all
}

// Computes does nothing: messages need nobody.
func (l *local) Computes(time.Duration) {}

func (l *local) Meet() error {
	j := l.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := l.err(); err != nil {
		return err
	}
	j.closed[l.rank] = l.calls
	j.meeting = append(j.meeting, l.rank)
	j.wake()
	for now := j.meets; j.meets == now; {
		if len(j.closed) == j.size {
			for _, rank := range j.meeting {
				delete(j.closed, rank)
			}
			j.meeting = nil
			j.meets++
			j.wake()
			return nil
		}
		if err := l.err(); err != nil {
			return err
		}
		l.changed.Wait()
	}
	return nil
}

func (l *local) Fail(why error) error {
	if Reported(why) {
		return why
	}
	j := l.job
	j.mu.Lock()
	defer j.mu.Unlock()
	f := Fails(l.rank, why)
	if j.failed == nil {
		j.failed = f
	}
	j.wake()
	for _, part := range l.parts {
		part.Fail(why)
	}
	return f
}

func (l *local) Close() error {
	j := l.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if l.end == nil {
		l.end = ErrClosed
		j.closed[l.rank] = l.calls
		j.wake()
	}
	return nil
}
