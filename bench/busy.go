package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/bench/water"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/mesh"
)

// busyBackends are the backends measured next to other processes: the first is the reference.
var busyBackends = []struct {
	name    string
	backend string
	threads int
}{
	{"sequential", "sequential", 1},
	{"openmp(1)", "openmp", 1},
	{"openmp", "openmp", runtime.NumCPU()},
	{"go", "go", runtime.NumCPU()},
	{"opencl", "opencl", runtime.NumCPU()},
}

// busyProgram is a program on one backend.
type busyProgram struct {
	rt    *op2.Runtime
	step  func() error
	state func() ([]float64, error)
	steps int       // since its start
	times []float64 // seconds per step, by round
}

// busy measures a step of airfoil and of shallow water on each backend, in turn, alone on the
// machine and next to one and two busy processes.
func busy(triangles, i, j, rounds int) error {
	m, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	for _, p := range []struct {
		name string
		open func(rt *op2.Runtime) (*busyProgram, error)
	}{
		{fmt.Sprintf("shallow water, %d cells", 2*triangles*triangles), func(rt *op2.Runtime) (*busyProgram, error) {
			w, err := water.New(rt, triangles)
			if err != nil {
				return nil, err
			}
			return &busyProgram{step: w.Step, state: w.Q}, nil
		}},
		{fmt.Sprintf("airfoil, %d cells", m.Cells()), func(rt *op2.Runtime) (*busyProgram, error) {
			f, err := flow.New(rt, m, flow.AsGiven)
			if err != nil {
				return nil, err
			}
			return &busyProgram{step: func() error { _, err := f.Iterate(); return err }, state: f.Q}, nil
		}},
	} {
		if err := busyTable(p.name, p.open, rounds); err != nil {
			return err
		}
	}
	return busyRanks(rounds)
}

// busyRanks measures iterations of airfoil on two ranks, and on one, next to busy processes: a small
// mesh, on which ranks wait for each other every tenth of a millisecond.
func busyRanks(rounds int) error {
	mpirun, err := exec.LookPath("mpirun")
	if err != nil {
		fmt.Println("\nno mpirun, no ranks")
		return nil
	}
	one := share{"sequential", 1, 1, 50, 80, 500, "whole"}
	fmt.Printf("\nairfoil on ranks, %d cells: ms of an iteration, median, least and most of %d rounds\n", 3*one.i*one.j, rounds)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "beside\tone rank\t\t\ttwo ranks\t\t\t")
	for neighbors, what := range []string{"nothing", "one busy process", "two busy processes"} {
		stop, err := startNeighbors(neighbors)
		if err != nil {
			return err
		}
		defer stop()
		times := [2][]float64{}
		for range rounds {
			for n, prefix := range [][]string{nil, {mpirun, "--oversubscribe", "-n", "2"}} {
				m, err := one.run(prefix, 0)
				if err != nil {
					return err
				}
				times[n] = append(times[n], m.iteration)
			}
		}
		stop()
		fmt.Fprintf(t, "%s\t", what)
		for _, of := range times {
			fmt.Fprintf(t, "%.2f\t%.2f\t%.2f\t", median(of), slices.Min(of), slices.Max(of))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func busyTable(name string, open func(*op2.Runtime) (*busyProgram, error), rounds int) error {
	programs := make([]*busyProgram, len(busyBackends))
	for n, b := range busyBackends {
		rt, err := op2.Open(op2.WithBackend(b.backend), op2.WithThreads(b.threads))
		if errors.Is(err, op2.ErrUnavailable) {
			continue
		}
		if err != nil {
			return err
		}
		defer rt.Close()
		if programs[n], err = open(rt); err != nil {
			return err
		}
		programs[n].rt = rt
		if _, err := programs[n].run(20 * time.Millisecond); err != nil { // compiled and warm
			return err
		}
	}
	fmt.Printf("\n%s: ms of a step, and of %s\n", name, busyBackends[0].name)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "beside\t")
	for n, p := range programs {
		if p != nil {
			fmt.Fprintf(t, "%s\t\t", busyBackends[n].name)
		}
	}
	fmt.Fprintln(t)
	for neighbors, what := range []string{"nothing", "one busy process", "two busy processes"} {
		if err := busyRounds(programs, neighbors, rounds); err != nil {
			return err
		}
		fmt.Fprintf(t, "%s\t", what)
		for _, p := range programs {
			if p != nil {
				fmt.Fprintf(t, "%.3f\t%.2f\t", 1e3*median(p.times), ratio(p.times, programs[0].times))
			}
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return sameBits(programs[1], programs[2])
}

// busyRounds measures all programs in turn next to that many neighbors.
func busyRounds(programs []*busyProgram, neighbors, rounds int) error {
	stop, err := startNeighbors(neighbors)
	if err != nil {
		return err
	}
	defer stop()
	for _, p := range programs {
		if p != nil {
			p.times = nil
		}
	}
	for range rounds {
		for _, p := range programs {
			if p == nil {
				continue
			}
			seconds, err := p.run(150 * time.Millisecond)
			if err != nil {
				return err
			}
			p.times = append(p.times, seconds)
		}
	}
	return nil
}

// run takes steps for a while and returns the seconds per step.
func (p *busyProgram) run(d time.Duration) (float64, error) {
	start := time.Now()
	steps := 0
	for time.Since(start) < d {
		if err := p.step(); err != nil {
			return 0, err
		}
		steps++
	}
	p.steps += steps
	return time.Since(start).Seconds() / float64(steps), nil
}

// sameBits advances the program that is behind to the same step, and compares the results.
func sameBits(one, all *busyProgram) error {
	if one == nil || all == nil {
		return nil
	}
	for one.steps != all.steps {
		p := one
		if one.steps > all.steps {
			p = all
		}
		if err := p.step(); err != nil {
			return err
		}
		p.steps++
	}
	a, err := one.state()
	if err != nil {
		return err
	}
	b, err := all.state()
	if err != nil {
		return err
	}
	if !slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
		return fmt.Errorf("after %d steps openmp has other bits than openmp(1)", one.steps)
	}
	fmt.Printf("after %d steps openmp and openmp(1) have the same bits\n", one.steps)
	return nil
}

// startNeighbors starts busy processes, and returns a function that ends them.
func startNeighbors(n int) (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var started []*exec.Cmd
	stop = func() {
		for _, c := range started {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
	for range n {
		c := exec.Command(self, "-spin")
		c.Env = append(os.Environ(), "GOMAXPROCS=1")
		if err := c.Start(); err != nil {
			stop()
			return nil, err
		}
		started = append(started, c)
	}
	time.Sleep(50 * time.Millisecond)
	return stop, nil
}

// spin does the work of such a process: it ends by itself after a while, in case no one ends it.
func spin() {
	for start := time.Now(); time.Since(start) < 2*time.Minute; {
		for range 1_000_000 {
		}
	}
}
