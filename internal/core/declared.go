package core

import (
	"fmt"
	"slices"
	"weak"
)

// declared holds what has been declared on a runtime, until something depends on the current
// numbers: the first sparsity, or the first loop.
type declared struct {
	sets        []*Set
	subsets     []*Subset
	maps        []*Map               // including masked ones
	dats        []weak.Pointer[Data] // some of which may have become unreachable
	held        []*Data              // those on shares, whose values all ranks exchange, whatever the collector does
	whole       []wholeDat           // on several ranks: those on sets that were declared whole
	alive       int                  // of the dats, at the last sweep
	weights     map[*Set]int         // bytes of data per element
	sealed      bool
	coordinates []*Data // that Renumber was given
	wanted      []*Data // those that Seal renumbers by; none: it does not
	what        string  // "loops have been prepared"
	first       string  // the first of them
}

func (m *declared) addSet(s *Set) {
	if !m.sealed {
		m.sets = append(m.sets, s)
	}
}

func (m *declared) addSubset(s *Subset) {
	if !m.sealed && !s.of.isReady() {
		m.subsets = append(m.subsets, s)
	}
}

func (m *declared) addMap(f *Map) {
	if !m.sealed && !f.from.isReady() {
		m.maps = append(m.maps, f)
	}
}

// addDat does not keep the dat alive, unless its set is declared in shares. The order of elements does
// not depend on which dats are still reachable.
func (m *declared) addDat(d *Data) {
	if m.sealed || d.set.isReady() {
		return
	}
	if m.weights == nil {
		m.weights = map[*Set]int{}
	}
	m.weights[d.set] += d.dim * d.scalar.Size()
	if len(m.dats) >= 2*m.alive+64 {
		m.dats = slices.DeleteFunc(m.dats, func(d weak.Pointer[Data]) bool { return d.Value() == nil })
		m.alive = len(m.dats)
	}
	m.dats = append(m.dats, weak.Make(d))
	switch {
	case d.set.shared():
		m.held = append(m.held, d)
	case d.set.distribution != nil:
		m.whole = append(m.whole, newWholeDat(d))
	}
}

// Seal ends the phase in which Renumber is possible, and renumbers the mesh if that was asked for. On
// several ranks, it distributes the mesh.
func (rt *Runtime) Seal(what, first string) error {
	if rt.mesh.sealed {
		return nil
	}
	if err := rt.work.Seal(what, first); err != nil {
		return err
	}
	rt.mesh = declared{sealed: true, what: what, first: first}
	return nil
}

// Sealed reports whether Seal has been called: there is no way back to another order of elements.
func (rt *Runtime) Sealed() bool { return rt.mesh.sealed }

// wholeDat is a dat on a set that was declared whole, which may have become unreachable.
type wholeDat struct {
	text  string
	dim   int
	count int // values
	dat   weak.Pointer[Data]
}

func newWholeDat(d *Data) wholeDat {
	return wholeDat{d.shape(), d.dim, d.elements() * d.dim, weak.Make(d)}
}

// shape describes a dat with what it has for each element: "dat x on nodes, 2 float64 for each".
func (d *Data) shape() string {
	return fmt.Sprintf("%s, %d %s for each", d.Describe(), d.Dim(), d.typeName())
}
