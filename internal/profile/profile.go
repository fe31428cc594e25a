// Package profile counts the calls, the time and the traffic of loops.
package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Stats are the figures of one loop.
type Stats struct {
	Kernel string
	Set    string
	Calls  int64
	Time   time.Duration // of Compute, compilation left out
	// Bytes is the least traffic that the calls needed: every value of a dat, and
	// every entry of a map, moved once for each time it is read or written.
	Bytes   int64
	Compile time.Duration // waited for the compiler
	// Strategy is how a device runs the loop, as "staged, blocks of 256"; or "".
	Strategy string
}

// GBs is the bandwidth in GB/s (1e9 bytes) that Time and Bytes come to.
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

// Counter is the figures to be counted up for a kernel over a set.
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

// Stats is a copy of the figures of what was called, the longest time first.
func (p *Profile) Stats() []Stats {
	var all []Stats
	for _, c := range p.counters {
		if c.Calls > 0 {
			all = append(all, *c)
		}
	}
	slices.SortStableFunc(all, func(a, b Stats) int { return cmp.Compare(b.Time, a.Time) })
	return all
}

// Reset sets the figures to zero.
func (p *Profile) Reset() {
	for _, c := range p.counters {
		*c = Stats{Kernel: c.Kernel, Set: c.Set, Strategy: c.Strategy}
	}
}

// Write writes the figures as a table.
func (p *Profile) Write(w io.Writer) error {
	stats := p.Stats()
	var total, compile time.Duration
	strategies := false
	for _, s := range stats {
		total += s.Time
		compile += s.Compile
		strategies = strategies || s.Strategy != ""
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "loop\tover\tcalls\ttime s\tms/call\tGB/s\tshare\t")
	if strategies {
		fmt.Fprint(t, "strategy\t")
	}
	fmt.Fprintln(t)
	for _, s := range stats {
		share := 0.0
		if total > 0 {
			share = 100 * s.Time.Seconds() / total.Seconds()
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%.4f\t%.1f\t%.1f %%\t", s.Kernel, s.Set, s.Calls,
			s.Time.Seconds(), 1e3*s.Time.Seconds()/float64(s.Calls), s.GBs(), share)
		if strategies {
			fmt.Fprintf(t, "%s\t", s.Strategy)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "all\t\t\t%.3f\t\t\t\t\n", total.Seconds())
	if err := t.Flush(); err != nil {
		return err
	}
	if compile >= 10*time.Millisecond {
		_, err := fmt.Fprintf(w, "waited %.2f s for the compiler\n", compile.Seconds())
		return err
	}
	return nil
}
