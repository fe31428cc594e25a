package entity

import (
	"fmt"
	"iter"
	"weak"
)

// Declared holds what has been declared on a runtime, until something depends on the current
// numbers: the first sparsity, or the first loop.
type Declared struct {
	Sets        []*Set
	Subsets     []*Subset
	Maps        []*Map // including masked ones
	Dats        Weakly[Data]
	Held        []*Data      // those on shares, whose values all ranks exchange, whatever the collector does
	Whole       []WholeDat   // on several ranks: those on sets that were declared whole
	Weights     map[*Set]int // bytes of data per element
	Sealed      bool
	Coordinates []*Data // that Renumber was given
	Wanted      []*Data // those that Seal renumbers by; none: it does not
	Owners      []*Data // which rank owns each element of their sets, if the program says so
	What        string  // "loops have been prepared"
	First       string  // the first of them
}

// InShares iterates over the sets that were declared in shares, with their places among all sets.
func (m *Declared) InShares() iter.Seq2[int, *Set] {
	return func(yield func(int, *Set) bool) {
		for i, s := range m.Sets {
			if s.Shared() && !yield(i, s) {
				return
			}
		}
	}
}

// open reports whether what is declared on a set is ordered and distributed with others. A set without such a mesh
// has its order and its ranks.
func (m *Declared) open() bool { return m != nil && !m.Sealed }

func (m *Declared) addSet(s *Set) {
	if m.open() {
		m.Sets = append(m.Sets, s)
	}
}

func (m *Declared) addSubset(s *Subset) {
	if m.open() {
		m.Subsets = append(m.Subsets, s)
	}
}

func (m *Declared) addMap(f *Map) {
	if m.open() {
		m.Maps = append(m.Maps, f)
	}
}

// addDat does not keep the dat alive, unless its set is declared in shares. The order of elements does
// not depend on which dats are still reachable.
func (m *Declared) addDat(d *Data) {
	if !m.open() {
		return
	}
	if m.Weights == nil {
		m.Weights = map[*Set]int{}
	}
	m.Weights[d.set] += d.dim * d.scalar.Size()
	addWeakly(&m.Dats, d)
	switch {
	case d.set.Shared():
		m.Held = append(m.Held, d)
	case d.set.pending:
		m.Whole = append(m.Whole, newWholeDat(d))
	}
}

// Seal ends the phase in which Renumber is possible, and renumbers the mesh if that was asked for. On
// several ranks, it distributes the mesh.
func (rt *Runtime) Seal(what, first string) error {
	if rt.mesh.Sealed {
		return nil
	}
	if err := rt.work.Seal(what, first); err != nil {
		return err
	}
	rt.Spread()
	rt.mesh = Declared{Sealed: true, What: what, First: first}
	if rt.config.Figures && rt.config.Declared != nil {
		return rt.config.Declared(rt)
	}
	return nil
}

// Sealed reports whether Seal has been called: there is no way back to another order of elements.
func (rt *Runtime) Sealed() bool { return rt.mesh.Sealed }

// WholeDat is a dat on a set that was declared whole, which may have become unreachable.
type WholeDat struct {
	Text  string
	Dim   int
	Count int // values
	Dat   weak.Pointer[Data]
}

func newWholeDat(d *Data) WholeDat {
	return WholeDat{d.Shape(), d.dim, d.Elements() * d.dim, weak.Make(d)}
}

// Shape describes a dat with what it has for each element: "dat x on nodes, 2 float64 for each".
func (d *Data) Shape() string {
	return fmt.Sprintf("%s, %d %s for each", d.Describe(), d.Dim(), d.TypeName())
}

const ByPartition = "by Partition"

// Distributed says why the mesh has been distributed already.
func (m *Declared) Distributed() string {
	if m.First == ByPartition {
		return "the mesh has been distributed already, by Partition"
	}
	return fmt.Sprintf("the mesh has been distributed: %s already, the first was %s", m.What, m.First)
}
