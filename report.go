package op2

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/report"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/stream"
	"github.com/go-op2/op2/internal/wholefile"
)

// WriteReport writes a report of what has been measured so far to a file, whose ending says in which form: .html for a
// page to look at, .json, .csv for a table of the loops, .trace.json for the timeline alone, as Perfetto reads it. It
// measures the bandwidth of the memory, which takes some tenths of a second. The timeline, regions, and the code of loops
// are there with [WithReport] alone. On several ranks it is collective, and rank 0 writes one file. See docs/report.md.
func (rt *Runtime) WriteReport(file string) error {
	if rt == nil {
		return entity.Called(errors.New("op2: WriteReport needs a runtime"))
	}
	return rt.do(func() error {
		if err := report.Check(file); err != nil {
			return fmt.Errorf("op2: WriteReport: the report %q: %w", file, err)
		}
		return rt.writeReport(func() string { return file })
	})
}

// Region begins a region of the program, such as a time step, which ends when the function that it returns is called. In
// the report that [WithReport] asks for, regions have their times, and are in the timeline above the loops; without, this
// does nothing. Regions may contain others. Calls that wait, with lazy evaluation, are where they run.
//
//	defer rt.Region("step")()
func (rt *Runtime) Region(name string) (end func()) {
	if rt == nil {
		return func() {}
	}
	within := func(f func()) {
		if !rt.core().Take() {
			panic(ErrConcurrentUse)
		}
		defer rt.core().Leave()
		f()
	}
	ends := func() {}
	within(func() {
		if t := rt.core().Timeline(); t != nil {
			ends = t.Begin(name)
		}
	})
	return func() { within(ends) }
}

// reportAtClose writes the report that the configuration asks for. Like the other figures, it does not keep the runtime
// from being closed.
func (rt *Runtime) reportAtClose() {
	c := rt.core().Config()
	if c.Report == "" || c.Static || rt.core().Meet() != nil { // with a rank that closes for an error, others have no report
		return
	}
	if err := rt.writeReport(func() string { return unwritten(c.Report) }); err != nil {
		c.Backend.Warn(fmt.Sprintf("the report: %v", err))
	}
}

// written counts the reports that runtimes of this process have written at their end, by file.
var written struct {
	sync.Mutex
	files map[string]int
}

// unwritten returns the file, or if another runtime of this process has written it, one with a number.
func unwritten(file string) string {
	written.Lock()
	defer written.Unlock()
	if written.files == nil {
		written.files = map[string]int{}
	}
	written.files[file]++
	return report.Numbered(file, written.files[file])
}

// writeReport writes a report, on rank 0 to a file of that name. It is collective.
func (rt *Runtime) writeReport(file func() string) error {
	core := rt.core()
	if err := core.Settle(); err != nil {
		return err
	}
	own := reportOfRank(core)
	if err := comm.Sum(core.Comm(), []int64{0}); err != nil { // so that all of a machine measure at the same time
		return problem.Errorf("op2: WriteReport: %w", err)
	}
	if core.Device() == nil {
		own.Triad = stream.Triad(max(triadBytes/core.Ranks(), triadRankBytes), core.HostThreads())
	}
	ranks, err := comm.Collect(core.Comm(), own)
	if err != nil {
		return problem.Errorf("op2: WriteReport: %w", err)
	}
	if core.Rank() > 0 {
		return nil
	}
	all := &report.Report{Program: filepath.Base(os.Args[0]), Written: time.Now().Format(time.RFC3339), Backend: core.Name(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Codes: codesOf(core), Ranks: ranks}
	for _, r := range ranks {
		all.Triad += r.Triad
	}
	to := file()
	if err := wholefile.Write(to, func(w io.Writer) error { return report.Write(w, to, all) }); err != nil {
		return fmt.Errorf("op2: WriteReport: %w", err)
	}
	return nil
}

// reportOfRank returns the measurements of this rank.
func reportOfRank(rt *entity.Runtime) report.Rank {
	host, _ := os.Hostname()
	r := report.Rank{Rank: rt.Rank(), Host: host, Backend: rt.Name(), Threads: rt.HostThreads(), Seconds: time.Since(rt.OpenedAt()).Seconds(),
		Loops: []report.Loop{}, Memory: []report.Memory{}, Timeline: report.TimelineOf(rt.Timeline()), Regions: report.RegionsOf(rt.Timeline())}
	for _, s := range rt.Profile().Stats() {
		r.Loops = append(r.Loops, report.LoopOf(s))
	}
	r.Transfers = report.Transfers(*rt.Transfers())
	for _, l := range rt.Listed() {
		if l.Bytes > 0 {
			m := report.Memory{Kind: l.Kind, Name: l.Name, On: l.On, Holds: l.Holds, Bytes: l.Bytes}
			if t := rt.Config().Tuner; t != nil && t.Mode.Verify {
				m.Digest = l.Digest()
			}
			r.Memory = append(r.Memory, m)
		}
	}
	return r
}

// The triad runs over so many bytes on all ranks, more than caches hold as a rule, and at least over so many on each.
const (
	triadBytes     = 192 << 20
	triadRankBytes = 24 << 20
)

// codesOf describes the code of the loops of a runtime.
func codesOf(rt *entity.Runtime) (all []report.Code) {
	for _, d := range run.DescribedLoops(rt) {
		c := report.Code{Kernel: d.Kernel, Set: d.Set, At: d.At, Source: d.Source, Generated: d.Generated}
		if p := d.Plan; p.Blocks > 0 {
			c.Plan = &report.Plan{Elements: p.Elements, Blocks: p.Blocks, BlockSize: p.BlockSize, Colors: p.Colors, ColorBound: p.ColorBound,
				SmallColor: p.SmallColor, LargeColor: p.LargeColor, ElementColors: p.ElementColors, SharedBytes: p.SharedBytes, Bytes: p.Bytes}
		}
		all = append(all, c)
	}
	return all
}
