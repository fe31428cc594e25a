package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/wisdom"
)

// tunedPrograms are the examples that -programs tunes, with arguments for runs of tenths of a second to some seconds.
var tunedPrograms = [][]string{
	{"airfoil", "-iterations", "300", "-o", ""},
	{"aero", "-o", ""},
	{"dg", "-o", ""},
	{"tsunami", "-o", ""},
}

// programs tunes whole programs on each backend, as op2 tune does within a budget for each, and compares them with OP2_TUNE=off, in
// turn: each run is a process, so that data are elsewhere in memory each time. Time is what counts on a quiet machine,
// and processor time beside busy neighbors. Environment variables, as OP2_CC, hold for both.
func programs(out io.Writer, budget time.Duration, rounds int, only string) error {
	dir, err := os.MkdirTemp("", "op2-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	built := exec.Command("go", "build", "-o", dir, "./cmd/op2", "./examples/airfoil", "./examples/aero", "./examples/dg", "./examples/tsunami")
	if text, err := built.CombinedOutput(); err != nil {
		return fmt.Errorf("building the programs, in the root of the repository: %w\n%s", err, text)
	}
	fmt.Fprintf(out, "%-8s  %-10s  %7s  %9s  %9s  %6s  %6s  %9s\n", "program", "backend", "changed", "untuned s", "tuned s", "ratio", "median", "processor")
	var all []float64
	for _, p := range tunedPrograms {
		for _, backend := range []string{"go", "sequential", "openmp", "opencl"} {
			if !strings.Contains(p[0]+" "+backend, only) {
				continue
			}
			m := tunedProgram{dir: dir, backend: backend, command: append([]string{filepath.Join(dir, p[0])}, p[1:]...)}
			r, err := m.measure(budget, rounds)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", p[0], backend, err)
			}
			all = append(all, math.Log(r.processor))
			fmt.Fprintf(out, "%-8s  %-10s  %2d of %2d  %9.4f  %9.4f  %6.3f  %6.3f  %9.3f\n", p[0], backend, r.changed, r.decided,
				r.least[0], r.least[1], r.least[1]/r.least[0], r.took, r.processor)
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("no program and backend hold %q, as in \"dg openmp\"", only)
	}
	sum := 0.
	for _, l := range all {
		sum += l
	}
	_, err = fmt.Fprintf(out, "tuned / untuned %.3f in the geometric mean of %d, by the medians of %d ratios of processor time\n", math.Exp(sum/float64(len(all))), len(all), rounds)
	return err
}

// tunedProgram is a program on one backend, whose wisdom and code are in a folder.
type tunedProgram struct {
	dir, backend string
	command      []string
}

// gained is what tuning has made of a program.
type gained struct {
	decided, changed int        // loops
	least            [2]float64 // seconds, untuned and tuned, of the shortest run
	took, processor  float64    // medians of the ratios within a round, tuned by untuned: time, and processor time
}

// measure tunes the program, and runs it in turn untuned and tuned.
func (p *tunedProgram) measure(budget time.Duration, rounds int) (g gained, err error) {
	began := time.Now()
	args := append([]string{"tune", "-budget", budget.String()}, p.command...)
	if text, err := p.with(exec.Command(filepath.Join(p.dir, "op2"), args...)).CombinedOutput(); err != nil {
		return g, fmt.Errorf("op2 tune: %w\n%s", err, text)
	}
	for _, f := range wisdom.Open(p.cache(), nil).All() {
		if f.When.After(began) && f.Breadth >= 0 {
			if g.decided++; f.Choice != "" {
				g.changed++
			}
		}
	}
	var took, processor [2][]float64
	for range rounds {
		for i, mode := range []string{"off", "use,patient"} {
			t, cpu, err := p.timed(mode)
			if err != nil {
				return g, err
			}
			took[i], processor[i] = append(took[i], t), append(processor[i], cpu)
		}
	}
	g.least = [2]float64{slices.Min(took[0]), slices.Min(took[1])}
	g.took, g.processor = ratio(took[1], took[0]), ratio(processor[1], processor[0])
	return g, nil
}

// cache returns the folder of wisdom and code.
func (p *tunedProgram) cache() string { return filepath.Join(p.dir, "cache") }

// with makes a command run on the backend with the folder.
func (p *tunedProgram) with(c *exec.Cmd, environment ...string) *exec.Cmd {
	c.Env = slices.Concat(os.Environ(), []string{"OP2_BACKEND=" + p.backend, "OP2_CACHE_DIR=" + p.cache()}, environment)
	return c
}

// timed runs the program once, and returns the seconds that it takes, and those of the processor.
func (p *tunedProgram) timed(mode string) (took, processor float64, err error) {
	c := p.with(exec.Command(p.command[0], p.command[1:]...), "OP2_TUNE="+mode)
	start := time.Now()
	if text, err := c.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, text)
	}
	return time.Since(start).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), nil
}
