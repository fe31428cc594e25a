package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/mesh"
)

// ranks measures iterations of airfoil, its set-up and its memory on one and two processes and on
// two threads, in turn, each time in fresh processes, and then what messages cost that take long.
// Two processes that each have a mesh of half the cells, and nothing to do with each other, show what
// the machine allows: two cores that share a memory may be less than twice as fast as one.
func ranks(i, j, iterations, rounds int) error {
	mpirun, err := exec.LookPath("mpirun")
	if err != nil {
		return fmt.Errorf("-ranks needs mpirun: %w", err)
	}
	two := []string{mpirun, "--oversubscribe", "-n", "2"}
	cases := []struct {
		name   string
		prefix []string
		share  share
	}{
		{"one rank", nil, share{"sequential", 1, 1, i, j, iterations, "whole"}},
		{"openmp, 2 threads", nil, share{"openmp", 2, 1, i, j, iterations, "whole"}},
		{"mpirun -n 2", two, share{"sequential", 1, 1, i, j, iterations, "whole"}},
		{"2 goroutines", nil, share{"sequential", 1, 2, i, j, iterations, "whole"}},
		{"2 processes apart, half the cells each", two, share{"sequential", 1, 1, i / 2, j, iterations, "apart"}},
		{"one of them alone", nil, share{"sequential", 1, 1, i / 2, j, iterations, "whole"}},
		{"mpirun -n 2, shares", two, share{"sequential", 1, 1, i, j, iterations, "shares"}},
	}
	all := make([][]measured, len(cases))
	for range rounds {
		for n, c := range cases {
			f, err := c.share.run(c.prefix, 0)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if off := math.Abs(f.rms - append(all[0], f)[0].rms); c.share.i == i && !(off <= 1e-12) {
				return fmt.Errorf("%s: the residual differs by %g", c.name, off)
			}
			all[n] = append(all[n], f)
		}
	}
	fmt.Printf("\nairfoil, %d cells, medians of %d rounds\n", 3*i*j, rounds)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tms/iteration\tspeed-up\twaiting\tset-up s\tMB\tof one rank\t")
	column := func(n int, of func(measured) float64) (v []float64) {
		for _, f := range all[n] {
			v = append(v, of(f))
		}
		return v
	}
	iteration, memory := func(f measured) float64 { return f.iteration }, func(f measured) float64 { return f.memory }
	for n, c := range cases {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.1f %%\t%.2f\t%.0f\t%.2f\t\n", c.name, median(column(n, iteration)),
			ratio(column(0, iteration), column(n, iteration)), 100*median(column(n, func(f measured) float64 { return f.waiting })),
			median(column(n, func(f measured) float64 { return f.setUp })),
			median(column(n, memory)), ratio(column(n, memory), column(0, memory)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := setUps(i, j, rounds); err != nil {
		return err
	}
	if err := overlaps(two, rounds); err != nil {
		return err
	}
	return latencies(cases[3].share, rounds)
}

// latencies measures iterations on two ranks whose messages take longer and longer. It takes the
// lower quartile of the rounds: what else runs on the machine makes iterations longer, and none shorter.
func latencies(s share, rounds int) error {
	delays := []time.Duration{0, 50 * time.Microsecond, 200 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond}
	times := make([][]float64, len(delays))
	exchanges := 0.0
	for range rounds {
		for n, d := range delays {
			f, err := s.run(nil, d)
			if err != nil {
				return err
			}
			times[n] = append(times[n], f.iteration)
			exchanges = f.exchanges
		}
	}
	fmt.Printf("\nmessages that take time: %.1f updates of halos in an iteration, lower quartiles of %d rounds\n", exchanges, rounds)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "latency\tof all updates, ms\tms/iteration\tlonger by ms\thidden\t")
	quartile := make([]float64, len(delays))
	for n, d := range delays {
		slices.Sort(times[n])
		quartile[n] = times[n][rounds/4]
		ms := 1e3 * d.Seconds() * exchanges
		longer := quartile[n] - quartile[0]
		hidden := ""
		if d > 0 {
			hidden = fmt.Sprintf("%.0f %%", 100*max(0, min(1, 1-longer/ms)))
		}
		fmt.Fprintf(t, "%v\t%.2f\t%.2f\t%.2f\t%s\t\n", d, ms, quartile[n], longer, hidden)
	}
	return t.Flush()
}

// share is what the processes of one measurement run.
type share struct {
	backend             string
	threads, goroutines int // ranks that are goroutines; 1 for none
	i, j                int
	iterations          int
	way                 string // in which the mesh is declared: "whole" or "shares"; "apart": processes under mpirun only start together; "nothing": nothing runs
}

// measured is what all ranks have taken together: the longest times, and the sum of the memory. The
// residual is that after all iterations.
type measured struct {
	iteration, setUp, memory, waiting, exchanges, rms float64
}

const shareFormat = "%s %d %d %d %d %d %s"

// run runs a share in processes of its own, after a prefix.
func (s share) run(prefix []string, latency time.Duration) (f measured, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	text := fmt.Sprintf(shareFormat, s.backend, s.threads, s.goroutines, s.i, s.j, s.iterations, s.way)
	line := append(append([]string{}, prefix...), self, "-share", text)
	c := exec.Command(line[0], line[1:]...)
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OP2_LATENCY="+latency.String())
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return f, err
	}
	for row := range strings.Lines(string(out)) {
		f.read(row)
	}
	if f.iteration == 0 {
		return f, fmt.Errorf("no figures in %q", out)
	}
	return f, nil
}

