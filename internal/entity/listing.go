package entity

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// Listed describes something that has been declared, as this rank has it.
type Listed struct {
	Kind  string // "set", "map", "dat", "global", "mat", "const"
	Name  string
	On    string // the set of a dat, those of a map or a mat; "" for others
	Holds string // what it has for each element: "4 float64"; "" for sets
	Whole bool   // its elements have not been distributed: all ranks have all of them
	Owned int    // elements that belong to this rank
	Halo  int    // copies of elements of other ranks
	Bytes int64  // the memory of its values, without copies on devices

	data *Data // whose values these are; nil for others
}

// Digest returns a hash of the values of a dat, a global or a mat on this rank; "" for what has none.
func (l *Listed) Digest() string {
	if l.data == nil || l.data.Bring(false) != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(l.data.Bytes()))
}

// listing holds what has been declared and is still reachable, without keeping it so.
type listing struct {
	sets  Weakly[Set]
	maps  Weakly[Map]
	datas Weakly[Data]

	varying Weakly[Set] // extruded ones whose columns vary
	flat    flatSets    // those of the layers of extruded ones
}

// Listed describes what has been declared on the runtime and is still reachable: sets, maps, data and consts.
func (rt *Runtime) Listed() (all []Listed) {
	for s := range Reachable(&rt.listed.sets) {
		all = append(all, s.listed("set", s.name, ""))
	}
	for m := range Reachable(&rt.listed.maps) {
		l := m.from.listed("map", m.name, fmt.Sprintf("%d each", m.arity))
		l.On, l.Bytes = m.from.name+" to "+m.to.name, m.Bytes()
		all = append(all, l)
	}
	for d := range Reachable(&rt.listed.datas) {
		all = append(all, d.listed())
	}
	order := []string{"set", "map", "dat", "global", "mat"}
	sorting.By(all, func(a, b Listed) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	for _, name := range sorting.Keys(rt.consts) {
		l := rt.consts[name].layout
		all = append(all, Listed{Kind: "const", Name: name, Holds: l.String(), Whole: true, Owned: 1, Bytes: int64(l.Size)})
	}
	return all
}

func (s *Set) listed(kind, name, holds string) Listed {
	return Listed{Kind: kind, Name: name, Holds: holds, Owned: s.Size(), Halo: s.Total() - s.Size(),
		Whole: s.pending && !s.Among()}
}

func (d *Data) listed() Listed {
	l := Listed{Kind: d.kind.String(), Name: d.name, Holds: fmt.Sprintf("%d %s", d.Dim(), d.TypeName()), Whole: true, Owned: 1, Bytes: int64(d.storage.Bytes()), data: d}
	switch d.kind {
	case loop.Dat:
		bytes := l.Bytes
		l = d.set.listed(l.Kind, d.name, l.Holds)
		l.On, l.Bytes, l.data = d.set.name, bytes, d
	case loop.Mat:
		l.Whole, l.Owned = false, d.sparsity.Blocks()
		l.On = d.sparsity.rows.name + " by " + d.sparsity.cols.name
		l.Holds = fmt.Sprintf("%d x %d %s", d.dim, d.ColDim(), d.scalar)
	}
	return l
}
