package op2

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/stop"
)

// Runtime is an opened backend, on which sets, maps, dats, globals and consts are declared and
// loops run. A program may have several.
//
// A runtime, with everything declared on it, belongs to one goroutine at a time. If a second
// goroutine calls it during another call, it gets [ErrConcurrentUse] as an error, or as a panic if
// the method returns no error. Names, sizes, patterns and the values of maps may be read at any
// time.
type Runtime struct {
	name          string
	at            string // where it was opened: "main.go:12"
	backend       backend.Backend
	deviceBackend backend.DeviceBackend // the backend, if it keeps data on a device
	config        config
	consts        map[string]constant
	loops         loopCache
	plans         *plan.Cache
	seen          seenMaps
	unreachable   *unreachableIDs  // identities of objects that loops and plans are cached for
	collector     device.Collector // runs after cached loops have been dropped
	mesh          declared
	changes       int             // number of changes of maps so far
	warned        map[string]bool // loops that a warning was written about
	profile       profile.Profile

	arithmetic map[loop.Scalar]any // an *arithmetic for each type of dats
	warnedOf   map[string]bool     // sources of C kernels that a warning was written about

	transfers device.Transfers
	recorder  *recorder // nil unless WithRecord asks for it

	busy    atomic.Bool
	numbers sync.RWMutex // held while values of maps and subsets, and orders of sets, change
	closed  bool
	failed  error // why what belongs to this runtime could not be declared
}

// Open opens a runtime. Options take precedence over the environment, the environment over
// defaults; the documentation of each Option names its variable. If the requested backend is not
// available, the error wraps ErrUnavailable.
func Open(options ...Option) (*Runtime, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	m := &messages{w: c.log}
	c.given.Warn, c.given.Progress = m.warn, m.progress
	toldMisspelled.Do(func() {
		for _, text := range misspelled(os.Environ()) {
			m.warn(text)
		}
	})
	c.given.Stop = stop.New(c.context)
	name, b, err := openBackend(c.backend, c.given)
	if err == nil && c.given.Stop.Err() != nil {
		err = errors.Join(fmt.Errorf("op2: Open: %w", c.given.Stop.Err()), b.Close())
	}
	if err != nil {
		c.given.Stop.Release()
		return nil, err
	}
	onDevice, _ := b.(backend.DeviceBackend)
	rt := &Runtime{name: name, at: callSite(), backend: b, deviceBackend: onDevice, config: c, consts: map[string]constant{},
		plans: plan.NewCache(planCacheBytes), seen: seenMaps{ids: map[seenMap]plan.MapID{}}, unreachable: &unreachableIDs{},
		arithmetic: map[loop.Scalar]any{}, warnedOf: map[string]bool{}}
	if onDevice != nil {
		onDevice.Garbage().DropCached = rt.dropCached
	}
	return rt, nil
}

// planCacheBytes limits the memory of cached plans that no loop uses.
const planCacheBytes = 1 << 30

// Backend returns the name of the backend; for auto, the one it selected.
func (rt *Runtime) Backend() string { return orEmpty(rt).name }

// dropCached drops cached loops, and waits for pending timings, which refer to loops.
func (rt *Runtime) dropCached() {
	rt.loops.clear()
	_ = rt.deviceBackend.Settle() // errors are returned by the next call
}

// Close releases what the runtime holds, and writes its Stats if [WithStats] says so. Data of its
// dats must not be called afterwards, but slices obtained earlier stay valid. Closing twice is
// allowed.
func (rt *Runtime) Close() error {
	if rt == nil {
		return nil
	}
	if !rt.take() {
		return ErrConcurrentUse
	}
	defer rt.leave()
	switch {
	case rt.closed:
		return nil
	case rt.backend == nil:
		return problem.ErrNoRuntime
	case rt.config.stats:
		_ = rt.writeStats(os.Stderr) // close despite errors
	}
	rt.closed = true
	rt.closeRecord()
	rt.config.given.Stop.Release()
	rt.loops.clear()
	if err := rt.backend.Close(); err != nil {
		return problem.Errorf("op2: backend %s: %w", rt.name, err)
	}
	return nil
}

// enter acquires the runtime for a call; leave must release it at the end, even after a panic:
//
//	if err := rt.enter(); err != nil {
//		return err
//	}
//	defer rt.leave()
//
// Exported functions enter, once and for the whole call. Unexported ones are for callers who have
// already entered, and so never call exported ones that enter.
func (rt *Runtime) enter() error {
	if rt == nil {
		return problem.ErrNoRuntime
	}
	if !rt.take() {
		return ErrConcurrentUse
	}
	if rt.closed {
		rt.leave()
		if err := checkDeclared("", rt); err != nil {
			return err
		}
		return ErrClosed
	}
	if rt.backend == nil {
		rt.leave()
		return problem.ErrNoRuntime
	}
	return nil
}

