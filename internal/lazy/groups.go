package lazy

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/core"
)

// The calls that a queue runs are split into groups, each of which is a candidate for a chain: a time
// step, say. Where the first loop of a group is called again, the next group begins.

// mostTogether limits the calls of a group.
const mostTogether = 64

// group returns the number of leading calls that make a group. Their consts have the same values.
func (q *Queue) group(calls []queued) int {
	q.epoch++
	var first *core.Loop
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

// runGroup runs the calls of a group: as a chain, if that has been found to pay off, or else one after
// another. After an error it returns which calls it concerns.
func (q *Queue) runGroup(calls []queued) (core.Torn, error) {
	for i := range calls {
		if calls[i].consts != nil {
			defer calls[i].consts.swap().swap()
			break
		}
	}
	s, err := q.chains.of(q.rt, calls)
	if err != nil {
		return core.Torn{}, err
	}
	if s != nil && s.chain != nil {
		return s.run(calls)
	}
	for i := range calls {
		if err := calls[i].run(); err != nil {
			return core.Torn{First: i, Last: i + 1, At: i}, err
		}
	}
	return core.Torn{}, nil
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

// to gives the values to a storage.
func (a *assignment) to(s *core.Storage) {
	s.Discard()
	copy(core.Values[byte](s), a.values)
}

// constValues are the values that consts had at a call.
type constValues struct {
	variables, values [][]byte
}

// values returns the values that a loop's consts have; nil if it has none.
func (q *Queue) values(l *core.Loop) *constValues {
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

// are reports whether the variables are there and still have the values.
func (c *constValues) are(variables [][]byte) bool {
	for _, v := range variables {
		if i := c.of(v); i < 0 || !bytes.Equal(v, c.values[i]) {
			return false
		}
	}
	return true
}

// swap exchanges the values with those that the variables have now.
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
