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

// Stats holds the figures of one loop, as op2.Stats documents them. On a device Time is the device's, and on several ranks
// also what the host waits for others meanwhile.
type Stats struct {
	Kernel, Set    string
	Calls          int64
	Time           time.Duration
	Bytes, Flops   int64
	Compile        time.Duration
	Waited         time.Duration
	Messages, Sent int64
	Awaited        time.Duration

	How, Code, Choices string
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
