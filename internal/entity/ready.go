package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// NewReadySet returns a set that another tool has distributed: its elements, and maps and data on it,
// have local numbers. It is collective.
func (rt *Runtime) NewReadySet(g *halo.Given) (*Set, error) {
	e := Extents{Core: g.Core, Owned: g.Owned}
	for _, l := range g.Layers {
		e.Layers = append(e.Layers, Layer{l.Executed, l.ReadOnly})
	}
	if !rt.Several() {
		if n := e.Total(); n != g.Owned || len(g.Sends)+len(g.Receives) > 0 {
			return nil, &problem.ShapeError{What: "set " + g.Name, Msg: fmt.Sprintf("it has a halo of %d elements and messages with %d ranks, but the program runs on one process", n-g.Owned, len(g.Sends)+len(g.Receives))}
		}
		for i, n := range g.Numbers {
			if n != int64(i) || len(g.Numbers) != g.Owned {
				return nil, &problem.ShapeError{What: "set " + g.Name, Msg: fmt.Sprintf("its %d elements have %d numbers, and element %d has the number %d", g.Owned, len(g.Numbers), i, n),
					Hint: "on one process, elements are numbered 0, 1, 2 and so on: leave Numbers out, or declare the set in that order"}
			}
		}
		return rt.NewSet(e, g.Name)
	}
	local, err := halo.Adopt(rt.Comm(), g)
	if err != nil {
		return nil, rt.Report(err)
	}
	s := &Set{rt: rt, name: g.Name, distribution: &distribution{size: local.Size, ready: local}}
	s.site.Capture()
	s.Localize(local)
	return s, nil
}

// readyRows returns the values of a map between sets that came distributed, which are local numbers
// already. It is collective.
func readyRows[I Integer](m *Map, values []I) ([]int32, error) {
	from, to := m.from, m.to
	if !from.IsReady() || !to.IsReady() {
		return nil, fmt.Errorf("op2: %s: one of its sets came distributed, the other did not", m.What())
	}
	rows := store.Aligned[int32](len(values))
	for i, v := range values {
		if int64(v) >= int64(to.Total()) {
			return nil, &problem.ShapeError{What: m.What(), Msg: fmt.Sprintf("value %d, of component %d for element %d, is not one of the %d %s that the rank has",
				v, i%m.arity, i/m.arity, to.Total(), to.name), Hint: "maps of sets that came distributed have local numbers"}
		}
		rows[i] = int32(max(int64(v), -1))
	}
	if err := halo.CheckRows(m.What(), from.distribution.ready, to.distribution.ready, m.arity, rows); err != nil {
		return nil, err
	}
	if err := halo.CheckIncrements(m.What(), from.distribution.ready, to.distribution.ready, m.arity, rows); err != nil {
		return nil, err
	}
	return rows, halo.CheckCopies(m.from.rt.Comm(), m.What(), from.distribution.ready, to.distribution.ready, m.arity, rows)
}

// IsReady reports whether the set came distributed.
func (s *Set) IsReady() bool { return s.distribution != nil && s.distribution.ready != nil }
