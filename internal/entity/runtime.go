package entity

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/timeline"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
)

// Runtime is an opened backend with all that belongs to it.
type Runtime struct {
	name         string
	number       int64  // among the runtimes of the process, from 1
	at           string // where it was opened: "main.go:12"
	opened       time.Time
	backend      backend.Backend
	device       backend.DeviceBackend // the backend, if it keeps data on a device
	config       Config
	consts       map[string]constant
	failedConsts map[string]error // why names are no consts, though the program has declared them
	work         Work
	lazy         bool             // calls wait
	recording    *recording       // nil unless calls are recorded
	late         error            // of calls that ran for a verb that returns no error
	unreachable  *unreachableIDs  // identities of objects that loops and plans are cached for
	collector    device.Collector // runs after cached loops have been dropped
	registers
	changes  int // of what loops are bound to, so far: of values of maps, and moves of elements to other ranks
	moves    int // these alone
	moved    int // changes, at the last move
	profile  profile.Profile
	timeline *timeline.Timeline // nil unless the configuration asks for a report

	kept    map[any]any    // what packages above keep with the runtime
	atClose []func() error // what they do at its end

	transfers device.Transfers

	busy    atomic.Bool
	numbers sync.RWMutex // held while values of maps and subsets, and orders of sets, change
	closed  bool
	failed  error // why what belongs to this runtime could not be declared

	lackedBy   *Runtime     // to which Lack returned this one
	undeclared atomic.Value // a declarationError: the first error of a declaration
}

// Config is the configuration of a runtime.
type Config struct {
	Static     bool            // there is neither data nor a device
	CheckPlans bool            // and the schedules of chains
	Figures    bool            // Declared writes what has been declared, and Stats are written
	Trace      bool            // Say writes a line for each call of a loop
	Stats      bool            // are written when the runtime is closed
	Context    context.Context // stops long operations; nil: none
	Lazy       bool            // loops run when somebody wants what they compute
	Record     string          // the folder of the record; "" if there is none
	Report     string          // the file of the report that is written at the end; "" if there is none
	Checkpoint Checkpoint
	Restart    string      // the folder of the checkpoint to go on from; "" if there is none
	Chains     tune.Chains // for chains without a choice of their own
	Backend    backend.Config

	Tuner    *tuning.Tuner        // tries what loops leave open; nil: nothing is tried
	Choose   choice.Chooser       // what loops leave open; nil: estimates
	Start    choice.Choices       // the user's for all loops, where tuning may change them: they take the place of estimates
	Say      func(text string)    // writes a message
	Declared func(*Runtime) error // is called when the mesh has its final order, with Figures; collective

	Comm        comm.Comm // the other ranks; nil: this process is alone
	Depth       int       // layers of halos
	Partitioner string    // the method of package partition; "" for its choice
	Weight      float64   // of this rank: how much of the mesh it gets, relative to the others

	// Owner returns the rank that gets an element of a set that is declared whole, in tests; nil:
	// the partitioner decides.
	Owner func(set string, element int) int

	// Load returns the load of a rank in tests; nil: it is measured.
	Load func(rank int) float64
}

// Checkpoint says where checkpoints go, and when they are due.
type Checkpoint struct {
	Folder string // "": there are none but those that the program asks for
	Every  time.Duration
}

// Opened reports whether the runtime was made by Open.
func (rt *Runtime) Opened() bool { return rt.backend != nil }

// Closed reports whether it was closed.
func (rt *Runtime) Closed() bool { return rt.closed }

// Name returns the name of the backend.
func (rt *Runtime) Name() string { return rt.name }

// MapChanges returns the number of changes of maps so far.
func (rt *Runtime) MapChanges() int { return rt.changes - rt.moves }

// Changes returns the number of changes of what loops are bound to: of maps, and moves of elements to other ranks.
func (rt *Runtime) Changes() int { return rt.changes }

// MovedSince reports whether elements have moved to other ranks since the number of changes was that.
func (rt *Runtime) MovedSince(changes int) bool { return rt.moved > changes }

// Config returns the configuration.
func (rt *Runtime) Config() *Config { return &rt.config }

// Backend returns the backend.
func (rt *Runtime) Backend() backend.Backend { return rt.backend }

// Device returns the backend if it keeps data on a device; otherwise nil.
func (rt *Runtime) Device() backend.DeviceBackend { return rt.device }

// Numbers returns the lock that is held while values of maps and subsets, and orders of sets, change.
func (rt *Runtime) Numbers() *sync.RWMutex { return &rt.numbers }

// OnDevice reports whether the backend keeps data on a device.
func (rt *Runtime) OnDevice() bool { return rt.device != nil }

// Profile returns the measurements of all loops.
func (rt *Runtime) Profile() *profile.Profile { return &rt.profile }

// OpenedAt returns when the runtime was opened.
func (rt *Runtime) OpenedAt() time.Time { return rt.opened }

// Timeline returns what records events; nil unless the configuration asks for a report.
func (rt *Runtime) Timeline() *timeline.Timeline { return rt.timeline }

// Transfers returns the transfers so far.
func (rt *Runtime) Transfers() *device.Transfers { return &rt.transfers }

// Keep returns what was kept with the runtime under a key, if anything, or else keeps what it makes.
func Keep[V any](rt *Runtime, key any, make func() (V, error)) (V, error) {
	if v, ok := rt.kept[key].(V); ok {
		return v, nil
	}
	v, err := make()
	if err == nil {
		rt.kept[key] = v
	}
	return v, err
}

// AtClose makes Close call f.
func (rt *Runtime) AtClose(f func() error) { rt.atClose = append(rt.atClose, f) }

// HostThreads returns the number of threads for work on the host that belongs to a loop.
func (rt *Runtime) HostThreads() int {
	if rt.name == "sequential" {
		return 1
	}
	return rt.config.Backend.Threads
}

// CheckPlans makes the runtime verify every plan from now on, and every schedule of a chain.
func (rt *Runtime) CheckPlans() { rt.config.CheckPlans = true }

// Failed returns why what belongs to the runtime could not be declared; nil for one that was opened.
func (rt *Runtime) Failed() error {
	if rt == nil {
		return nil
	}
	return rt.failed
}

// constant is a const: a variable of the program that kernels read.
type constant struct {
	layout *loop.Layout
	ptr    unsafe.Pointer
	site   callsite.Calls // where it was declared
}

// Employ gives a runtime that has just been opened its work.
func (rt *Runtime) Employ(w Work) { rt.work = w }

// Work returns the runtime's work.
func (rt *Runtime) Work() Work { return rt.work }

// LetWait says that calls wait until somebody wants what they compute.
func (rt *Runtime) LetWait() { rt.lazy = true }

// Lazy reports whether calls wait until somebody wants what they compute, or are recorded.
func (rt *Runtime) Lazy() bool { return rt.lazy || rt.Recording() }

// Recording reports whether calls are recorded.
func (rt *Runtime) Recording() bool { return rt.recording != nil }
