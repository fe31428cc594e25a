package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// A varying map has rows of different lengths. In memory each has as many values as the longest: those after its
// last target are -1. So whatever skips targets that a masked map leaves out knows what to do; loops skip
// them, too, and kernels get slices of what there is. Their lengths come from a table, like elements' numbers.

// staticArity is the arity of a varying map on a static runtime that was given no rows.
const staticArity = 8

// wasteful is the number of values in memory for each target or row that were given, from which on a map is refused.
const wasteful = 64

// NewVaryingMap returns a map with a copy of the rows: element e has the targets from offsets[e] to offsets[e+1].
// Where ranks declare parts of it, it is collective.
func NewVaryingMap[I Integer](from, to *Set, offsets, targets []I, name string) (*Map, error) {
	m := newMap(from, to, 0, name, false)
	m.varying = true
	if err := notExtruded(m.What(), mapColumns, from, to); err != nil {
		return nil, err
	}
	if from.rt != to.rt {
		return nil, fmt.Errorf("op2: %s: its sets belong to two runtimes: %s, %s", m.What(), from.Besides(to), to.Besides(from))
	}
	if offsets == nil && targets == nil && from.rt.config.Static {
		m.setArity(staticArity)
		addWeakly(&from.rt.listed.maps, m)
		return m, nil
	}
	longest, err := longestRow(m, offsets, targets)
	if from.Shared() || from.IsReady() {
		of := []int64{int64(longest)}
		if err = from.rt.Agree(err); err == nil {
			err = comm.Max(from.rt.Comm(), of)
		}
		longest = int(of[0])
	}
	if err != nil {
		return nil, err
	}
	m.setArity(max(1, longest))
	values := slices.Repeat([]int64{-1}, from.declared*m.arity)
	for e := range from.declared {
		for i, t := range targets[offsets[e]:offsets[e+1]] {
			values[e*m.arity+i] = int64(t)
		}
	}
	return mapWith(m, values)
}

// longestRow checks the rows that a map is given, and returns the length of the longest.
func longestRow[I Integer](m *Map, offsets, targets []I) (longest int, err error) {
	bad := func(hint, format string, args ...any) (int, error) {
		return 0, &problem.ShapeError{What: m.What(), Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
	n := m.from.declared
	if len(offsets) != n+1 {
		return bad("row e has the targets from offsets[e] to offsets[e+1]", "%d offsets are needed, one more than %s has elements, %d were given", n+1, m.from.name, len(offsets))
	}
	if offsets[0] != 0 {
		return bad("", "offset 0 is %d, the first row begins at 0", offsets[0])
	}
	for e := range n {
		if offsets[e+1] < offsets[e] {
			return bad("offsets never decrease", "row %d ends at %d, before it begins at %d", e, offsets[e+1], offsets[e])
		}
		longest = max(longest, int(offsets[e+1]-offsets[e]))
	}
	if int(offsets[n]) != len(targets) {
		return bad("", "the last row ends at %d, %d targets were given", offsets[n], len(targets))
	}
	for i, t := range targets {
		if int64(t) < 0 {
			return bad("elements are numbered from 0", "target %d is %d", i, t)
		}
	}
	given := int64(n) + int64(len(targets))
	if most := min(store.MostBytes/4, wasteful*(given+1024)); longest > maxArity || int64(longest)*int64(n) > most {
		return bad("declare a set of links with two maps of arity 1, and run over that", "a row of %d targets is too long for %d rows with %d targets: each takes as much memory as the longest", longest, n, len(targets))
	}
	return longest, nil
}
