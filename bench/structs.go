package main

import (
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/mesh"
)

// structWays are the ways of running airfoil with arrays and with structs.
var structWays = []struct {
	name    string
	options []op2.Option
}{
	{"go", []op2.Option{op2.WithBackend("go"), op2.WithThreads(1)}},
	{"sequential", []op2.Option{op2.WithBackend("sequential")}},
	{"without packs", []op2.Option{op2.WithBackend("sequential"), op2.WithSIMD(op2.Off)}},
	{"openmp", []op2.Option{op2.WithBackend("openmp")}},
	{"opencl", []op2.Option{op2.WithBackend("opencl")}},
}

// withStructs measures airfoil with structs against airfoil with arrays, in turn.
func withStructs(i, j, rounds int) error {
	m, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	fmt.Printf("\nairfoil, %d cells: ms of an iteration with arrays and with structs, and the latter / the former, also by loop\n", m.Cells())
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tarrays\tstructs\tratio\tsaveSoln\tadtCalc\tresCalc\tbresCalc\tupdate\t")
	for _, way := range structWays {
		arrays, err := newTimedFlow(flow.New, m, way.options)
		if errors.Is(err, op2.ErrUnavailable) {
			continue
		}
		if err != nil {
			return err
		}
		defer arrays.rt.Close()
		structs, err := newTimedFlow(flow.NewConserved, m, way.options)
		if err != nil {
			return err
		}
		defer structs.rt.Close()
		for range rounds {
			for _, f := range []*timedFlow{arrays, structs} {
				if err := f.measure(50 * time.Millisecond); err != nil {
					return err
				}
			}
		}
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t", way.name, 1e3*median(arrays.times), 1e3*median(structs.times), ratio(structs.times, arrays.times))
		for l := range arrays.loops {
			fmt.Fprintf(t, "%.2f\t", ratio(structs.loops[l], arrays.loops[l]))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// timedFlow is airfoil on a runtime of its own.
type timedFlow struct {
	rt    *op2.Runtime
	flow  *flow.Flow
	times []float64    // seconds per iteration, by round
	loops [5][]float64 // seconds per iteration of each loop, by round
}

// newTimedFlow opens a runtime and runs the flow until it is compiled and warm.
func newTimedFlow(open func(*op2.Runtime, *mesh.Mesh, flow.Numbering) (*flow.Flow, error), m *mesh.Mesh, options []op2.Option) (*timedFlow, error) {
	rt, err := op2.Open(options...)
	if err != nil {
		return nil, err
	}
	f := &timedFlow{rt: rt}
	if f.flow, err = open(rt, m, flow.AsGiven); err == nil {
		for range 3 {
			_, err = f.flow.Iterate()
		}
	}
	if err != nil {
		return nil, errors.Join(err, rt.Close())
	}
	return f, nil
}

// measure iterates for a while.
func (f *timedFlow) measure(d time.Duration) error {
	f.rt.ResetStats()
	start := time.Now()
	n := 0
	for time.Since(start) < d {
		if _, err := f.flow.Iterate(); err != nil {
			return err
		}
		n++
	}
	f.times = append(f.times, time.Since(start).Seconds()/float64(n))
	for i, l := range f.flow.Loops() {
		f.loops[i] = append(f.loops[i], l.Stats().Time.Seconds()/float64(n))
	}
	return nil
}
