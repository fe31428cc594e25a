// Package profile counts the calls, the time and the traffic of loops.
package profile

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/sorting"
)

// Stats holds the figures of one loop.
type Stats struct {
	Kernel string
	Set    string
	Calls  int64
	// Time is that of Compute, without compilation. On a device it is the device's, and on several
	// ranks also what the host waits for others meanwhile.
	Time time.Duration
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

// GBs returns the bandwidth in GB/s (1e9 bytes) that follows from Time and Bytes.
func (s Stats) GBs() float64 {
	if s.Time <= 0 {
		return 0
	}
	return float64(s.Bytes) / s.Time.Seconds() / 1e9
}

// Profile holds the figures of many loops. The zero Profile is empty.
type Profile struct {
	counters []*Stats
}

// Counter returns the figures of a kernel over a set, for the caller to update.
func (p *Profile) Counter(kernel, set string) *Stats {
	for _, c := range p.counters {
		if c.Kernel == kernel && c.Set == set {
			return c
		}
	}
	c := &Stats{Kernel: kernel, Set: set}
	p.counters = append(p.counters, c)
	return c
}

// Stats returns a copy of the figures of all loops that were called, the longest time first.
func (p *Profile) Stats() []Stats {
	var all []Stats
	for _, c := range p.counters {
		if c.Calls > 0 {
			all = append(all, *c)
		}
	}
	sorting.By(all, func(a, b Stats) int { return cmp.Compare(b.Time, a.Time) })
	return all
}

// Reset sets the figures to zero.
func (p *Profile) Reset() {
	for _, c := range p.counters {
		*c = Stats{Kernel: c.Kernel, Set: c.Set, How: c.How, Code: c.Code, Choices: c.Choices}
	}
}

// sums are the figures of all rows of a table.
type sums struct {
	time, compile, waited time.Duration
	hasHow                bool
	code                  map[string]int // rows by where their code came from
}

func (a *sums) add(s *Stats) {
	a.time += s.Time
	a.compile += s.Compile
	a.waited += s.Waited
	a.hasHow = a.hasHow || s.How != ""
	if a.code == nil {
		a.code = map[string]int{}
	}
	a.code[s.Code]++
}

// writeNotes writes what follows a table: where code came from, and whether threads waited.
func (a *sums) writeNotes(w io.Writer) error {
	var last []string
	if n := a.code["compiled"]; n > 0 {
		last = append(last, fmt.Sprintf("%d compiled", n))
	}
	if n := a.code["found"]; n > 0 {
		last = append(last, fmt.Sprintf("%d found in the cache", n))
	}
	for _, code := range sorting.Keys(a.code) {
		if _, level, ok := strings.Cut(code, "translated, "); ok {
			last = append(last, fmt.Sprintf("%d translated for %s", a.code[code], level))
		}
	}
	if a.compile >= 10*time.Millisecond {
		last = append(last, fmt.Sprintf("waited %.2f s for the compiler", a.compile.Seconds()))
	}
	if len(last) > 0 {
		if _, err := fmt.Fprintln(w, "code: "+strings.Join(last, ", ")); err != nil {
			return err
		}
	}
	if a.waited < leastWaited || float64(a.waited) < muchWaited*float64(a.time) {
		return nil
	}
	_, err := fmt.Fprintf(w, "threads waited for each other for %.0f %% of the time: where other programs use the processors, "+
		"fewer threads wait less (OP2_THREADS); else blocks take unequal time (OP2_SCHEDULE=dynamic, or a smaller OP2_BLOCK_SIZE)\n",
		percent(a.waited, a.time))
	return err
}

// bandwidth returns GBs as text; "" if it is unknown, as of preconditioners and PETSc.
func (s Stats) bandwidth() string {
	if s.Bytes <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", s.GBs())
}

// percent returns a part in percent of the whole; 0 of nothing.
func percent(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * part.Seconds() / whole.Seconds()
}

// Waiting is reported from this much time and this fraction of the total on.
const (
	leastWaited = 10 * time.Millisecond
	muchWaited  = 0.2
)
