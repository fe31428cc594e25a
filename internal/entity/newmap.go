package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// NewMap returns a map with a copy of the values, which are negative only if it is masked.
func NewMap[I Integer](from, to *Set, arity int, values []I, name string, masked bool) (*Map, error) {
	m := newMap(from, to, max(0, min(arity, maxArity)), name, masked)
	what := m.What()
	if err := notExtruded(what, mapColumns, from, to); err != nil {
		return nil, err
	}
	if from.rt != to.rt {
		return nil, fmt.Errorf("op2: %s: its sets belong to two runtimes: %s, %s", what, from.Besides(to), to.Besides(from))
	}
	if arity < 1 {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("an arity of at least 1 is needed, %d was given", arity)}
	}
	if most := store.MostBytes / 4 / max(1, from.Total()); arity > min(most, maxArity) {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("an arity of at most %d is possible, %d was given", min(most, maxArity), arity)}
	}
	if values == nil && from.rt.config.Static {
		addWeakly(&from.rt.listed.maps, m)
		return m, nil
	}
	return mapWith(m, values)
}

// mapWith gives a new map its values, and adds it to those of its runtime.
func mapWith[I Integer](m *Map, values []I) (*Map, error) {
	var err error
	if m.values, err = checked(m, values); err != nil {
		return nil, err
	}
	m.add()
	return m, nil
}

// add adds the map to those of its runtime.
func (m *Map) add() {
	m.from.mesh().addMap(m)
	addWeakly(&m.from.rt.listed.maps, m)
	m.from.rt.program.declareMap(m)
}

// newMap returns a map without values.
func newMap(from, to *Set, arity int, name string, masked bool) *Map {
	m := &Map{from: from, to: to, name: name, masked: masked}
	m.site.Capture()
	m.setArity(arity)
	return m
}

// checked returns a validated copy of values in declared numbering as they are in memory; once the map
// is distributed, of those here, by local numbers.
func checked[I Integer](m *Map, values []I) ([]int32, error) {
	err := m.check(len(values))
	if m.from.IsReady() || m.to.IsReady() {
		if err == nil {
			return readyRows(m, values)
		}
		return nil, err
	}
	for i := 0; i < len(values) && err == nil; i++ {
		err = m.checkValue(i, int64(values[i]))
		if err == nil && m.varying && i%m.arity > 0 && int64(values[i]) >= 0 && int64(values[i-1]) < 0 {
			err = m.brokenRow(i)
		}
	}
	from, to := m.from, m.to
	switch {
	case from.distributed():
		return localized(m, values, err)
	case err != nil:
		return nil, err
	case from.Shared() || to.Shared():
		global := halo.NewNumbers(len(values), to.size)
		for i, v := range values {
			to, row := max(int64(v), -1), from.place(i/m.arity)
			if m.to.places != nil && to >= 0 {
				to = int64(m.to.places[to])
			}
			global.Set(row*m.arity+i%m.arity, to)
		}
		m.global = &global
		return nil, nil
	}
	copied := store.Aligned[int32](len(values))
	for i, v := range values {
		copied[i] = int32(max(int64(v), -1))
	}
	reorderMap(copied, m.arity, from.order, to.places)
	return copied, nil
}

// check returns an error unless that is the number of values needed.
func (m *Map) check(values int) error {
	if values == m.from.declared*m.arity {
		return nil
	}
	return &problem.ShapeError{What: m.What(), Msg: neededValues(m.arity, m.from.declared, m.from.name, values)}
}

// checkValue returns an error for a value that leads to no element.
func (m *Map) checkValue(at int, v int64) error {
	if v < m.to.Targets() && (v >= 0 || m.Gaps()) {
		return nil
	}
	hint := "elements are numbered from 0"
	if v < 0 {
		hint += "; maps that leave out rows and columns of mats are made by NewMaskedMap"
	}
	return &problem.ShapeError{What: m.What(), Msg: fmt.Sprintf("value %d, of component %d for element %d, is not one of the %d %s",
		v, at%m.arity, m.from.first+int64(at/m.arity), m.to.Targets(), m.to.name), Hint: hint}
}

// brokenRow returns the error for values of which the one at a place follows one that leads nowhere.
func (m *Map) brokenRow(at int) error {
	return &problem.ShapeError{What: m.What(), Msg: fmt.Sprintf("element %d has a target after a negative value, which ends its row", m.from.first+int64(at/m.arity))}
}
