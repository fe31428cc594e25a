package mpi

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/sorting"
)

// An arrival is a message on the communicator of notices and Consensus.
type arrival struct {
	from, tag int
	data      []byte
	requests  requests
	done      bool
}

// probed is memory for MPI's description of a message that has come.
type probed struct {
	status status
	flag   int32
}

// A notice is a message of a rank to all others, with tag 0.
type notice struct {
	requests requests
	data     []byte
}

// Kinds of notices.
const (
	fails byte = iota // with the text, and one more than the rank that it waits for in vain
	ends              // waits for all to close the Comm, with the numbers of its meetings and collective calls
	waits             // waits for long, as a waiting
	goes              // no longer does
)

// maxText is the largest number of bytes of a failure's text: it is sent to all at once.
const maxText = 16 << 10

// An ending is a rank that waits for the others to close their Comm.
type ending struct {
	meets int
	calls int
	heard time.Time
}

// others returns all other ranks, the next first.
func (c *Comm) others() []int {
	ranks := make([]int, c.size-1)
	for i := range ranks {
		ranks[i] = (c.rank + 1 + i) % c.size
	}
	return ranks
}

// tell sends a notice to some ranks. It is called with the lock held. Errors are ignored: the others
// may be gone.
func (c *Comm) tell(kind byte, number uint64, text string, to []int) {
	l := c.library
	n := &notice{data: binary.LittleEndian.AppendUint64([]byte{kind}, number)}
	n.data = append(n.data, text[:min(len(text), maxText)]...)
	n.requests = l.newRequests(len(to))
	c.notices = append(c.notices, n)
	for i, rank := range to {
		// A synchronous send ends when it has been received.
		l.call(l.functions.MPI_Issend, data(n.data), uintptr(len(n.data)), l.bytes, uintptr(rank), 0, l.handle(c.control), n.requests.at(i))
	}
}

// poll receives what has come for this rank on the communicator of notices and Consensus.
func (c *Comm) poll() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		a, err := c.probe()
		if err != nil {
			return err
		}
		if a == nil {
			break
		}
		c.coming = append(c.coming, a)
		if a.tag > 0 {
			parity := (a.tag - 1) % 2
			c.came[parity] = append(c.came[parity], a)
		}
	}
	for _, a := range c.coming {
		var err error
		if a.done, err = c.library.test(a.requests, nil); err != nil {
			return err
		}
		if a.done && a.tag == 0 {
			c.note(a)
		}
	}
	c.coming = slices.DeleteFunc(c.coming, func(a *arrival) bool { return a.done })
	return nil
}

// probe starts to receive a message if one has come.
func (c *Comm) probe() (*arrival, error) {
	l, p := c.library, c.probed
	err := l.call(l.functions.MPI_Iprobe, uintptr(l.abi.anySource), uintptr(l.abi.anyTag), l.handle(c.control),
		uintptr(unsafe.Pointer(&p.flag)), data(p.status))
	if err != nil || p.flag == 0 {
		return nil, err
	}
	n, err := l.length(p.status)
	if err != nil {
		return nil, err
	}
	a := &arrival{from: p.status.field(l.abi.source), tag: p.status.field(l.abi.tag), data: make([]byte, n), requests: l.newRequests(1)}
	return a, l.call(l.functions.MPI_Irecv, data(a.data), uintptr(n), l.bytes, uintptr(a.from), uintptr(a.tag), l.handle(c.control), a.requests.at(0))
}

// note records a notice.
func (c *Comm) note(a *arrival) {
	switch number, text := binary.LittleEndian.Uint64(a.data[1:]), a.data[9:]; a.data[0] {
	case fails:
		c.failures = append(c.failures, &comm.Failure{Rank: a.from, Why: string(text)})
		if blamed := int(number) - 1; blamed >= 0 && (c.blamed < 0 || blamed == c.rank) {
			c.blamed, c.blames = blamed, string(text)
		}
	case ends:
		c.ended[a.from] = ending{int(number >> 48), int(number & (1<<48 - 1)), time.Now()}
	case waits:
		w := &waiting{heard: time.Now()}
		if json.Unmarshal(text, w) == nil {
			c.slow[a.from] = w
		}
	case goes:
		delete(c.slow, a.from)
	}
}

// err returns why the rank cannot go on; nil if it can.
func (c *Comm) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return comm.ErrClosed
	case c.own != nil:
		return c.own
	case len(c.failures) > 0:
		return c.failures[0]
	}
	return nil
}

// look returns an error if an operation waits in vain: a rank has failed, or has closed its Comm. A
// rank that learns of the failure of another is usually ended by the launcher while it waits here,
// so that one rank reports it, and not all.
func (c *Comm) look(o *operation) error {
	if err := c.poll(); err != nil {
		return err
	}
	if err := c.err(); err != nil {
		if err != c.own {
			c.Linger()
		}
		return err
	}
	if rank, is := c.abandoned(o); is {
		c.alone = comm.Ended(rank, c.rank)
		return c.alone
	}
	return nil
}

// abandoned returns a rank that has closed its Comm while an operation waits for it.
func (c *Comm) abandoned(o *operation) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lowest := c.size
	for rank, e := range c.ended {
		if o.number > e.calls && e.meets == c.meets {
			lowest = min(lowest, rank)
		}
	}
	if lowest < c.size {
		return lowest, true
	}
	for i, rank := range o.with {
		if e, is := c.ended[rank]; is && e.meets == c.meets && time.Since(e.heard) > c.config.Suspect && !c.library.ended(o.requests, i) {
			return rank, true
		}
	}
	return 0, false
}

// Linger waits to be ended by the launcher, once: a rank calls it if another one reports its error, so
// that the error appears once.
func (c *Comm) Linger() {
	if !c.lingered.Swap(true) {
		c.spend(c.config.Patience)
	}
}

// spend lets time pass, in which messages go on.
func (c *Comm) spend(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		if c.poll() != nil {
			return
		}
		time.Sleep(min(time.Millisecond, time.Until(end)))
	}
}

// Fail tells all other ranks why this one fails. It waits for reports of others in the meantime:
// the lowest of the ranks that have failed returns first, with all that is known, and the others
// wait to be ended by the launcher.
func (c *Comm) Fail(why error) error {
	if comm.Reported(why) || !c.begins(why) {
		return why
	}
	var ended *comm.Failure
	switch {
	case errors.As(why, &ended): // which may say more
		c.Linger()
	case c.size > 1:
		c.spend(c.config.Collect)
	}
	all := c.all()
	if all[0].Rank < c.rank {
		c.Linger()
	}
	return comm.Join(all)
}

// begins tells all other ranks of the failure of this one, unless it has failed before, or ended.
func (c *Comm) begins(why error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.own != nil {
		return false
	}
	c.own = comm.Fails(c.rank, why)
	blamed := uint64(0)
	if c.alone != nil && errors.Is(why, c.alone) {
		blamed = 1 + uint64(c.alone.Rank)
	}
	c.tell(fails, blamed, c.own.Why, c.others())
	return true
}

// all returns the failures of all ranks, by ranks.
func (c *Comm) all() []*comm.Failure {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := append(slices.Clone(c.failures), c.own)
	sorting.By(all, func(a, b *comm.Failure) int { return cmp.Compare(a.Rank, b.Rank) })
	return all
}
