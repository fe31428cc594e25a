package core

import (
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
)

// Engine is the work of a runtime: its loops, which are cached, and the queue that decides when they run.
type Engine struct {
	rt       *Runtime
	env      *Env
	loops    loopCache
	shared   map[loop.Hash]bool // of loops whose code ranks have shared
	queue    Queue
	warned   bool      // that threads are idle
	recorder *recorder // nil unless the configuration asks for it
}

// Open returns a runtime on a backend of that name, which it owns, and which runs loops.
func Open(name string, b backend.Backend, c Config) *Runtime {
	rt := OpenRuntime(name, b, c)
	rt.Employ(&Engine{rt: rt, env: NewEnv(), queue: atOnce{}})
	return rt
}

// engineOf returns what runs the loops of an open runtime.
func engineOf(rt *Runtime) *Engine { return rt.work.(*Engine) }

// Run implements Work.
func (e *Engine) Run() error { return e.queue.Run() }

// Assign implements Work.
func (e *Engine) Assign(g *Data, values []byte) {
	if e.rt.lazy {
		e.queue.Assign(g, slices.Clone(values))
		return
	}
	copy(Overwriting[byte](g), values)
}

// Drop implements Work.
func (e *Engine) Drop(objects Objects) {
	e.loops.drop(objects)
	e.queue.Drop(objects)
	e.env.drop(objects)
}

// Clear implements Work.
func (e *Engine) Clear() {
	e.loops.clear()
	e.queue.DropChains()
}

// Seal implements Work.
func (e *Engine) Seal(what, first string) error { return seal(e.rt, what, first, e.recordMesh) }

// End implements Work.
func (e *Engine) End() {
	e.closeRecord()
	e.loops.clear()
}

// CachedLoops returns the number of loops that a runtime has cached.
func CachedLoops(rt *Runtime) int { return len(engineOf(rt).loops.order) }

// CachedPlans returns the number of plans that a runtime has cached.
func CachedPlans(rt *Runtime) int { return engineOf(rt).env.plans.Stats().Plans }
