package mpi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
)

// Deadlock detection with a central coordinator: ranks that do not make the same calls wait for each other
// for ever. A rank that has waited for long tells rank 0 where, and for what, and rank 0 ends the run when
// two ranks wait for each other. Nothing is sent as long as no rank waits for long. On a network that
// recovers from failures, messages may take long to arrive, which is no deadlock.

// A waiting describes the call that a rank waits in, and the ranks that it waits for.
type waiting struct {
	Where string         // in the program: "Dat.Gather (main.go:31)"
	Call  string         // that is collective: "Reduce of 1 float64 with inc"; "" for messages
	Calls int            // the number of that call, or of those before, if it waits for messages
	Made  map[int]string // that call and the last ones before it, by number: they may be over on this rank, as a Broadcast by it
	From  []int          // whose messages have not come
	heard time.Time
}

// verySlow times Config.Slow is how long a rank waits until it tells the user.
const verySlow = 10

// underWay times Config.Slow is how long messages may take.
const underWay = 4

// mostFrom limits the ranks in a waiting.
const mostFrom = 16

// hint is advice on ranks that make different calls.
const hint = "\n  hint: all ranks make the same calls in the same order; OP2_DIAGS=on finds the first that differs"

// what describes the call of an operation.
func (o *operation) what() string {
	if o.call == "Reduce" {
		return o.reduces.String()
	}
	return o.call
}

// describe returns an error of MPI, which may be due to other ranks that make another call.
func (c *Comm) describe(o *operation, err error) error {
	if o.number == 0 {
		return err
	}
	return fmt.Errorf("%s%s: %w%s", o.what(), comm.In(), err, hint)
}

// watch tells rank 0 where this rank waits, once it has for long. On rank 0 it returns an error if
// ranks wait for each other.
func (c *Comm) watch(o *operation, since time.Time) error {
	if o.call == "" && o.with == nil || since.IsZero() || time.Since(since) < c.config.Slow {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.waiting == nil {
		c.waits(o)
	}
	// One of these two waits if any does, but for the rank that all others wait for.
	if c.rank < 2 && !c.said && time.Since(since) > verySlow*c.config.Slow {
		c.said = true
		c.config.Say(fmt.Sprintf("rank %d has waited for %v%s, for %s", c.rank, verySlow*c.config.Slow, comm.In(), o.waiting.others()))
	}
	if c.rank > 0 || time.Since(c.seen) < c.config.Suspect {
		return nil
	}
	c.seen = time.Now()
	return c.stuck()
}

// others says whom a rank waits for.
func (w *waiting) others() string {
	if len(w.From) == 0 {
		return "other ranks"
	}
	return comm.Ranks(w.From)
}

// waits tells rank 0 where this rank waits.
func (c *Comm) waits(o *operation) {
	w := &waiting{Where: callsite.Find().String(), Call: o.what(), Calls: c.calls, Made: map[int]string{}, heard: time.Now()}
	for _, o := range append(c.recent[:], o) {
		if o != nil && o.call != "" {
			w.Made[o.number] = o.what()
		}
	}
	if o.call != "" {
		w.Calls = o.number
	}
	for i, rank := range o.with {
		if len(w.From) < mostFrom && !slices.Contains(w.From, rank) && !c.library.ended(o.requests, i) {
			w.From = append(w.From, rank)
		}
	}
	sort.Ints(w.From)
	o.waiting = w
	if c.rank == 0 {
		c.slow[0] = w
		return
	}
	text, _ := json.Marshal(w)
	c.tell(waits, 0, string(text), []int{0})
}

// goesOn tells rank 0 that this rank no longer waits.
func (c *Comm) goesOn(o *operation) {
	if o.waiting == nil {
		return
	}
	o.waiting = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rank == 0 {
		delete(c.slow, 0)
		return
	}
	c.tell(goes, 0, "", []int{0})
}

// stuck returns an error if ranks wait for each other, and have done so for a while.
func (c *Comm) stuck() error {
	first := map[int]string{} // by number: a collective call of a rank
	for _, w := range c.slow {
		if time.Since(w.heard) < c.config.Suspect {
			continue
		}
		for number, call := range w.Made {
			if other, is := first[number]; is && other != call {
				return c.apart()
			}
			first[number] = call
		}
	}
	for _, w := range c.slow {
		if w.Call != "" || time.Since(w.heard) < underWay*c.config.Slow {
			continue
		}
		for _, rank := range w.From {
			// That rank has sent its messages, or will not: it waits for a call that this one makes later.
			if other := c.slow[rank]; other != nil && other.Call != "" && other.Calls > w.Calls && time.Since(other.heard) >= c.config.Suspect {
				return c.apart()
			}
		}
	}
	return nil
}

// apart returns an error that says where ranks wait.
func (c *Comm) apart() error {
	var by comm.ByText
	for rank := range c.size {
		w := c.slow[rank]
		if w == nil {
			continue
		}
		where := w.Where
		if where == "" {
			where = w.Call
		}
		if where == "" {
			where = "an exchange of messages"
		}
		by.Add(rank, where)
	}
	var texts []string
	for _, where := range by.Texts {
		texts = append(texts, by.Ranks(where)+" in "+where)
	}
	return errors.New("the ranks do not make the same calls, and wait for each other: " + strings.Join(texts, ", ") + hint)
}
