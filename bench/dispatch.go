package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/mesh"
)

//go:embed dispatch.go
var dispatchSource string

// touch does almost nothing with eight arguments.
func touch(a, b, c, d, e, f, g, h *float64) {
	*h = *a + *b + *c + *d + *e + *f + *g
}

// newTouch returns the loop over one element, which has run once, and a function that runs it
// through ParLoop.
func newTouch(rt *op2.Runtime) (*op2.Loop, func() error, error) {
	set := rt.NewSet(1, "one")
	var d [8]*op2.Dat[float64]
	for i := range d {
		d[i] = op2.NewDat[float64](set, 1, nil, "d"+strconv.Itoa(i))
	}
	k := op2.Kernels(dispatchSource).Func(touch)
	loop := op2.NewLoop(k, set, d[0].Read(), d[1].Read(), d[2].Read(), d[3].Read(), d[4].Read(), d[5].Read(), d[6].Read(), d[7].Write())
	again := func() error {
		return op2.ParLoop(k, set, d[0].Read(), d[1].Read(), d[2].Read(), d[3].Read(), d[4].Read(), d[5].Read(), d[6].Read(), d[7].Write())
	}
	return loop, again, loop.Compute()
}

// dispatch measures the overhead of a call: a loop over one element.
func dispatch() error {
	fmt.Printf("\ncall of a loop over one element, 8 arguments\n")
	for _, name := range []string{"go", "sequential"} {
		rt, err := op2.Open(op2.WithBackend(name))
		if err != nil {
			return err
		}
		defer rt.Close()
		loop, again, err := newTouch(rt)
		if err != nil {
			return err
		}
		compute := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := loop.Compute(); err != nil {
					b.Fatal(err)
				}
			}
		})
		parLoop := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := again(); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, r := range []struct {
			what string
			r    testing.BenchmarkResult
		}{{"Compute", compute}, {"ParLoop", parLoop}} {
			fmt.Printf("  %-10s %-8s %4d ns, %d allocations of %d bytes\n", name, r.what, r.r.NsPerOp(), r.r.AllocsPerOp(), r.r.AllocedBytesPerOp())
		}
	}
	return nil
}

// starts measures, in fresh processes, the time from Open until all five loops of the airfoil
// program have run once on a mesh of 6 cells, with everything in the disk cache.
func starts(rounds int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var times []float64
	for i := range rounds + 1 {
		out, err := exec.Command(self, "-start").Output()
		if err != nil {
			return fmt.Errorf("start: %w", err)
		}
		ms, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			return err
		}
		if i > 0 { // the first may have compiled
			times = append(times, ms)
		}
	}
	fmt.Printf("\nsecond start of airfoil, from Open through the first run of all five loops: %.1f ms\n", median(times))
	return nil
}

func timeStart() error {
	m, err := mesh.NACA0012(2, 1)
	if err != nil {
		return err
	}
	begin := time.Now()
	rt, err := op2.Open(op2.WithBackend("sequential"))
	if err != nil {
		return err
	}
	defer rt.Close()
	f, err := flow.New(rt, m, flow.AsGiven)
	if err != nil {
		return err
	}
	if _, err := f.Iterate(); err != nil {
		return err
	}
	fmt.Printf("%.3f\n", 1e3*time.Since(begin).Seconds())
	return nil
}
