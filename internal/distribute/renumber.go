package distribute

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/problem"
)

// Renumber changes the order of the elements of all sets in memory, within each part of a set, such that
// data used together is close together. Programs give and get declared numbers nevertheless. Coordinates are dats of positions, one for each element of
// a set; any of them may be nil, which is an error.
func Renumber(rt *entity.Runtime, coordinates []*entity.Data) error {
	if rt.Config().Static {
		return nil
	}
	if rt.Mesh().Sealed {
		return fmt.Errorf("op2: Renumber: %s already, the first was %s: they depend on the previous numbers\n"+
			"  hint: call it before the first sparsity and the first loop: what is declared later gets the same order", rt.Mesh().What, rt.Mesh().First)
	}
	if i := slices.IndexFunc(rt.Mesh().Sets, (*entity.Set).Shared); i >= 0 {
		return fmt.Errorf("op2: Renumber: each rank has declared a share of %s: no rank can number all of it\n  hint: call Partition, which numbers the elements of each rank", rt.Mesh().Sets[i].Name())
	}
	if err := renumber(rt, coordinates, false); err != nil {
		return err
	}
	rt.Mesh().Coordinates, rt.Mesh().Wanted = coordinates, nil
	return nil
}

// RenumberLater makes the first call that depends on the order of elements renumber them, by these
// coordinates among others, as Renumber would, unless their order is a good one already. Of sets in shares, it moves
// the elements, as Partition with these coordinates would.
func RenumberLater(rt *entity.Runtime, coordinates *entity.Data) {
	if !rt.Mesh().Sealed && !rt.Config().Static {
		rt.Mesh().Wanted = append(rt.Mesh().Wanted, coordinates)
	}
}

func renumber(rt *entity.Runtime, coordinates []*entity.Data, scattered bool) error {
	m, sets, err := describe(rt.Mesh(), rt, "Renumber", coordinates)
	if err != nil || scattered && !m.Scattered() {
		return err
	}
	m.Workers, m.Stopped = rt.Config().Backend.Threads, rt.Config().Backend.Stop.Raised
	orders := m.Orders()
	if err := rt.Config().Backend.Stop.Err(); err != nil {
		return fmt.Errorf("op2: Renumber: %w", err)
	}
	bySet := map[*entity.Set][]int32{}
	for i, s := range sets {
		bySet[s] = s.Extents().Within(orders[i])
	}
	rt.Numbers().Lock()
	defer rt.Numbers().Unlock()
	rt.Mesh().Apply(bySet)
	return nil
}

// describe describes to package order the sets that were declared whole, which it returns, and the
// maps between them. What is for messages: "Renumber".
func describe(m *entity.Declared, rt *entity.Runtime, what string, coordinates []*entity.Data) (*order.Mesh, []*entity.Set, error) {
	numbers := map[*entity.Set]int{}
	mesh := &order.Mesh{}
	var sets []*entity.Set
	for _, s := range m.Sets {
		if s.Shared() {
			continue
		}
		numbers[s] = len(sets)
		sets = append(sets, s)
		mesh.Sets = append(mesh.Sets, order.Set{Size: s.Total(), Weight: m.Weights[s]})
	}
	for _, f := range m.Maps {
		if f.IsMasked() || f.Global() {
			continue
		}
		mesh.Maps = append(mesh.Maps, order.Map{From: numbers[f.From()], To: numbers[f.To()], Arity: f.Arity(), Values: f.Targets()})
	}
	for i, d := range coordinates {
		switch {
		case d == nil:
			return nil, nil, fmt.Errorf("op2: %s: coordinates %d are nil", what, i+1)
		case d.Runtime().Failed() != nil:
			return nil, nil, entity.CheckDeclared(what+": dat "+d.Name(), d.Runtime())
		case d.Runtime() != rt:
			return nil, nil, fmt.Errorf("op2: %s: dat %s belongs to %s, not to %s", what, d.Name(), d.Runtime().Besides(rt), rt.Besides(d.Runtime()))
		}
		number, whole := numbers[d.Set()]
		if !whole {
			continue
		}
		s := &mesh.Sets[number]
		if s.Coordinates != nil {
			return nil, nil, fmt.Errorf("op2: %s: dat %s: coordinates of %s were given already", what, d.Name(), d.Set().Name())
		}
		values := d.AsFloat64s()
		if i := entity.FindNotFinite(values); i >= 0 {
			return nil, nil, &problem.ShapeError{What: fmt.Sprintf("%s: dat %s", what, d.Name()),
				Msg: fmt.Sprintf("%v, value %d of element %d, is no coordinate", values[i], i%d.Width(), i/d.Width())}
		}
		s.Coordinates, s.Dim = values, d.Width()
	}
	return mesh, sets, nil
}