// runShare measures in this process, and prints a line for each of its ranks.
func runShare(text string) error {
	var s share
	if _, err := fmt.Sscanf(text, shareFormat, &s.backend, &s.threads, &s.goroutines, &s.i, &s.j, &s.iterations, &s.way); err != nil {
		return err
	}
	if s.goroutines == 1 {
		return s.measure(nil)
	}
	return op2.RunRanks(s.goroutines, s.measure)
}

// declare makes the mesh and declares it in its way, which takes so long once the mesh is made.
// Nothing here holds the mesh meanwhile.
func (s share) declare(rt *op2.Runtime) (f *flow.Flow, took time.Duration, err error) {
	var m *mesh.Mesh
	if s.way == "shares" {
		m, err = mesh.NACA0012Share(s.i, s.j, rt.Rank(), rt.Ranks())
	} else {
		m, err = mesh.NACA0012(s.i, s.j)
	}
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	if s.way == "shares" {
		f, err = flow.NewShare(rt, m)
	} else {
		f, err = flow.New(rt, m, flow.AsGiven)
	}
	return f, time.Since(start), err
}

func (s share) measure(rank op2.Option) error {
	together, err := op2.Open(rank, op2.WithBackend(s.backend), op2.WithThreads(s.threads))
	if err != nil {
		return err
	}
	defer together.Close()
	rt := together
	if s.way == "apart" {
		if rt, err = op2.Open(op2.WithMPI(op2.Off), op2.WithBackend(s.backend), op2.WithThreads(s.threads)); err != nil {
			return err
		}
		defer rt.Close()
	}
	if s.way == "nothing" {
		measured{iteration: 1, memory: memory() / float64(s.goroutines)}.print()
		return nil
	}
	f, setUp, err := s.declare(rt)
	if err != nil {
		return err
	}
	if _, err := f.Iterate(); err != nil { // compiles, and makes plans
		return err
	}
	rt.ResetStats()
	if _, err := together.AnyRank(false); err != nil {
		return err
	}
	start := time.Now()
	for range s.iterations { // without reading the residual, for which a program would wait
		if err := f.Advance(); err != nil {
			return err
		}
	}
	took := time.Since(start)
	var busy, waited time.Duration
	updates := int64(0)
	for _, l := range rt.Stats() {
		busy, waited = busy+l.Time, waited+l.Awaited
		updates += l.Messages
	}
	rms, err := f.Iterate()
	if err != nil {
		return err
	}
	n := float64(s.iterations)
	measured{1e3 * took.Seconds() / n, setUp.Seconds(), memory() / float64(s.goroutines),
		waited.Seconds() / busy.Seconds(), float64(updates) / n / float64(max(1, rt.Ranks()-1)), rms}.print()
	return nil
}

// print prints what a rank has measured, as read reads it.
func (m measured) print() {
	fmt.Printf("share %g %g %g %g %g %g\n", m.iteration, m.setUp, m.memory, m.waiting, m.exchanges, m.rms)
}

// read adds what a rank has printed, and reports whether the line is that.
func (m *measured) read(line string) bool {
	var r measured
	n, _ := fmt.Sscanf(line, "share %g %g %g %g %g %g", &r.iteration, &r.setUp, &r.memory, &r.waiting, &r.exchanges, &r.rms)
	if n != 6 {
		return false
	}
	*m = measured{max(m.iteration, r.iteration), max(m.setUp, r.setUp), m.memory + r.memory,
		max(m.waiting, r.waiting), max(m.exchanges, r.exchanges), r.rms}
	return true
}

// memory returns the most memory that the process has had, in MB; 0 where that is unknown.
func memory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kB, _ := strconv.ParseFloat(strings.Fields(after + " 0")[0], 64)
	return kB / 1e3
}
