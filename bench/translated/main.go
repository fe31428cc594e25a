// Command translated measures code that op2 translate has made ahead of time: airfoil's, as it is committed with the
// example. go run ./bench runs it, as a program of its own: the code of its other loops is to be compiled.
//
//	go run ./bench/translated        # a minute
//	go run ./bench/translated -quick # small mesh only, some seconds
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	_ "github.com/go-op2/op2/examples/airfoil/op2gen"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/translated"
)

func main() {
	quick := flag.Bool("quick", false, "only the small mesh")
	rounds := flag.Int("rounds", 15, "rounds of each measurement")
	flag.Parse()
	if err := run(*quick, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(quick bool, rounds int) error {
	if len(translated.Packages()) == 0 {
		fmt.Println("\ntranslated code: none for this processor")
		return nil
	}
	compiled, err := os.MkdirTemp("", "bench-translated-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(compiled)
	if err := calls(compiled); err != nil {
		return err
	}
	sizes := [][2]int{{50, 80}, {400, 600}}
	if quick {
		sizes = sizes[:1]
	}
	for _, ij := range sizes {
		if err := iterations(ij[0], ij[1], rounds, compiled); err != nil {
			return err
		}
	}
	return nil
}

// way is a way to run airfoil.
type way struct {
	name     string
	backend  string
	compiled bool // also where there is translated code
}

// ways are measured in turn. The first is what the others are compared with.
var ways = []way{
	{"sequential, compiled", "sequential", true},
	{"sequential, translated", "sequential", false},
	{"openmp", "openmp", false},
	{"translated", "translated", false},
	{"go", "go", false},
}

// open opens a runtime, which keeps the source of code that is to be compiled in a folder: translated code has none.
func (w way) open(m *mesh.Mesh, folder string) (*op2.Runtime, *flow.Flow, error) {
	const keep = "OP2_KEEP_SOURCE"
	if w.compiled {
		if err := os.Setenv(keep, folder); err != nil {
			return nil, nil, err
		}
		defer os.Unsetenv(keep)
	}
	rt, err := op2.Open(op2.WithBackend(w.backend), op2.WithChains(op2.Off))
	if err != nil {
		return nil, nil, err
	}
	f, err := flow.New(rt, m, flow.AsGiven)
	return rt, f, err
}

// calls measures the overhead of a call: save_soln over 6 cells.
func calls(folder string) error {
	m, err := mesh.NACA0012(2, 1)
	if err != nil {
		return err
	}
	fmt.Printf("\ntranslated code: call of save_soln over %d cells\n", m.Cells())
	for _, w := range ways {
		start := time.Now()
		rt, f, err := w.open(m, folder)
		if err != nil {
			return err
		}
		defer rt.Close()
		if _, err := f.Iterate(); err != nil {
			return err
		}
		started := time.Since(start)
		loop := f.Loops()[0]
		r := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				if err := loop.Compute(); err != nil {
					b.Fatal(err)
				}
			}
		})
		fmt.Printf("  %-22s %4d ns; from Open through the first iteration %.1f ms\n", w.name, r.NsPerOp(), 1e3*started.Seconds())
	}
	return nil
}

// iterations measures an iteration of airfoil, its loops one after another, in turn.
func iterations(i, j, rounds int, folder string) error {
	m, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	flows, times := make([]*flow.Flow, len(ways)), make([][]float64, len(ways))
	for n, w := range ways {
		rt, f, err := w.open(m, folder)
		if err != nil {
			return err
		}
		defer rt.Close()
		flows[n] = f
	}
	each := max(3, 2_000_000/m.Cells()/4) // iterations in a row, so that a round is long enough to time
	for round := range rounds + 1 {
		for n, f := range flows {
			start := time.Now()
			for range each {
				if _, err := f.Iterate(); err != nil {
					return err
				}
			}
			if round > 0 { // the first is for numbers of threads to settle
				times[n] = append(times[n], time.Since(start).Seconds()/float64(each))
			}
		}
	}
	fmt.Printf("\ntranslated code: an iteration of airfoil, %d cells, %d rounds; %d threads, but for sequential\n", m.Cells(), rounds, runtime.NumCPU())
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\tms\tleast ms\tof %s\tof openmp\t\n", ways[0].name)
	for n, w := range ways {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.2f\t%.2f\t\n", w.name, 1e3*median(times[n]), 1e3*slices.Min(times[n]), ratio(times[n], times[0]), ratio(times[n], times[2]))
	}
	return t.Flush()
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

// ratio returns the median of a over b, round by round: a disturbance affects both.
func ratio(a, b []float64) float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return median(r)
}
