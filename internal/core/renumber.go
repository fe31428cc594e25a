package core

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/problem"
)

// Renumber changes the order of the elements of all sets in memory, within each part of a set, such that
// data used together is close together. Programs give and get declared numbers nevertheless. Coordinates are dats of positions, one for each element of
// a set; any of them may be nil, which is an error.
func (rt *Runtime) Renumber(coordinates []*Data) error {
	if rt.config.Static {
		return nil
	}
	if rt.Mesh().sealed {
		return fmt.Errorf("op2: Renumber: %s already, the first was %s: they depend on the previous numbers\n"+
			"  hint: call it before the first sparsity and the first loop: what is declared later gets the same order", rt.Mesh().what, rt.Mesh().first)
	}
	if i := slices.IndexFunc(rt.Mesh().sets, (*Set).shared); i >= 0 {
		return fmt.Errorf("op2: Renumber: each rank has declared a share of %s: no rank can number all of it\n  hint: call Partition, which numbers the elements of each rank", rt.Mesh().sets[i].name)
	}
	if err := rt.renumber(coordinates, false); err != nil {
		return err
	}
	rt.Mesh().coordinates, rt.Mesh().wanted = coordinates, nil
	return nil
}

// RenumberLater makes the first call that depends on the order of elements renumber them, by these
// coordinates among others, as Renumber would, unless their order is a good one already.
func (rt *Runtime) RenumberLater(coordinates *Data) {
	if !rt.Mesh().sealed && !rt.config.Static {
		rt.Mesh().wanted = append(rt.Mesh().wanted, coordinates)
	}
}

func (rt *Runtime) renumber(coordinates []*Data, scattered bool) error {
	m, sets, err := rt.Mesh().describe(rt, "Renumber", coordinates)
	if err != nil || scattered && !m.Scattered() {
		return err
	}
	m.Workers, m.Stopped = rt.config.Backend.Threads, rt.config.Backend.Stop.Raised
	orders := m.Orders()
	if err := rt.config.Backend.Stop.Err(); err != nil {
		return fmt.Errorf("op2: Renumber: %w", err)
	}
	bySet := map[*Set][]int32{}
	for i, s := range sets {
		bySet[s] = s.extents.within(orders[i])
	}
	rt.numbers.Lock()
	defer rt.numbers.Unlock()
	rt.Mesh().apply(bySet)
	return nil
}

// seal renumbers the mesh if that was asked for, and distributes it to the ranks: from now on something depends on the
// order of elements. Declared is called with the mesh in the final order, before it is distributed.
func seal(rt *Runtime, what, first string, declared func()) error {
	if len(rt.Mesh().wanted) > 0 && !slices.ContainsFunc(rt.Mesh().sets, (*Set).shared) {
		if err := rt.renumber(rt.Mesh().wanted, true); err != nil {
			return rt.Report(err)
		}
	}
	declared()
	if rt.Several() {
		if err := rt.distribute(rt.Mesh().coordinates); err != nil {
			return rt.Report(err) // others may wait in the middle of it
		}
	}
	return nil
}

// describe describes to package order the sets that were declared whole, which it returns, and the
// maps between them. What is for messages: "Renumber".
func (m *declared) describe(rt *Runtime, what string, coordinates []*Data) (*order.Mesh, []*Set, error) {
	numbers := map[*Set]int{}
	mesh := &order.Mesh{}
	var sets []*Set
	for _, s := range m.sets {
		if s.shared() {
			continue
		}
		numbers[s] = len(sets)
		sets = append(sets, s)
		mesh.Sets = append(mesh.Sets, order.Set{Size: s.Total(), Weight: m.weights[s]})
	}
	for _, f := range m.maps {
		if f.masked || f.global != nil {
			continue
		}
		mesh.Maps = append(mesh.Maps, order.Map{From: numbers[f.from], To: numbers[f.to], Arity: f.arity, Values: f.values})
	}
	for i, d := range coordinates {
		switch {
		case d == nil:
			return nil, nil, fmt.Errorf("op2: %s: coordinates %d are nil", what, i+1)
		case d.rt.failed != nil:
			return nil, nil, CheckDeclared(what+": dat "+d.name, d.rt)
		case d.rt != rt:
			return nil, nil, fmt.Errorf("op2: %s: dat %s belongs to %s, not to %s", what, d.name, d.rt.Besides(rt), rt.Besides(d.rt))
		case d.set.shared(), d.set.isReady():
			continue
		}
		s := &mesh.Sets[numbers[d.set]]
		if s.Coordinates != nil {
			return nil, nil, fmt.Errorf("op2: %s: dat %s: coordinates of %s were given already", what, d.name, d.set.name)
		}
		values := d.AsFloat64s()
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, &problem.ShapeError{What: fmt.Sprintf("%s: dat %s", what, d.name),
					Msg: fmt.Sprintf("%v, value %d of element %d, is no coordinate", v, i%d.dim, i/d.dim)}
			}
		}
		s.Coordinates, s.Dim = values, d.dim
	}
	return mesh, sets, nil
}
