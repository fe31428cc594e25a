package run

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
)

// Open returns a runtime on a backend of that name, which it owns, and which runs loops.
func Open(name string, b backend.Backend, c entity.Config) *entity.Runtime {
	rt := entity.OpenRuntime(name, b, c)
	rt.Employ(&Engine{rt: rt, env: bind.NewEnv(), queue: atOnce{}})
	return rt
}

// Run implements Work.
func (e *Engine) Run() error { return e.queue.Run() }

// Drop implements Work.
func (e *Engine) Drop(objects entity.Objects) {
	e.loops.drop(objects)
	e.queue.Drop(objects)
	e.env.Drop(objects)
}

// Clear implements Work.
func (e *Engine) Clear() {
	e.loops.clear()
	e.queue.DropChains()
}

// Moved implements Work.
func (e *Engine) Moved() {
	e.Clear()
	e.env.Clear()
}

// Seal implements Work.
func (e *Engine) Seal(what, first string) error {
	return distribute.Seal(e.rt, what, first, e.recordMesh)
}

// End implements Work.
func (e *Engine) End() {
	e.closeRecord()
	e.loops.clear()
}

// CachedLoops returns the number of loops that a runtime has cached.
func CachedLoops(rt *entity.Runtime) int { return len(engineOf(rt).loops.order) }

// CachedPlans returns the number of plans that a runtime has cached.
func CachedPlans(rt *entity.Runtime) int { return engineOf(rt).env.Plans.Stats().Plans }

// Assign sets all values of a global to those with these bytes.
func Assign(g *entity.Data, values []byte) {
	if e := engineOf(g.Runtime()); e.rt.Lazy() {
		if waits, _ := e.queue.Add(Operation{Set: newAssignment(g, values)}); waits {
			return
		}
	}
	copy(entity.Overwriting[byte](g), values)
}
