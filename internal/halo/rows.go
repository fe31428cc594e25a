package halo

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
)

// CheckRows returns an error if a map between adopted sets leads from the core into the halo, or from
// an element that loops execute to one that is too far out to be valid then. Values are local
// numbers; negative ones lead nowhere.
func CheckRows(name string, from, to *LocalSet, arity int, values []int32) error {
	for e := range from.Prefix(max(0, 2*len(from.Layers)-1)) {
		layer := reached(from.part(int32(e))) / 2
		end := to.Prefix(2 * layer)
		if e < from.Core {
			layer, end = 0, to.Owned
		}
		i := slices.IndexFunc(values[e*arity:][:arity], func(t int32) bool { return int(t) >= end })
		switch {
		case i >= 0 && layer == 0:
			return leads(name, values[e*arity+i], i, e, "of the core leads into the halo")
		case i >= 0:
			return leads(name, values[e*arity+i], i, e, fmt.Sprintf("leads beyond layer %d of the halo", layer))
		}
	}
	return nil
}

// leads returns the error for a value that leads where it must not.
func leads(name string, value int32, component, element int, where string) error {
	return &problem.ShapeError{What: name, Msg: fmt.Sprintf("component %d of element %d %s, to element %d", component, element, where, value)}
}

// CheckIncrements returns an error if a map leads from an owned element to one of another rank that
// does not have it in E_1: increments through the map would be missing there.
func CheckIncrements(name string, from, to *LocalSet, arity int, values []int32) error {
	owners := Owners(to.Parts, to.Extents)
	executed := map[int32][]int32{}
	for _, s := range from.executed() {
		executed[int32(s.Rank)] = sorting.Sorted(s.Elements, cmp.Compare)
	}
	for at, t := range values[from.Core*arity : from.Owned*arity] {
		if int(t) < to.Owned {
			continue
		}
		e, owner := int32(from.Core+at/arity), owners[int(t)-to.Owned]
		if _, found := slices.BinarySearch(executed[owner], e); !found {
			return &problem.ShapeError{What: name, Msg: fmt.Sprintf("element %d leads to element %d, of rank %d, which does not execute it: what the element adds is missing there",
				e, t, owner)}
		}
	}
	return nil
}

// CheckCopies returns an error if an element of the halo that loops execute leads elsewhere than with
// its owner: its increments would be others there. It is collective.
func CheckCopies(c comm.Comm, name string, from, to *LocalSet, arity int, values []int32) error {
	targets := func(e int32) []int64 {
		row := make([]int64, arity)
		for i, t := range values[int(e)*arity:][:arity] {
			if row[i] = -1; t >= 0 {
				row[i] = to.Numbers[t]
			}
		}
		return row
	}
	for executed := 0; executed < len(from.Parts); executed += 2 {
		err := from.Parts[executed].copies(c, 8*arity, func(e int32) []byte { return comm.Bytes(targets(e)) }, func(owner int, e int32, data []byte) error {
			if own, row := targets(e), comm.Values[int64](data); !slices.Equal(own, row) {
				return &problem.ShapeError{What: name, Msg: fmt.Sprintf("element %d of the halo, %d of the whole mesh, leads to %v of the whole mesh, and with its owner, rank %d, to %v",
					e, from.Numbers[e], own, owner, row)}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// executed returns which owned elements are in E_1 of other ranks.
func (s *LocalSet) executed() []Send {
	if len(s.Parts) == 0 {
		return nil
	}
	return s.Parts[0].Sends
}

// Owners returns for each element of a halo, which these messages fill, the rank that owns it.
func Owners(parts []Part, e Extents) []int32 {
	owners := make([]int32, e.Total()-e.Owned)
	for _, p := range parts {
		for _, r := range p.Receives {
			for i := range r.Count {
				owners[int(r.Element(i))-e.Owned] = int32(r.Rank)
			}
		}
	}
	return owners
}
