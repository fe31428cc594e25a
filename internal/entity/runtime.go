package entity

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/tune"
)

// Runtime is an opened backend with all that belongs to it.
type Runtime struct {
	name         string
	number       int64  // among the runtimes of the process, from 1
	at           string // where it was opened: "main.go:12"
	backend      backend.Backend
	device       backend.DeviceBackend // the backend, if it keeps data on a device
	config       Config
	consts       map[string]constant
	failedConsts map[string]error // why names are no consts, though the program has declared them
	work         Work
	lazy         bool             // calls wait
	late         error            // of calls that ran for a verb that returns no error
	unreachable  *unreachableIDs  // identities of objects that loops and plans are cached for
	collector    device.Collector // runs after cached loops have been dropped
	mesh         Declared
	changes      int // number of changes of maps so far
	profile      profile.Profile

	kept    map[any]any    // what packages above keep with the runtime
	atClose []func() error // what they do at its end

	transfers device.Transfers

	busy    atomic.Bool
	numbers sync.RWMutex // held while values of maps and subsets, and orders of sets, change
	closed  bool
	failed  error // why what belongs to this runtime could not be declared

	undeclared atomic.Pointer[error] // the first error of a declaration
}

// Config is the configuration of a runtime.
type Config struct {
	Static     bool        // there is neither data nor a device
	CheckPlans bool        // and the schedules of chains
	Stats      bool        // are written when the runtime is closed
	Lazy       bool        // loops run when somebody wants what they compute
	Record     string      // the folder of the record; "" if there is none
	Chains     tune.Chains // for chains without a choice of their own
	Backend    backend.Config

	Comm        comm.Comm // the other ranks; nil if there are none
	Depth       int       // layers of halos
	Partitioner string    // the method of package partition; "" for its choice
	Weight      float64   // of this rank: how much of the mesh it gets, relative to the others

	// Owner returns the rank that gets an element of a set that is declared whole, in tests; nil:
	// the partitioner decides.
	Owner func(set string, element int) int
}

// opened counts the runtimes of the process, for messages that name two of them.
var opened atomic.Int64

// OpenRuntime returns a runtime on a backend of that name, which it owns.
func OpenRuntime(name string, b backend.Backend, c Config) *Runtime {
	onDevice, _ := b.(backend.DeviceBackend)
	rt := &Runtime{name: name, number: opened.Add(1), at: callsite.Find().At, backend: b, device: onDevice, config: c, work: idle{}, consts: map[string]constant{}, failedConsts: map[string]error{},
		unreachable: &unreachableIDs{}, kept: map[any]any{}}
	if onDevice != nil {
		onDevice.Garbage().DropCached = rt.dropCached
	}
	return rt
}

// dropCached drops cached loops, and waits for pending timings, which refer to loops.
func (rt *Runtime) dropCached() {
	rt.work.Clear()
	_ = rt.device.Settle() // errors are returned by the next call
}

// Opened reports whether the runtime was made by Open.
func (rt *Runtime) Opened() bool { return rt.backend != nil }

// Closed reports whether it was closed.
func (rt *Runtime) Closed() bool { return rt.closed }

// Close releases what the runtime holds, and ends the communication with the other ranks.
func (rt *Runtime) Close() error {
	rt.closed = true
	rt.work.End()
	rt.config.Backend.Stop.Release()
	err := rt.backend.Close()
	if err != nil {
		err = rt.Report(problem.Errorf("op2: backend %s: %w", rt.name, err))
	}
	for _, f := range rt.atClose {
		if failed := f(); failed != nil && err == nil {
			err = rt.Report(failed)
		}
	}
	if ended := rt.ranks().Close(); ended != nil && err == nil {
		err = rt.Broken(ended)
	}
	return err
}

// Enter acquires the runtime for a call; Leave or LeaveWith must release it at the end, even after a
// panic:
//
//	if err := rt.Enter(); err != nil {
//		return err
//	}
//	defer rt.LeaveWith(&err)
//
// The verbs of package op2 enter, once and for the whole call. The functions of this package are for
// callers who have entered, unless they say that they may be called at any time.
//
// With lazy evaluation, all queued calls run first.
func (rt *Runtime) Enter() error {
	if err := rt.enter(); err != nil {
		return err
	}
	if err := rt.Force(); err != nil {
		rt.Leave()
		return err
	}
	return nil
}

