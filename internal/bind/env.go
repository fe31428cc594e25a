package bind

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/plan"
)

// Env is what the bindings of a runtime share: plans, and the kernels that a warning was written about.
type Env struct {
	Plans  *plan.Cache
	seen   seenMaps
	warned map[string]bool // by source or place
}

// planCacheBytes limits the memory of cached plans that no loop uses.
const planCacheBytes = 1 << 30

// NewEnv returns what the first binding starts with.
func NewEnv() *Env {
	e := &Env{warned: map[string]bool{}}
	e.Clear()
	return e
}

// Clear drops all plans.
func (e *Env) Clear() {
	e.Plans, e.seen = plan.NewCache(planCacheBytes), seenMaps{ids: map[seenMap]plan.MapID{}}
}

// Drop drops the plans that were built from any of the objects.
func (e *Env) Drop(objects entity.Objects) { e.seen.drop(objects, e.Plans) }

// seenMaps holds the maps that plans were built from, as seen from a set or from a subset.
type seenMaps struct {
	ids  map[seenMap]plan.MapID
	next plan.MapID
}

// seenMap identifies a map as seen from a subset; nil stands for the map to the elements themselves,
// and for the whole set.
type seenMap struct{ subset, m entity.ID }

// id returns the ID in plans of m as seen from a subset, either of which may be nil.
func (s *seenMaps) id(subset *entity.Subset, m *entity.Map) plan.MapID {
	key := seenMap{subset: subset.Tracked(), m: m.Tracked()}
	id, ok := s.ids[key]
	if !ok {
		id = s.next
		s.next++
		s.ids[key] = id
	}
	return id
}

// drop drops the plans that were built from any of the maps or subsets.
func (s *seenMaps) drop(objects entity.Objects, plans *plan.Cache) {
	ids := map[plan.MapID]bool{}
	for key, id := range s.ids {
		if objects[key.subset] || objects[key.m] {
			ids[id] = true
			delete(s.ids, key)
		}
	}
	plans.Drop(ids)
}
