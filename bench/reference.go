package main

import (
	_ "embed"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/mesh"
)

var (
	//go:embed reference/airfoil.c
	airfoilSource string
	//go:embed reference/triad.c
	triadSource string
)

func userFlags() []string { return strings.Fields(os.Getenv("OP2_CFLAGS")) }

// cFunction is one void f(void **args) with its args.
type cFunction struct {
	address uintptr
	count   int64
	args    []unsafe.Pointer
}

func newCFunction(i *jit.Instance, name string, count int, args ...unsafe.Pointer) (*cFunction, error) {
	address, err := i.Symbol(name)
	if err != nil {
		return nil, err
	}
	f := &cFunction{address: address, count: int64(count)}
	f.args = append([]unsafe.Pointer{unsafe.Pointer(&f.count)}, args...)
	return f, nil
}

func (f *cFunction) call() {
	native.Call(f.address, uintptr(unsafe.Pointer(&f.args[0])))
	runtime.KeepAlive(f)
}

// cAirfoil is the program in C, on its own memory.
type cAirfoil struct {
	loops map[string]*cFunction
	q     []float64
	rms   []float64
}

func (r *reference) newAirfoil(m *mesh.Mesh) (*cAirfoil, error) {
	constants, err := r.instance.Symbol("set_constants")
	if err != nil {
		return nil, err
	}
	native.Call(constants)
	f, err := m.Facets()
	if err != nil {
		return nil, err
	}
	bound, err := f.BoundaryGroups("wall", "far")
	if err != nil {
		return nil, err
	}
	cells := m.Cells()
	a := &cAirfoil{loops: map[string]*cFunction{}, q: aligned(4 * cells), rms: make([]float64, 1)}
	x, qold, res, adt := aligned(len(m.Points)), aligned(4*cells), aligned(4*cells), aligned(cells)
	copy(x, m.Points)
	p := func(s []float64) unsafe.Pointer { return unsafe.Pointer(&s[0]) }
	i := func(s []int32) unsafe.Pointer { return unsafe.Pointer(&s[0]) }
	for _, l := range []struct {
		name  string
		count int
		args  []unsafe.Pointer
	}{
		{"save_soln", cells, []unsafe.Pointer{p(a.q), p(qold)}},
		{"adt_calc", cells, []unsafe.Pointer{i(m.Blocks[0].Nodes), p(x), p(a.q), p(adt)}},
		{"res_calc", f.Interior.Len(), []unsafe.Pointer{i(f.Interior.Reversed()), i(f.Interior.Cells), p(x), p(a.q), p(adt), p(res)}},
		{"bres_calc", f.Boundary.Len(), []unsafe.Pointer{i(f.Boundary.Reversed()), i(f.Boundary.Cells), i(bound), p(x), p(a.q), p(adt), p(res)}},
		{"update", cells, []unsafe.Pointer{p(qold), p(a.q), p(res), p(adt), p(a.rms)}},
	} {
		if a.loops[l.name], err = newCFunction(r.instance, l.name, l.count, l.args...); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// aligned returns n zeros that start at a cache line, like dats.
func aligned(n int) []float64 {
	s := make([]float64, n+8)
	skip := (64 - int(uintptr(unsafe.Pointer(&s[0]))%64)) % 64 / 8
	return s[skip : skip+n]
}

// bandwidth returns the triad's bandwidth in GB/s over a working set of the given bytes on that
// many threads, counting three streams as STREAM does.
func (r *reference) bandwidth(bytes, threads, rounds int) (float64, error) {
	n := max(1024, bytes/24/threads) // values per thread
	parts := make([]*cFunction, threads)
	for t := range parts {
		a, b, c := aligned(n), aligned(n), aligned(n)
		for i := range b {
			a[i], b[i], c[i] = 0, 1, 2
		}
		var err error
		if parts[t], err = newCFunction(r.triad, "triad", n, unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&c[0])); err != nil {
			return 0, err
		}
	}
	repeat := max(1, 200_000_000/(24*n)/10)
	var times []float64
	for range rounds {
		start := time.Now()
		var group sync.WaitGroup
		for _, f := range parts {
			group.Go(func() {
				for range repeat {
					f.call()
				}
			})
		}
		group.Wait()
		times = append(times, time.Since(start).Seconds()/float64(repeat))
	}
	return float64(24*n*threads) / median(times) / 1e9, nil
}
