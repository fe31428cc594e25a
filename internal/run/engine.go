// Package run runs loops: prepared once, found again by what they are of, checked under diagnostics, on several ranks
// with their halos. Solvers, operations on dats and mats, chains, and the queue of calls that wait are above it.
package run

import (
	"weak"

	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/record"
)

// Engine is the work of a runtime: its loops, which are cached, and the queue that decides when they run.
type Engine struct {
	rt       *entity.Runtime
	env      *bind.Env
	loops    loopCache
	shared   map[loop.Hash]bool // of loops whose code ranks have shared
	queue    Queue
	warned   bool        // that threads are idle
	recorder *recorder   // nil unless the configuration asks for it
	loopCode []Described // with a report
	triad    float64     // of the memory in GB/s; 0 before it has been measured
}

// engineOf returns what runs the loops of an open runtime.
func engineOf(rt *entity.Runtime) *Engine { return rt.Work().(*Engine) }

// LetWait gives a runtime that has just been opened a queue for its calls.
func LetWait(rt *entity.Runtime, q Queue) {
	engineOf(rt).queue = q
	rt.LetWait()
}

// QueueOf returns the queue of a runtime.
func QueueOf(rt *entity.Runtime) Queue { return engineOf(rt).queue }

// recorder writes the mesh and the loops of a runtime to a file, for op2 plan and op2 partition.
type recorder struct {
	writer *record.Writer
	seen   map[recorded]bool
	dats   map[weak.Pointer[entity.Data]]int // their numbers in the record
}

// recorded identifies a loop of the record: by its name, and by what it means.
type recorded struct {
	name string
	hash loop.Hash
}

// Described says what the loops of a kernel over a set are made of, for reports: the first that is ready stands for all.
type Described struct {
	Kernel, Set string
	At          string // where the kernel is: "kernels.go:12"
	Source      string // the kernel's
	Generated   string // "" if nothing is generated
	Plan        plan.Figures
}
