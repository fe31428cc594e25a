package lazy

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
)

// The queue splits the calls that it runs into groups. A group is a candidate for a chain: a time step,
// for example. The next group begins where the first loop of a group is called again.

// mostTogether is the largest number of calls in a group.
const mostTogether = 64

// group returns the length of the first group of calls, and classifies its assignments. All its loops
// were called with the same values of consts.
func (q *Queue) group(calls []queued) int {
	q.epoch++
	var first *run.Loop
	var consts *constValues
	for i := range calls {
		c := &calls[i]
		if c.loop == nil {
			m := marked(c.assign.storage())
			c.when = before
			if m.set > 0 {
				calls[m.set-1].when = between
			}
			if m.used {
				c.when, m.set = after, i+1
			}
			continue
		}
		switch {
		case c.loop == first, i == mostTogether, c.consts != nil && consts != nil && c.consts != consts:
			return i
		}
		for _, u := range c.loop.Uses() {
			m := marked(u.Storage)
			if m.set > 0 {
				calls[m.set-1].when, m.set = between, 0
			}
			m.used = true
		}
		if first == nil {
			first = c.loop
		}
		if c.consts != nil {
			consts = c.consts
		}
	}
	return len(calls)
}

// runGroup runs the calls of a group: as a chain if that pays off, else one by one. With an error it
// returns the interrupted calls.
func (q *Queue) runGroup(calls []queued) (chains.Affected, error) {
	for i := range calls {
		if calls[i].consts != nil {
			defer calls[i].consts.swap().swap()
			break
		}
	}
	s, err := q.chains.of(q.rt, calls)
	if err != nil {
		return chains.Affected{}, err
	}
	if s != nil && s.chain != nil {
		return s.run(calls)
	}
	for i := range calls {
		if err := calls[i].run(); err != nil {
			return chains.Affected{First: i, Last: i + 1, At: i}, err
		}
	}
	return chains.Affected{}, nil
}

// run runs a single call.
func (c *queued) run() error {
	if c.assign != nil {
		c.assign.to(c.assign.storage())
	}
	if c.loop == nil {
		return nil
	}
	return c.loop.Compute()
}

// to stores the values in a storage.
func (a *assignment) to(s *store.Storage) {
	s.Discard()
	copy(store.Values[byte](s), a.values)
}

// constValues are the values of consts at a call.
type constValues struct {
	variables, values [][]byte
}

// values returns the current values of a loop's consts; nil if it has none.
func (q *Queue) values(l *run.Loop) *constValues {
	if len(l.Consts()) == 0 {
		return nil
	}
	if q.consts == nil || !q.consts.are(l.Consts()) {
		next := &constValues{}
		if q.consts != nil {
			next.variables = slices.Clone(q.consts.variables)
		}
		for _, v := range l.Consts() {
			if next.of(v) < 0 {
				next.variables = append(next.variables, v)
			}
		}
		for _, v := range next.variables {
			next.values = append(next.values, slices.Clone(v))
		}
		q.consts = next
	}
	return q.consts
}

// of returns the place of a variable; -1 if it is not there.
func (c *constValues) of(variable []byte) int {
	for i, v := range c.variables {
		if unsafe.SliceData(v) == unsafe.SliceData(variable) {
			return i
		}
	}
	return -1
}

// are reports whether the variables are recorded and their values unchanged.
func (c *constValues) are(variables [][]byte) bool {
	for _, v := range variables {
		if i := c.of(v); i < 0 || !bytes.Equal(v, c.values[i]) {
			return false
		}
	}
	return true
}

// swap exchanges the recorded values with the variables' current ones.
func (c *constValues) swap() *constValues {
	for i, v := range c.variables {
		if value := c.values[i]; !bytes.Equal(v, value) {
			for b := range v {
				v[b], value[b] = value[b], v[b]
			}
		}
	}
	return c
}
