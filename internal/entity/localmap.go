package entity

import (
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// localized returns the values of a map between distributed sets, for the elements here and by their
// local numbers, from those that this rank was given. All that loops reach through the map must be
// here. It is collective, and fails on all ranks if own is an error on one.
func localized[I Integer](m *Map, given []I, own error) ([]int32, error) {
	if err := m.from.rt.Agree(own); err != nil {
		return nil, err
	}
	bytes, err := m.from.rows(m.arity*int(unsafe.Sizeof(I(0))), store.Bytes(given))
	if err != nil {
		return nil, err
	}
	return localizedRows(m, store.As[I](bytes))
}

// localizedRows is localized for the rows of the elements here.
func localizedRows[I Integer](m *Map, rows []I) ([]int32, error) {
	var own error
	places := map[int64]int32{}
	for i, e := range m.to.numbers {
		places[e] = int32(i)
	}
	values := store.Aligned[int32](len(rows))
	for i, t := range rows {
		values[i] = -1
		if place, here := places[int64(t)]; here {
			values[i] = place
		} else if own == nil && int64(t) >= 0 && i/m.arity < m.from.Executable() {
			own = m.unknown(i/m.arity, fmt.Sprintf("element %d of %s, which is not in the rank's halo", t, m.to.name))
		}
	}
	if own == nil {
		own = m.reaches(values)
	}
	return values, m.from.rt.Agree(own)
}

// unknown returns the error for an element that leads where loops cannot follow.
func (m *Map) unknown(element int, where string) error {
	return fmt.Errorf("op2: %s: element %d of %s, on rank %d, leads to %s: the mesh has been distributed without this map\n"+
		"  hint: declare maps before the first loop, sparsity and solver", m.What(), m.from.numbers[element], m.from.name, m.from.rt.Rank(), where)
}

// reaches returns an error unless halos suffice for the map: what layers execute leads to no deeper
// layer, and owners of targets execute what leads there.
func (m *Map) reaches(values []int32) error {
	from, to := m.from, m.to
	owners := to.HaloOwners()
	type sent struct {
		element int32
		rank    int32
	}
	executed := map[sent]bool{} // by other ranks, in their first layer
	for _, s := range from.parts[0].Sends {
		for _, e := range s.Elements {
			executed[sent{e, int32(s.Rank)}] = true
		}
	}
	for layer := 1; layer <= from.depth; layer++ {
		first, last := from.Prefix(2*layer-3), from.Prefix(2*layer-1)
		if layer == 1 {
			first = 0
		}
		for at, t := range values[first*m.arity : last*m.arity] {
			switch e := int32(first + at/m.arity); {
			case t < 0:
			case int(t) >= to.Prefix(2*layer):
				return m.unknown(int(e), fmt.Sprintf("element %d of %s, which is too deep in the rank's halo", to.numbers[t], to.name))
			case int(e) < from.Size() && int(t) >= to.Size() && !executed[sent{e, owners[int(t)-to.Size()]}]:
				return m.unknown(int(e), fmt.Sprintf("element %d of %s on rank %d, which does not know of it", to.numbers[t], to.name, owners[int(t)-to.Size()]))
			}
		}
	}
	return nil
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
	return rows, m.checkReady(rows)
}

// checkReady checks the local numbers of a map between sets that came distributed.
func (m *Map) checkReady(rows []int32) error {
	from, to := m.from.ready, m.to.ready
	if err := halo.CheckRows(m.What(), from, to, m.arity, rows); err != nil {
		return err
	}
	if err := halo.CheckIncrements(m.What(), from, to, m.arity, rows); err != nil {
		return err
	}
	return halo.CheckCopies(m.from.rt.Comm(), m.What(), from, to, m.arity, rows)
}
