package op2

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-op2/op2/internal/backend/registry"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/device"
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
type Runtime core.Runtime

func (rt *Runtime) core() *core.Runtime { return (*core.Runtime)(rt) }

// Open opens a runtime. Options take precedence over the environment, the environment over
// defaults; the documentation of each Option names its variable. If the requested backend is not
// available, the error wraps ErrUnavailable.
func Open(options ...Option) (*Runtime, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	if err := c.connect(); err != nil {
		return nil, err
	}
	m := &messages{w: c.log}
	c.Config.Backend.Warn, c.Config.Backend.Progress = m.warn, m.progress
	warnedMisspelled.Do(func() {
		for _, text := range misspelled(os.Environ()) {
			m.warn(text)
		}
	})
	c.Config.Backend.Stop = stop.New(c.context)
	name, b, err := registry.Open(c.backend, c.Config.Backend)
	if err == nil && c.Config.Backend.Stop.Err() != nil {
		err = errors.Join(fmt.Errorf("op2: Open: %w", c.Config.Backend.Stop.Err()), b.Close())
	}
	if err != nil {
		c.Config.Backend.Stop.Release()
		return nil, err
	}
	return (*Runtime)(core.Open(name, b, c.Config)), nil
}

// Backend returns the name of the backend; for auto, the one it selected.
func (rt *Runtime) Backend() string { return orEmpty(rt.core()).Name() }

// Close releases what the runtime holds, and writes its Stats if [WithStats] says so. Data of its
// dats must not be called afterward, but slices obtained earlier stay valid. Closing twice is
// allowed.
func (rt *Runtime) Close() error {
	if rt == nil {
		return nil
	}
	if !rt.core().Take() {
		return ErrConcurrentUse
	}
	defer rt.core().Leave()
	switch {
	case rt.core().Closed():
		return nil
	case !rt.core().Opened():
		return problem.ErrNoRuntime
	case rt.core().Config().Stats:
		_ = rt.writeStats(os.Stderr) // close despite errors
	}
	return rt.core().Close()
}

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
	// Messages and Sent count what this rank sent to update halos: messages, and their bytes.
	// Awaited is the time that calls waited for those of other ranks.
	Messages, Sent int64
	Awaited        time.Duration
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
	rt.core().MustEnter()
	defer rt.core().Leave()
	_ = rt.core().Settle() // errors are returned by the next call that uses data
	counted := rt.core().Profile().Stats()
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
	if !rt.core().Take() {
		return ErrConcurrentUse
	}
	defer rt.core().Leave()
	return rt.writeStats(w)
}

func (rt *Runtime) writeStats(w io.Writer) error {
	if err := rt.core().Settle(); err != nil {
		return err
	}
	if err := rt.core().Profile().Write(w); err != nil {
		return err
	}
	t := *rt.core().Transfers()
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
	rt.core().MustEnter()
	defer rt.core().Leave()
	_ = rt.core().Settle()
	rt.core().Profile().Reset()
	*rt.core().Transfers() = device.Transfers{}
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
	rt.core().MustEnter()
	defer rt.core().Leave()
	return Transfers(*rt.core().Transfers())
}
