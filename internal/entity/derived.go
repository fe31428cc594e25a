package entity

import (
	"fmt"
	"slices"
	"strings"
	"weak"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Maps that follow from others are tables of their own: loops, plans and halos see no difference. They are computed when they
// are made, and again when the values of what they follow from change.

// NewComposed returns the map to the targets of the targets: of each target of first, in their order, all of second.
func NewComposed(first, second *Map) (*Map, error) {
	for _, m := range []*Map{first, second} {
		if m.Made() != nil {
			return nil, fmt.Errorf("op2: Compose: a map is nil, or was not made by NewMap")
		}
		if m.Extruded() {
			return nil, fmt.Errorf("op2: Compose: %s is extruded\n  hint: compose the maps of the base sets, and give NewExtrudedMap the result", m.name)
		}
	}
	name := first.name + "." + second.name
	m := newMap(first.from, second.to, min(first.arity*second.arity, maxArity), name, false)
	what := m.What()
	switch {
	case first.from.rt != second.to.rt:
		return nil, fmt.Errorf("op2: %s: its sets belong to two runtimes: %s, %s", what, first.from.Besides(second.to), second.to.Besides(first.from))
	case first.to != second.from:
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s leads to %s, %s from %s", first.name, first.to.Besides(second.from), second.name, second.from.Besides(first.to))}
	case first.masked || second.masked:
		return nil, fmt.Errorf("op2: %s: one of its maps is masked\n  hint: compose the maps that they were made from, and mask the result", what)
	}
	if first.arity*second.arity > maxArity {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("an arity of at most %d is possible, that of %s and %s makes %d", maxArity, first.name, second.name, first.arity*second.arity)}
	}
	m.varying = first.varying || second.varying
	return m.follow(func() ([]int32, error) { return m.compose(first, second) }, first, second)
}

// NewPermuted returns the map that leads to some targets of another one, each at most once, in the given order.
func NewPermuted(of *Map, order []int) (*Map, error) {
	if of.Made() != nil {
		return nil, fmt.Errorf("op2: Permuted: the map is nil, or was not made by NewMap")
	}
	if of.Extruded() {
		return nil, fmt.Errorf("op2: Permuted: %s is extruded\n  hint: permute the map of the base sets, and give NewExtrudedMap the result", of.name)
	}
	name := of.name + strings.ReplaceAll(fmt.Sprint(order), " ", ",")
	m := newMap(of.from, of.to, len(order), name, false)
	switch {
	case of.masked:
		return nil, fmt.Errorf("op2: %s: %s is masked\n  hint: permute the map that it was made from, and mask the result", m.What(), of.name)
	case of.varying:
		return nil, fmt.Errorf("op2: %s: %s has rows of different lengths, whose targets have no numbers", m.What(), of.name)
	case len(order) == 0:
		return nil, &problem.ShapeError{What: m.What(), Msg: "an order of at least one component is needed"}
	}
	for i, c := range order {
		if c < 0 || c >= of.arity {
			return nil, &problem.ShapeError{What: m.What(), Msg: fmt.Sprintf("%d is no component of %s, which has %s", c, of.name, problem.ComponentRange(of.arity))}
		}
		if slices.Contains(order[:i], c) {
			return nil, &problem.ShapeError{What: m.What(), Msg: fmt.Sprintf("component %d is there twice", c)}
		}
	}
	order = slices.Clone(order)
	return m.follow(func() ([]int32, error) {
		if of.from.distributed() || of.from.IsReady() {
			return permuted(of.values, of.arity, order), nil
		}
		return checked(m, permuted(of.TargetNumbers(), of.arity, order))
	}, of)
}

// permuted returns rows with some of the values of given rows.
func permuted[I Integer](rows []I, arity int, order []int) []I {
	values := store.Aligned[I](len(rows) / arity * len(order))
	for i := range values {
		values[i] = rows[i/len(order)*arity+order[i%len(order)]]
	}
	return values
}

