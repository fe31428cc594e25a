package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/optest"
)

// A step on each backend and one in C by hand on one core, in turn, for 95,000 triangles in a good order. The ratio of
// the shortest times is "of-C":
//
//	go test -run '^$' -bench . -benchtime 100x ./examples/tsunami
func BenchmarkStep(b *testing.B) {
	m := closed(2)
	for _, backend := range []string{"go", "sequential", "openmp", "opencl"} {
		for _, threads := range []int{1, runtime.NumCPU()} {
			if backend == "sequential" && threads > 1 || (backend == "openmp" || backend == "opencl") && threads == 1 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", backend, threads), func(b *testing.B) {
				rt, err := op2.Open(op2.WithBackend(backend), op2.WithThreads(threads))
				if err != nil {
					b.Skip(err)
				}
				defer rt.Close()
				drag = 0.0025
				w := optest.Must(newWater(rt, m, bed, hill))
				c := newByHand(b, w)
				shortest, shortestByHand := math.Inf(1), math.Inf(1)
				for range b.N {
					start := time.Now()
					if err := w.step(math.Inf(1)); err != nil {
						b.Fatal(err)
					}
					half := time.Now()
					c.step()
					shortest = min(shortest, half.Sub(start).Seconds())
					shortestByHand = min(shortestByHand, time.Since(half).Seconds())
				}
				for i, q := range optest.Must(w.q.DataRO()) {
					if !(math.Abs(q-c.q[i]) < 1e-9) {
						b.Fatalf("value %d is %v, in C %v", i, q, c.q[i])
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(1e3*shortest, "ms")
				b.ReportMetric(1e3*shortestByHand, "ms-C")
				b.ReportMetric(shortest/shortestByHand, "of-C")
			})
		}
	}
}

// byHand is the water in C, on its own memory.
type byHand struct {
	q     []float64
	dt    *float64
	loops []func()
}

// newByHand compiles testdata/loops.c with the flags of generated code.
func newByHand(b *testing.B, w *water) *byHand {
	compiler, err := jit.New(jit.Config{CC: os.Getenv("OP2_CC"), CacheDir: os.Getenv("OP2_CACHE_DIR")})
	if err != nil {
		b.Skip(err)
	}
	text := optest.Must(os.ReadFile("testdata/loops.c"))
	flags := append(host.Flags(compiler.Compiler().Family), strings.Fields(os.Getenv("OP2_CFLAGS"))...)
	code := optest.Must(compiler.Start(jit.Unit{Name: "byhand", Source: string(text), Flags: flags}).Acquire())

	cells := w.sea.Cells.Size()
	c := &byHand{q: aligned(optest.Must(w.q.DataRO())), dt: new(float64)}
	d, highest := aligned(make([]float64, 4*cells)), aligned(optest.Must(w.highest.DataRO()))
	x, area := aligned(optest.Must(w.sea.X.DataRO())), aligned(optest.Must(w.area.DataRO()))
	p := func(s []float64) unsafe.Pointer { return unsafe.Pointer(&s[0]) }
	i := func(m *op2.Map) unsafe.Pointer { return unsafe.Pointer(&m.Values()[0]) }
	for _, l := range []struct {
		name string
		over *op2.Set
		args []unsafe.Pointer
	}{
		{"flux", w.sea.Edges, []unsafe.Pointer{i(w.sea.EdgeNodes), i(w.sea.EdgeCells), p(x), p(c.q), p(d)}},
		{"coast", w.sea.Bedges, []unsafe.Pointer{i(w.sea.BedgeNodes), i(w.sea.BedgeCell), p(x), p(c.q), p(d)}},
		{"limit", w.sea.Cells, []unsafe.Pointer{p(area), p(d), unsafe.Pointer(c.dt)}},
		{"update", w.sea.Cells, []unsafe.Pointer{p(area), p(d), p(c.q), p(highest), unsafe.Pointer(c.dt), unsafe.Pointer(&drag)}},
	} {
		address := optest.Must(code.Symbol(l.name))
		count := int64(l.over.Size())
		var args []uintptr
		for _, a := range append([]unsafe.Pointer{unsafe.Pointer(&count)}, l.args...) {
			args = append(args, uintptr(a))
		}
		keep := l.args
		c.loops = append(c.loops, func() {
			native.Call(address, args...)
			runtime.KeepAlive(keep)
			runtime.KeepAlive(&count)
		})
	}
	return c
}

func (c *byHand) step() {
	*c.dt = math.Inf(1)
	for _, loop := range c.loops {
		loop()
	}
}

// aligned returns a copy of the values that starts at a cache line, like dats.
func aligned(values []float64) []float64 {
	s := make([]float64, len(values)+8)
	skip := (64 - int(uintptr(unsafe.Pointer(&s[0]))%64)) % 64 / 8
	copy(s[skip:], values)
	return s[skip : skip+len(values)]
}
