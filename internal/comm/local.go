package comm

import (
	"fmt"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Local returns connected ranks of this process, for a goroutine each. Messages take delay to
// arrive, as they would between machines.
func Local(n int, delay time.Duration) []Comm {
	j := &job{size: n, delay: delay, mail: map[address][]letter{}, calls: map[int]*call{}}
	j.changed.L = &j.mu
	ranks := make([]Comm, n)
	for i := range ranks {
		ranks[i] = &local{job: j, rank: i}
	}
	return ranks
}

// job is what the ranks of a process share.
type job struct {
	size  int
	delay time.Duration

	mu      sync.Mutex
	changed sync.Cond
	mail    map[address][]letter
	calls   map[int]*call // collective calls that some rank has not finished, by number
	failed  *Failure      // the first
}

// address is where messages wait, in the order in which they were sent.
type address struct{ from, to, tag int }

type letter struct {
	data   []byte
	arrive time.Time
}

// call is a collective call.
type call struct {
	given  [][]Message // by rank: what each has sent
	values [][]byte
	came   int // ranks that have made the call
	left   int // ranks that have its result
	ready  time.Time
}

// local is one rank of a job.
type local struct {
	job    *job
	rank   int
	calls  int // collective calls so far
	closed bool
}

func (l *local) Rank() int    { return l.rank }
func (l *local) Size() int    { return l.job.size }
func (l *local) Name() string { return "goroutines" }

// until waits until ready returns true. The lock is held while ready runs, and when until returns.
func (l *local) until(ready func() bool) error {
	l.job.mu.Lock()
	for !ready() {
		if err := l.err(); err != nil {
			return err
		}
		l.job.changed.Wait()
	}
	return l.err()
}

// err returns why the rank cannot go on; nil if it can.
func (l *local) err() error {
	switch f := l.job.failed; {
	case l.closed:
		return ErrClosed
	case f != nil && f.Rank != l.rank:
		return f
	}
	return nil
}

// exchange is a prepared set of messages of a local rank.
type exchange struct {
	rank            *local
	sends, receives []Message
}

func (l *local) Prepare(sends, receives []Message) (Exchange, error) {
	for _, m := range slices.Concat(sends, receives) {
		if m.Rank < 0 || m.Rank >= l.job.size || m.Tag < 0 || m.Tag > MaxTag {
			return nil, fmt.Errorf("a message with rank %d and tag %d, of %d ranks", m.Rank, m.Tag, l.job.size)
		}
	}
	return &exchange{l, slices.Clone(sends), slices.Clone(receives)}, nil
}

func (e *exchange) Start() error {
	j := e.rank.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := e.rank.err(); err != nil {
		return err
	}
	for _, m := range e.sends {
		at := address{e.rank.rank, m.Rank, m.Tag}
		j.mail[at] = append(j.mail[at], letter{slices.Clone(m.Data), time.Now().Add(j.delay)})
	}
	j.changed.Broadcast()
	return nil
}

func (e *exchange) Wait() error {
	for _, m := range e.receives {
		if err := e.receive(m); err != nil {
			return err
		}
	}
	return nil
}

func (e *exchange) receive(m Message) error {
	j, at := e.rank.job, address{m.Rank, e.rank.rank, m.Tag}
	err := e.rank.until(func() bool { return len(j.mail[at]) > 0 })
	if err != nil {
		j.mu.Unlock()
		return err
	}
	l := j.mail[at][0]
	if j.mail[at] = j.mail[at][1:]; len(j.mail[at]) == 0 {
		delete(j.mail, at)
	}
	j.mu.Unlock()
	time.Sleep(time.Until(l.arrive))
	if len(l.data) != len(m.Data) {
		return fmt.Errorf("a message of %d bytes came from rank %d, %d were expected", len(l.data), m.Rank, len(m.Data))
	}
	copy(m.Data, l.data)
	return nil
}

func (e *exchange) Free() {}

// pending is a collective call that waits for its other ranks.
type pending struct {
	rank   *local
	number int
	finish func(*call) error
}

// begin makes the next collective call.
func (l *local) begin(messages []Message, values []byte, finish func(*call) error) (*pending, error) {
	j := l.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := l.err(); err != nil {
		return nil, err
	}
	l.calls++
	c := j.calls[l.calls]
	if c == nil {
		c = &call{given: make([][]Message, j.size), values: make([][]byte, j.size)}
		j.calls[l.calls] = c
	}
	c.given[l.rank], c.values[l.rank] = messages, values
	if c.came++; c.came == j.size {
		c.ready = time.Now().Add(j.delay)
		j.changed.Broadcast()
	}
	return &pending{l, l.calls, finish}, nil
}

// Wait waits until all ranks have made the call.
func (p *pending) Wait() error {
	j := p.rank.job
	var c *call
	err := p.rank.until(func() bool {
		c = j.calls[p.number]
		return c.came == j.size
	})
	j.mu.Unlock()
	if err != nil {
		return err
	}
	time.Sleep(time.Until(c.ready))
	if err := p.finish(c); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if c.left++; c.left == j.size {
		delete(j.calls, p.number)
	}
	return nil
}

func (l *local) Consensus(sends []Message) ([]Message, error) {
	copies := make([]Message, len(sends))
	for i, m := range sends {
		if m.Rank < 0 || m.Rank >= l.job.size {
			return nil, fmt.Errorf("a message to rank %d, of %d", m.Rank, l.job.size)
		}
		copies[i] = Message{m.Rank, m.Tag, slices.Clone(m.Data)}
	}
	var came []Message
	p, err := l.begin(copies, nil, func(c *call) error {
		for from, messages := range c.given {
			for _, m := range messages {
				if m.Rank == l.rank {
					came = append(came, Message{from, m.Tag, m.Data})
				}
			}
		}
		return nil
	})
	if err == nil {
		err = p.Wait()
	}
	return came, err
}

func (l *local) Reduce(r loop.Reduction, values unsafe.Pointer) (Request, error) {
	own := unsafe.Slice((*byte)(values), r.Bytes())
	return l.begin(nil, slices.Clone(own), func(c *call) error {
		total := r.New()
		copy(unsafe.Slice((*byte)(total), r.Bytes()), c.values[0])
		for _, other := range c.values[1:] {
			r.Combine(total, aligned(other))
		}
		copy(own, unsafe.Slice((*byte)(total), r.Bytes()))
		return nil
	})
}

// aligned returns the address of a copy of the bytes that suits values of any type.
func aligned(b []byte) unsafe.Pointer {
	words := make([]uint64, (len(b)+7)/8)
	p := unsafe.Pointer(unsafe.SliceData(words))
	copy(unsafe.Slice((*byte)(p), len(b)), b)
	return p
}

func (l *local) Broadcast(root int, data []byte) error {
	p, err := l.begin(nil, slices.Clone(data), func(c *call) error {
		copy(data, c.values[root])
		return nil
	})
	if err != nil {
		return err
	}
	return p.Wait()
}

func (l *local) Fail(why error) {
	j := l.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed == nil {
		j.failed = &Failure{l.rank, why.Error()}
	}
	j.changed.Broadcast()
}

func (l *local) Close() error {
	l.job.mu.Lock()
	defer l.job.mu.Unlock()
	l.closed = true
	return nil
}
