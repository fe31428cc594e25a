package op2

import "github.com/go-op2/op2/internal/core"

// MixedMap leads from one set to several: it is a list of maps, one for each part of a mixed dat.
type MixedMap core.MixedMap

func (m *MixedMap) core() *core.MixedMap { return (*core.MixedMap)(m) }

// NewMixedMap declares a mixed map of the given parts, all of which lead from one set. A part that is
// nil leads nowhere: kernels get nothing of that part of a mixed dat. At least one is not nil.
func NewMixedMap(parts []*Map, name string) (*MixedMap, error) {
	list := make([]*core.Map, len(parts))
	for i, m := range parts {
		list[i] = m.core()
	}
	m, err := core.NewMixedMap(list, name)
	return (*MixedMap)(m), err
}

// From returns the set that all parts lead from.
func (m *MixedMap) From() *Set { return (*Set)(orEmpty(m.core()).From()) }

// Parts returns the maps; those that lead nowhere are nil.
func (m *MixedMap) Parts() []*Map {
	var list []*Map
	for _, p := range orEmpty(m.core()).Parts() {
		list = append(list, (*Map)(p))
	}
	return list
}

// Part returns map i of the parts; nil if it leads nowhere.
func (m *MixedMap) Part(i int) *Map { return partOf(m.Parts(), i) }

// Len returns the number of parts.
func (m *MixedMap) Len() int { return len(orEmpty(m.core()).Parts()) }

// Name returns the name the mixed map was declared with.
func (m *MixedMap) Name() string { return orEmpty(m.core()).Name() }

func (m *MixedMap) String() string { return m.Name() }
