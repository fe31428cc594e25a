package core

import "github.com/go-op2/op2/internal/plan"

// Env is what the bindings of a runtime share: plans, and the kernels that a warning was written about.
type Env struct {
	plans  *plan.Cache
	seen   seenMaps
	warned map[string]bool // by source or place
}

// planCacheBytes limits the memory of cached plans that no loop uses.
const planCacheBytes = 1 << 30

// NewEnv returns what the first binding starts with.
func NewEnv() *Env {
	return &Env{plans: plan.NewCache(planCacheBytes), seen: seenMaps{ids: map[seenMap]plan.MapID{}}, warned: map[string]bool{}}
}

// drop drops the plans that were built from any of the objects.
func (e *Env) drop(objects Objects) { e.seen.drop(objects, e.plans) }