// enter acquires the runtime. An error says where the program has called the verb.
func (rt *Runtime) enter() error {
	if rt == nil {
		return Called(problem.ErrNoRuntime)
	}
	if !rt.Take() {
		return rt.Report(Called(problem.ErrConcurrentUse))
	}
	if rt.closed {
		rt.Leave()
		if rt.failed != nil {
			return rt.failed
		}
		return Called(problem.ErrClosed)
	}
	if rt.backend == nil {
		rt.Leave()
		return Called(problem.ErrNoRuntime)
	}
	return nil
}

// EnterData enters the runtime for a call that uses values, which a static runtime does not have.
func (rt *Runtime) EnterData() error {
	return rt.refuseStatic(rt.Enter())
}

// refuseStatic leaves a static runtime that was entered, unless there is an error already.
func (rt *Runtime) refuseStatic(err error) error {
	if err == nil && rt.config.Static {
		rt.Leave()
		return Called(problem.ErrStatic)
	}
	return err
}

// MustEnter enters the runtime for methods that return no error, and also work after Close. It panics
// with ErrConcurrentUse if another goroutine is using the runtime.
func (rt *Runtime) MustEnter() {
	if !rt.Take() {
		panic(problem.ErrConcurrentUse)
	}
	if err := rt.Force(); err != nil {
		rt.Late(err)
	}
}

// Take acquires the runtime, and reports whether it was free.
func (rt *Runtime) Take() bool { return rt.busy.CompareAndSwap(false, true) }

// Leave releases the runtime.
func (rt *Runtime) Leave() { rt.busy.Store(false) }

// Name returns the name of the backend.
func (rt *Runtime) Name() string { return rt.name }

// Besides describes the runtime for a message that also names the other one.
func (rt *Runtime) Besides(other *Runtime) string {
	if rt == nil || rt.at == "" {
		return "no runtime"
	}
	what := "the runtime"
	if other != nil && rt.at == other.at {
		what = fmt.Sprintf("runtime %d of the process,", rt.number)
		if rt.Several() {
			what = fmt.Sprintf("the runtime of rank %d,", rt.Rank())
		}
	}
	return fmt.Sprintf("%s opened at %s, %s", what, rt.at, rt.name)
}

// MapChanges returns the number of changes of maps so far.
func (rt *Runtime) MapChanges() int { return rt.changes }

// Config returns the configuration.
func (rt *Runtime) Config() *Config { return &rt.config }

// Backend returns the backend.
func (rt *Runtime) Backend() backend.Backend { return rt.backend }

// Device returns the backend if it keeps data on a device; otherwise nil.
func (rt *Runtime) Device() backend.DeviceBackend { return rt.device }

// Mesh returns what has been declared.
func (rt *Runtime) Mesh() *Declared { return &rt.mesh }

// Numbers returns the lock that is held while values of maps and subsets, and orders of sets, change.
func (rt *Runtime) Numbers() *sync.RWMutex { return &rt.numbers }

// OnDevice reports whether the backend keeps data on a device.
func (rt *Runtime) OnDevice() bool { return rt.device != nil }

// Profile returns the measurements of all loops.
func (rt *Runtime) Profile() *profile.Profile { return &rt.profile }

// Transfers returns the transfers so far.
func (rt *Runtime) Transfers() *device.Transfers { return &rt.transfers }

// Settle waits for the device, if there is one, until the times of all loops are known.
func (rt *Runtime) Settle() error {
	if rt.device == nil || rt.config.Static || rt.closed {
		return nil
	}
	if err := rt.device.Settle(); err != nil {
		return problem.Errorf("op2: backend %s: %w", rt.name, err)
	}
	return nil
}

// Sweep frees device memory, if there is a device, whose owners have become unreachable.
func (rt *Runtime) Sweep() {
	if rt.device != nil {
		rt.device.Garbage().Sweep(rt.device.Device())
	}
}

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
