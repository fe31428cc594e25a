package checkpoint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/sorting"
)

// compare returns an error that names what differs between what the program has declared, with these values, digests
// of maps and diagonals of conditions, and what the index has.
func compare(rt *entity.Runtime, values []value, maps map[string]uint64, diagonals map[string]float64, x *snapshot.Index) error {
	own, optional := names(rt), map[string]bool{}
	for _, v := range values {
		optional[v.name] = v.optional
		own[v.name] = []snapshot.Shape{{Shape: v.form, Count: 1}}
	}
	saved := map[string][]snapshot.Shape{}
	for name, list := range x.Names {
		saved[name] = list
	}
	for _, v := range x.Values {
		if _, is := saved[v.Name]; !is {
			saved[v.Name] = []snapshot.Shape{{Shape: v.Form, Count: 1}}
			optional[v.Name] = optional[v.Name] || v.Optional
		}
	}
	for _, name := range sorting.Keys(saved) {
		switch {
		case own[name] == nil && optional[name]:
			continue
		case own[name] == nil:
			return fmt.Errorf("it has %s, which the program has not declared", name)
		}
		if there, here := describe(saved[name]), describe(own[name]); there != here {
			return fmt.Errorf("it has %s with %s, the program with %s", name, there, here)
		}
	}
	for _, name := range sorting.Keys(own) {
		if saved[name] == nil && !optional[name] {
			return fmt.Errorf("the program has %s, which it has not", name)
		}
	}
	for _, name := range sorting.Keys(maps) { // what only one of them has may have become unreachable in the other
		if there, is := x.Maps[name]; is && there != maps[name] {
			return fmt.Errorf("it has %s with the digest %016x, the program with %016x: they are not the same", name, there, maps[name])
		}
	}
	for _, name := range sorting.Keys(x.Diagonals) {
		if here, is := diagonals[name]; is && here != x.Diagonals[name] {
			return fmt.Errorf("it has %s with the diagonal %v at the first Checkpoint, the program with %v", name, x.Diagonals[name], here)
		}
	}
	return compareKept(rt.DeclaredConditions(), x)
}

// compareKept returns an error that names a matrix beside which the index has something on behalf of conditions that the
// program has not declared. Those that it has declared may be unreachable: nothing can apply them any more.
func compareKept(declared []string, x *snapshot.Index) error {
	for i, d := range x.Data {
		var by []string
		for _, k := range x.Beside {
			if k.Datum == i && !slices.Contains(by, k.By) {
				by = append(by, k.By)
			}
		}
		if slices.ContainsFunc(by, func(name string) bool { return !slices.Contains(declared, name) }) {
			sorting.By(by, strings.Compare)
			here := "none"
			if len(declared) > 0 {
				here = strings.Join(declared, " and ")
			}
			return fmt.Errorf("it has %s with %s applied to it, the program declares %s before the first Checkpoint", nth(d.Name, d.Nth), strings.Join(by, " and "), here)
		}
	}
	return nil
}

// digests returns digests of where the maps of the program lead, of the bounds of columns that vary, and of the patterns of its
// matrices, by name, of those that are reachable on all ranks, and the names of its conditions. It is collective, and returns
// them on all.
func digests(rt *entity.Runtime) (map[string]uint64, error) {
	own := map[string]uint64{}
	for name, m := range rt.Maps {
		own[name] = 0
		if m.From().Among() || rt.Rank() == 0 { // otherwise it has the same elements
			own[name] = m.Digest()
		}
	}
	for s, digest := range rt.Varying {
		if base, _ := s.Base(); !base.Among() && rt.Rank() > 0 {
			digest = 0
		}
		own["the bounds of "+s.Name()] += digest
	}
	for _, n := range rt.Program().All() {
		d := n.Data.Value()
		if d == nil || d.Kind() != loop.Mat {
			continue
		}
		name := "the pattern of " + nth(n.Name, n.Nth)
		own[name] = 0
		if d.Set().Among() || rt.Rank() == 0 {
			own[name] = d.Sparsity().Digest()
		}
	}
	for name := range rt.Conditions {
		own[name] = 0
	}
	ranks, err := comm.Collect(rt.Comm(), own)
	if err != nil {
		return nil, rt.Broken(err)
	}
	return fromRank0(rt, func() (map[string]uint64, error) {
		for _, of := range ranks[1:] {
			for name := range own {
				if sum, is := of[name]; is {
					own[name] += sum
				} else {
					delete(own, name)
				}
			}
		}
		return own, nil
	})
}

// describe describes the shapes of data of one name.
func describe(list []snapshot.Shape) string {
	var parts []string
	for _, s := range list {
		text := s.Shape
		if s.Count > 1 {
			text += fmt.Sprintf(" (%d times)", s.Count)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// names returns the names of all that the program has declared, with their shapes.
func names(rt *entity.Runtime) map[string][]snapshot.Shape {
	all := map[string][]snapshot.Shape{}
	for name, list := range rt.Program().Shapes() {
		for _, s := range list {
			all[name] = append(all[name], snapshot.Shape(s))
		}
	}
	return all
}

// nth names one of several of the same name, from 0.
func nth(name string, n int) string { return entity.Nth(name, n+1) }
