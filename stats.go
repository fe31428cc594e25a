package op2

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
)

// Stats holds measurements of a loop, or of all loops of one kernel over one set.
type Stats struct {
	Kernel string
	Set    string
	Calls  int64
	Time   time.Duration // of Compute, without compilation
	// Bytes is the minimal traffic of the calls: every value of a dat, and every value of a map,
	// moved once for each time it is read or written.
	Bytes int64
	// Flops is the number of floating-point operations of the calls, counted in the kernel's source: each operation and
	// each function of mathematics is one, the branches of an if count by half. It is 0 if op2 does not understand the
	// kernel's C. By Bytes, it is the arithmetic intensity.
	Flops   int64
	Compile time.Duration // time spent waiting for the compiler
	// Waited is the part of Time in which the caller, on `openmp` and `go`, had nothing left to do
	// and waited for blocks that other threads had started.
	Waited time.Duration
	// Messages and Sent count what this rank sent to update halos: messages, and their bytes.
	// Awaited is the part of Time that was spent waiting for other ranks: for their messages during
	// calls, and for their parts of reductions, also when the program reads the result.
	Messages, Sent int64
	Awaited        time.Duration
	// How says how the loop runs. On `sequential` and `openmp` that is "packs of 8", elements
	// together in vector registers, or "scalar" and why: "scalar (indirect rw)"; on `go`, "Go
	// functions"; then, if there are several, "2 threads, 12 blocks, 3 colors". On a device it is
	// the strategy: "staged, blocks of 256". It is "" until the first call. Products of mats are
	// "generated" or "Go"; solvers have their method and preconditioner.
	How string
	// Code says where the machine code came from: "translated, x86-64-v4" or "translated, compute_70", "compiled", by this process, or "found" in the
	// cache on disk; "" if there is none.
	Code string
	// Choices says with what the loop runs and who chose it, the user, wisdom, tuning or an estimate:
	// "block=256 (user), threads=2 (estimate)". It is "" until the first call, and for what is no loop.
	Choices string
}

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
	return statsOf(rt.core().Profile().Stats())
}

// statsOf returns figures with the type of this package.
func statsOf(counted []profile.Stats) []Stats {
	all := make([]Stats, len(counted))
	for i, s := range counted {
		all[i] = Stats(s)
	}
	return all
}

// WriteStats writes a table of Stats: calls, time, bandwidth and share of each loop, and the
// transfers between host and device. On several ranks it is collective: rank 0 writes one table, of
// the mean, the least and the greatest time of a rank, the messages that update halos, and the share
// of the time that ranks waited for others.
func (rt *Runtime) WriteStats(w io.Writer) (err error) {
	if rt == nil || w == nil {
		return entity.Called(errors.New("op2: WriteStats needs a runtime and a writer"))
	}
	if !rt.core().Take() {
		return ErrConcurrentUse
	}
	defer rt.core().LeaveWith(&err)
	if err := rt.core().Force(); err != nil {
		return err
	}
	return rt.writeStats(w)
}

func (rt *Runtime) writeStats(w io.Writer) error {
	if err := rt.core().Settle(); err != nil {
		return err
	}
	all, err := comm.Collect(rt.core().Comm(), figures{rt.core().Profile().Stats(), *rt.core().Transfers()})
	if err != nil {
		return problem.Errorf("op2: WriteStats: %w", err)
	}
	if all == nil {
		return nil
	}
	var loops [][]profile.Stats
	var t device.Transfers
	for _, f := range all {
		loops = append(loops, f.Loops)
		t.ToDevice += f.Transfers.ToDevice
		t.ToHost += f.Transfers.ToHost
		t.BytesToDevice += f.Transfers.BytesToDevice
		t.BytesToHost += f.Transfers.BytesToHost
	}
	if err := profile.Write(w, loops...); err != nil {
		return err
	}
	return writeTransfers(w, t)
}

// figures are the measurements of a rank.
type figures struct {
	Loops     []profile.Stats
	Transfers device.Transfers
}

// writeTransfers writes a line about transfers between host and device, if there were any.
func writeTransfers(w io.Writer, t device.Transfers) error {
	if t == (device.Transfers{}) {
		return nil
	}
	_, err := fmt.Fprintf(w, "moved %.1f MB to the device in %d transfers, %.1f MB back in %d\n",
		float64(t.BytesToDevice)/1e6, t.ToDevice, float64(t.BytesToHost)/1e6, t.ToHost)
	return err
}

// ResetStats resets all measurements, including Transfers, and what a report has of them.
func (rt *Runtime) ResetStats() {
	if rt == nil {
		return
	}
	rt.core().MustEnter()
	defer rt.core().Leave()
	_ = rt.core().Settle()
	rt.core().Profile().Reset()
	rt.core().Timeline().Reset()
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