// mustEnter is enter for methods that return no error, and also work after Close: it panics with
// ErrConcurrentUse.
func (rt *Runtime) mustEnter() {
	if !rt.take() {
		panic(ErrConcurrentUse)
	}
}

// take acquires the runtime, and reports whether it was free.
func (rt *Runtime) take() bool { return rt.busy.CompareAndSwap(false, true) }

func (rt *Runtime) leave() { rt.busy.Store(false) }

// Stats holds measurements of a loop, or of all loops of one kernel over one set.
type Stats struct {
	Kernel string
	Set    string
	Calls  int64
	Time   time.Duration // of Compute, without compilation
	// Bytes is the minimal traffic of the calls: every value of a dat, and every value of a map,
	// moved once for each time it is read or written.
	Bytes   int64
	Compile time.Duration // time spent waiting for the compiler
	// Waited is the part of Time in which the caller, on `openmp` and `go`, had nothing left to do
	// and waited for blocks that other threads had started.
	Waited time.Duration
	// How says how the loop runs. On `sequential` and `openmp` that is "packs of 8", elements
	// together in vector registers, or "scalar" and why: "scalar (indirect rw)"; on `go`, "Go
	// functions"; then, if there are several, "2 threads, 12 blocks, 3 colors". On a device it is
	// the strategy: "staged, blocks of 256". It is "" until the first call. Products of mats are
	// "generated" or "Go"; solvers have their method and preconditioner.
	How string
	// Code says where the machine code came from: "compiled", by this process, or "found" in the
	// cache on disk; "" if there is none.
	Code string
}

// GBs returns the bandwidth in GB/s (1e9 bytes) that follows from Time and Bytes.
func (s Stats) GBs() float64 { return profile.Stats(s).GBs() }

// Stats returns the figures of all loops of the runtime so far, combined for each kernel and set,
// the longest time first. If loops run on a device, it waits for them, and the times are the
// device's.
func (rt *Runtime) Stats() []Stats {
	if rt == nil {
		return nil
	}
	rt.mustEnter()
	defer rt.leave()
	_ = rt.settle() // errors are returned by the next call that uses data
	counted := rt.profile.Stats()
	all := make([]Stats, len(counted))
	for i, s := range counted {
		all[i] = Stats(s)
	}
	return all
}

// WriteStats writes a table of Stats: calls, time, bandwidth and share of each loop, and the
// transfers between host and device.
func (rt *Runtime) WriteStats(w io.Writer) error {
	if rt == nil || w == nil {
		return errors.New("op2: WriteStats needs a runtime and a writer")
	}
	if !rt.take() {
		return ErrConcurrentUse
	}
	defer rt.leave()
	return rt.writeStats(w)
}

func (rt *Runtime) writeStats(w io.Writer) error {
	if err := rt.settle(); err != nil {
		return err
	}
	if err := rt.profile.Write(w); err != nil {
		return err
	}
	t := rt.transfers
	if t == (device.Transfers{}) {
		return nil
	}
	_, err := fmt.Fprintf(w, "moved %.1f MB to the device in %d transfers, %.1f MB back in %d\n",
		float64(t.BytesToDevice)/1e6, t.ToDevice, float64(t.BytesToHost)/1e6, t.ToHost)
	return err
}

// ResetStats resets all measurements, including Transfers.
func (rt *Runtime) ResetStats() {
	if rt == nil {
		return
	}
	rt.mustEnter()
	defer rt.leave()
	_ = rt.settle()
	rt.profile.Reset()
	rt.transfers = device.Transfers{}
}

// Transfers counts transfers between the host's memory and a device's.
type Transfers struct {
	ToDevice, ToHost           int64
	BytesToDevice, BytesToHost int64
}

// Transfers returns the transfers so far of dats, globals and mats. They are all zero if loops run
// on the host.
func (rt *Runtime) Transfers() Transfers {
	if rt == nil {
		return Transfers{}
	}
	rt.mustEnter()
	defer rt.leave()
	return Transfers(rt.transfers)
}

// settle waits for the device, if there is one, until the times of all loops are known.
func (rt *Runtime) settle() error {
	if rt.deviceBackend == nil || rt.config.static || rt.closed {
		return nil
	}
	if err := rt.deviceBackend.Settle(); err != nil {
		return problem.Errorf("op2: backend %s: %w", rt.name, err)
	}
	return nil
}

// declare enters the runtime for a declaration, which is the time to drop what the program no
// longer has.
func (rt *Runtime) declare(what, name string) error {
	if rt == nil || rt.backend == nil && rt.failed == nil {
		return fmt.Errorf("op2: %s %s: there is no runtime", what, name)
	}
	if err := rt.enter(); err != nil {
		return err
	}
	rt.dropUnreachable()
	return nil
}
