package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// serials list what the program has declared, besides data, by numbers that are the same on all ranks.
type serials struct {
	sets       Weakly[Set]
	allMaps    Weakly[Map]
	subsets    Weakly[Subset]
	sparsities Weakly[Sparsity]
	carried    Weakly[Data]
}

// Divided is what the program has declared, and can still reach on all ranks, that is divided among them.
type Divided struct {
	Sets       []*Set
	Maps       []*Map
	Subsets    []*Subset
	Sparsities []*Sparsity
	Dats, Mats []*Data
}

// Divided returns what has been divided among the ranks, in the order of declaration, without sets that came distributed, and
// what is on these. Ranks may differ in what they can still reach, as Go's collector runs when it likes: what one of
// them has lost, the program has lost on all. It is collective.
func (rt *Runtime) Divided() (*Divided, error) {
	p := &rt.program
	sets, maps, subsets, sparsities := byNumber(&p.sets), byNumber(&p.allMaps), byNumber(&p.subsets), byNumber(&p.sparsities)
	data := make([]*Data, p.serial)
	for _, n := range p.data {
		data[n.Serial] = n.Data.Value()
	}
	data = append(data, byNumber(&p.carried)...)
	counts := fmt.Sprintf("%d sets, %d maps, %d subsets, %d sparsities, %d dats, globals and mats", len(sets), len(maps), len(subsets), len(sparsities), len(data))
	if same, err := rt.SameOnAll(counts); err != nil || !same {
		if err == nil {
			err = rt.notAlike(counts)
		}
		return nil, err
	}
	all := slices.Concat(present(sets), present(maps), present(subsets), present(sparsities), present(data))
	if err := comm.Min(rt.Comm(), all); err != nil {
		return nil, rt.Broken(err)
	}
	d := &Divided{
		Sets:       onAll(&all, sets, (*Set).moves),
		Maps:       onAll(&all, maps, func(m *Map) bool { return m.from.moves() }),
		Subsets:    onAll(&all, subsets, func(s *Subset) bool { return s.of.moves() }),
		Sparsities: onAll(&all, sparsities, func(s *Sparsity) bool { return s.rows.moves() }),
	}
	for _, of := range onAll(&all, data, func(d *Data) bool { return d.set != nil && d.set.moves() }) {
		if of.kind == loop.Mat {
			d.Mats = append(d.Mats, of)
		} else {
			d.Dats = append(d.Dats, of)
		}
	}
	return d, nil
}

// present returns 1 for each object that there is, and 0 for nil.
func present[T any](list []*T) []int64 {
	is := make([]int64, len(list))
	for i, x := range list {
		if x != nil {
			is[i] = 1
		}
	}
	return is
}

// onAll returns the objects that all ranks have, as the first of the numbers say, which it takes, and that are wanted.
func onAll[T any](present *[]int64, list []*T, wanted func(*T) bool) (on []*T) {
	for i, x := range list {
		if (*present)[i] != 0 && wanted(x) {
			on = append(on, x)
		}
	}
	*present = (*present)[len(list):]
	return on
}

// Carry makes the values of a dat, which the program has not declared itself, go with elements that move to other ranks. All ranks
// make the same calls.
func (d *Data) Carry() { addWeakly(&d.rt.program.carried, d) }

// moves reports whether elements of the set can go to other ranks.
func (s *Set) moves() bool { return s.Among() && !s.IsReady() }

// notAlike returns the error of ranks that have declared different numbers of things. It is collective.
func (rt *Runtime) notAlike(own string) error {
	who, err := rt.Differences([]string{own}, RankTexts.First)
	if err != nil {
		return err
	}
	return OnAll(fmt.Errorf("op2: ranks have made different declarations: %s\n  hint: all ranks make the same declarations in the same order", who))
}
