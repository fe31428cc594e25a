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
	return &Env{Plans: plan.NewCache(planCacheBytes), seen: seenMaps{ids: map[seenMap]plan.MapID{}}, warned: map[string]bool{}}
}

// Drop drops the plans that were built from any of the objects.
func (e *Env) Drop(objects entity.Objects) { e.seen.drop(objects, e.Plans) }
