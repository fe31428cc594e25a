package op2_test

import (
	_ "embed"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed unreachable_test.go
var unreachableSource string

func redouble(x *[4]float64) {
	for i := range x {
		x[i] *= 2
	}
}

func collect4(x *[2][4]float64, y *[4]float64) {
	for i := range y {
		y[i] += x[0][i] - x[1][i]
	}
}

func swapValues(x, y *float64) { *x, *y = *y, *x }

// collected waits until the collector has found the objects unreachable.
func collected(t testing.TB, what string, gone func() bool) {
	t.Helper()
	for range 10_000 {
		runtime.GC()
		if gone() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%s are kept alive", what)
}

// The loops that ParLoop caches do not keep their data alive, on any backend: unreachable dats,
// globals, maps, subsets and mats are collected, and the next loop frees their device memory.
func TestUnreachableDataIsCollected(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		const n, rounds = 2000, 8
		mesh := optest.NewTopology(n, n)
		elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, n, "nodes")
		kept := optest.NewDat(t, elements, 4, make([]float64, 4*n), "kept")
		k := op2.Kernels(unreachableSource)
		left := make(chan string, 10*rounds)
		leave := func(what string) { left <- what }
		iterate := func() {
			m := optest.NewMap(t, elements, nodes, 2, mesh.Anywhere(2), "m")
			x, y := optest.NewDat(t, nodes, 4, make([]float64, 4*n), "x"), optest.NewDat[float64](t, nodes, 4, nil, "y")
			some := op2.NewSubset(elements, []int{1, 5, 77}, "some")
			optest.Run(t, k.Func(redouble), nodes, x.RW())
			optest.Run(t, k.Func(collect4), elements, x.Read(m), y.Inc(m.At(0)))
			optest.Run(t, k.Func(redouble), some, kept.RW())
			runtime.AddCleanup(m, leave, "a map")
			runtime.AddCleanup(x, leave, "a dat")
			runtime.AddCleanup(y, leave, "a dat")
			runtime.AddCleanup(some, leave, "a subset")
		}
		for range rounds {
			iterate()
		}
		collected(t, "maps, dats or subsets", func() bool { return len(left) == 4*rounds })
		collected(t, "loops", func() bool { // a declaration drops them, without a further loop
			optest.NewSet(t, rt, 1, "another")
			return op2.CachedLoops(rt) == 0
		})
		optest.Run(t, k.Func(redouble), elements, kept.RW())
		if n := op2.CachedLoops(rt); n != 1 {
			t.Errorf("%d loops are kept, want 1", n)
		}
		runtime.KeepAlive(kept)
	})
}

// Nor do the plans of unreachable maps stay.
func TestPlansOfUnreachableMapsAreDropped(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	const n = 500
	mesh := optest.NewTopology(n, n)
	elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, n, "nodes")
	x, y := optest.NewDat[float64](t, nodes, 4, nil, "x"), optest.NewDat[float64](t, nodes, 4, nil, "y")
	k := op2.Kernels(unreachableSource).Func(collect4)
	for range 10 {
		m := optest.NewMap(t, elements, nodes, 2, mesh.Anywhere(2), "m")
		optest.Run(t, k, elements, x.Read(m), y.Inc(m.At(0)))
		optest.Run(t, k, op2.NewSubset(elements, []int{3, 4}, "some"), x.Read(m), y.Inc(m.At(0)))
	}
	collected(t, "plans", func() bool {
		optest.Run(t, op2.Kernels(unreachableSource).Func(redouble), nodes, x.RW())
		return op2.CachedPlans(rt) == 1
	})
}

// A program that creates large dats all the time does not accumulate them, on the host or on a
// device.
func TestMemoryOfManyIterations(t *testing.T) {
	optest.NotShort(t)
	const size, rounds = 1 << 16, 300 // 2 MB each
	for _, name := range []string{"go", "sequential", "test"} {
		t.Run(name, func(t *testing.T) {
			rt, err := op2.Open(op2.WithBackend(name), op2.WithLog(nil))
			if errors.Is(err, op2.ErrUnavailable) {
				optest.Require(t, name, err.Error())
			}
			optest.OK(t, err)
			defer rt.Close()
			set := optest.NewSet(t, rt, size, "elements")
			k := op2.Kernels(unreachableSource).Func(redouble)
			used := func() uint64 {
				runtime.GC()
				optest.Run(t, k, set, optest.NewDat[float64](t, set, 4, nil, "x").RW()) // unreachable ones are dropped
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			before := used()
			for range rounds {
				optest.Run(t, k, set, optest.NewDat[float64](t, set, 4, nil, "x").RW())
			}
			if after := used(); after > before+rounds<<20 { // half of their total size
				t.Errorf("%d MB are in use, %d before", after>>20, before>>20)
			}
		})
	}
}

// The memory of unreachable dats is free once their loops are dropped: if it counted as in use, the
// collector would let the heap grow in each of its cycles.
func TestMemoryOfDroppedLoops(t *testing.T) {
	const size, dats = 1 << 18, 6 // 8 MB each
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	set, one := optest.NewSet(t, rt, size, "elements"), optest.NewSet(t, rt, 1, "one")
	k := op2.Kernels(unreachableSource).Func(redouble)
	small := optest.NewDat[float64](t, one, 4, nil, "small")
	optest.Run(t, k, one, small.RW())
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	heap := func() int {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc >> 20)
	}
	before := heap()
	for range dats {
		optest.Run(t, k, set, optest.NewDat[float64](t, set, 4, nil, "x").RW())
	}
	runtime.GC() // finds the dats, whose memory their loops still point to
	for range 10_000 {
		optest.Run(t, k, one, small.RW())
		if heap() < before+16 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d MB are in use, %d before", heap(), before)
}
