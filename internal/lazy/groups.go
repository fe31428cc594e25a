package lazy

import (
	"bytes"
	"cmp"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/run"
)

// The queue splits the calls that it runs into groups. A group is a candidate for a chain: a time step,
// for example. The next group begins where the first loop of a group is called again.

// mostTogether is the largest number of calls in a group.
const mostTogether = 64

// group returns the length of the first group of calls. All its loops were called with the same values of consts.
func group(calls []queued) int {
	var first *run.Loop
	var consts *constValues
	for i := range calls {
		c := &calls[i]
		switch {
		case c.Loop == nil:
			continue
		case c.Loop == first, i == mostTogether, c.consts != nil && consts != nil && c.consts != consts:
			return i
		}
		if first == nil {
			first = c.Loop
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
	q.group = q.group[:0]
	var consts *constValues
	for i := range calls {
		q.group = append(q.group, calls[i].Operation)
		consts = cmp.Or(consts, calls[i].consts)
	}
	if consts != nil {
		defer consts.swap().swap()
	}
	s, err := q.chains.of(q.rt, q.group)
	if err != nil {
		return chains.Affected{}, err
	}
	if s != nil && s.chain != nil {
		return s.chain.Run(q.group)
	}
	for i := range q.group {
		if err := q.group[i].Run(); err != nil {
			return chains.Affected{First: i, Last: i + 1, At: i}, err
		}
	}
	return chains.Affected{}, nil
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