// follow gives a new map the values that derive returns, also when those of the other maps change.
func (m *Map) follow(derive func() ([]int32, error), others ...*Map) (*Map, error) {
	m.derive = derive
	for i, of := range others {
		if of.values == nil && of.global == nil && m.from.rt.config.Static {
			addWeakly(&m.from.rt.listed.maps, m)
			return m, nil
		}
		if !slices.Contains(others[:i], of) {
			of.followers = append(slices.DeleteFunc(of.followers, func(f weak.Pointer[Map]) bool { return f.Value() == nil }), weak.Make(m))
			if m.from.rt.Several() {
				of.kept = append(of.kept, m)
			}
		}
	}
	values, err := derive()
	if err != nil {
		return nil, err
	}
	m.values = values
	m.add()
	return m, nil
}

// following returns the map and those that follow from it, each after all that it follows from.
func (m *Map) following() []*Map {
	var all []*Map // last first
	seen := map[*Map]bool{}
	var visit func(m *Map)
	visit = func(m *Map) {
		seen[m] = true
		for _, w := range m.followers {
			if f := w.Value(); f != nil && !seen[f] {
				visit(f)
			}
		}
		all = append(all, m)
	}
	visit(m)
	slices.Reverse(all)
	return all
}

// compose returns the values of m, the composition of two maps. Where ranks hold parts of the mesh, it is collective.
func (m *Map) compose(first, second *Map) ([]int32, error) {
	between := first.to
	switch {
	case m.from.IsReady(): // its numbers are local
		return checked(m, joined(m, first.values, second.values, second.arity))
	case m.from.distributed():
		held := between.numbers[:between.Size()]
		home, err := halo.NewDirectory(m.from.rt.Comm(), between.name, between.Whole(), held)
		if err != nil {
			return nil, broken(err)
		}
		rows, err := m.joinedWith(home, held, first.targetNumbers(), second.targetNumbers()[:len(held)*second.arity], second.arity)
		if err != nil {
			return nil, err
		}
		return localizedRows(m, rows)
	case between.Shared():
		rows, err := m.joinedWith(halo.Shares(between.shares), nil, first.TargetNumbers(), second.TargetNumbers(), second.arity)
		if err != nil {
			return nil, err
		}
		return checked(m, rows)
	}
	return checked(m, joined(m, first.TargetNumbers(), second.TargetNumbers(), second.arity))
}

// joinedWith is joined for rows of which this rank holds some, and brings others.
func (m *Map) joinedWith(home *halo.Directory, held, first, rows []int64, arity int) ([]int64, error) {
	needed := slices.Compact(slices.Sorted(slices.Values(first)))
	if len(needed) > 0 && needed[0] < 0 {
		needed = needed[1:]
	}
	fetched, err := halo.Fetch(m.from.rt.Comm(), home, held, store.Bytes(rows), 8*arity, needed)
	if err != nil {
		return nil, broken(err)
	}
	places := make([]int64, len(first)) // among the rows that were fetched
	for i, t := range first {
		if places[i] = -1; t >= 0 {
			place, _ := slices.BinarySearch(needed, t)
			places[i] = int64(place)
		}
	}
	return joined(m, places, store.As[int64](fetched), arity), nil
}

// joined returns the rows that the values of first lead to, one after the other; -1 where there is none. If m varies, what
// leads nowhere comes last.
func joined[I int32 | int64](m *Map, first, rows []I, arity int) []I {
	values := make([]I, len(first)*arity)
	for i := range values {
		values[i] = -1
		if t := int(first[i/arity]); t >= 0 && (t+1)*arity <= len(rows) {
			values[i] = rows[t*arity+i%arity]
		}
	}
	if m.varying {
		for row := range slices.Chunk(values, m.arity) {
			n := 0
			for _, t := range row {
				if t >= 0 {
					row[n] = t
					n++
				}
			}
			for i := range row[n:] {
				row[n+i] = -1
			}
		}
	}
	return values
}
