package op2

import (
	"github.com/go-op2/op2/internal/entity"
)

// MixedMap leads from one set to several: it is a list of maps, one for each part of a mixed dat.
type MixedMap entity.MixedMap

func (m *MixedMap) core() *entity.MixedMap { return (*entity.MixedMap)(m) }

// NewMixedMap declares a mixed map of the given parts, all of which lead from one set. A part that is
// nil leads nowhere: kernels get nothing of that part of a mixed dat. At least one is not nil.
func NewMixedMap(parts []*Map, name string) *MixedMap {
	list, on := make([]*entity.Map, len(parts)), make([]*entity.Runtime, len(parts))
	for i, m := range parts {
		list[i], on[i] = m.core(), m.runtime()
	}
	return (*MixedMap)(entity.Declare(entity.Declaration{On: on, Enter: (*entity.Runtime).EnterLazily},
		func() (*entity.MixedMap, error) { return entity.NewMixedMap(list, name) },
		func(failed *entity.Runtime) *entity.MixedMap { return entity.InertMixedMap(failed, name) }))
}

// Err returns why the mixed map could not be declared; nil if it was.
func (m *MixedMap) Err() error { return m.runtime().Made("mixed map", "NewMixedMap") }

func (m *MixedMap) runtime() *entity.Runtime { return orEmpty(m.core()).From().Runtime() }

// Parts returns the maps; those that lead nowhere are nil.
func (m *MixedMap) Parts() []*Map {
	var list []*Map
	for _, p := range orEmpty(m.core()).Parts() {
		list = append(list, (*Map)(p))
	}
	return list
}
