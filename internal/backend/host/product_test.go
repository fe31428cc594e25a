package host

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/tune"
)

// Products of random matrices of small integers, exact in any order.
func TestProduct(t *testing.T) {
	for _, driver := range []backend.Driver{Sequential, Threads} {
		b, err := driver.Open(backend.Config{Threads: 3, CacheDir: t.TempDir()})
		if errors.Is(err, backend.ErrUnavailable) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for _, rows := range []int{0, 1, 5, 20000} {
			for _, dims := range [][2]int{{1, 1}, {2, 2}, {3, 2}} {
				t.Run(fmt.Sprint(driver.Name, rows, dims), func(t *testing.T) {
					testProduct(t, b.(backend.Multiplier), rows, dims[0], dims[1])
				})
			}
		}
	}
}

// Many teams at once, with more threads than there are processors, opened and closed all the time
// or left to the collector, do not interfere.
func TestManyTeams(t *testing.T) {
	cache := t.TempDir()
	var group sync.WaitGroup
	for g := range 6 {
		group.Go(func() {
			for round := range 9 {
				b, err := Threads.Open(backend.Config{Threads: 2 + (g+round)%7, CacheDir: cache, Tune: tune.Options{Schedule: []tune.Schedule{tune.Static, tune.Dynamic}[round%2]}})
				if errors.Is(err, backend.ErrUnavailable) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				testProduct(t, b.(backend.Multiplier), 8000+g, 2, 2)
				if round%3 > 0 {
					b.Close()
				} else {
					runtime.GC()
				}
			}
		})
	}
	group.Wait()
	for start := time.Now(); ourThreads() > 0; time.Sleep(10 * time.Millisecond) {
		if runtime.GC(); time.Since(start) > 20*time.Second {
			t.Fatalf("%d threads of closed teams are left", ourThreads())
		}
	}
}

// ourThreads counts the threads of teams, on systems where their names can be read.
func ourThreads() (n int) {
	names, _ := filepath.Glob("/proc/self/task/*/comm")
	for _, name := range names {
		if text, _ := os.ReadFile(name); string(text) == "op2\n" {
			n++
		}
	}
	return n
}

func testProduct(t *testing.T, b backend.Multiplier, rows, rowDim, colDim int) {
	random := rand.New(rand.NewPCG(uint64(rows), uint64(rowDim)))
	const cols = 40
	m := backend.Matrix{Scalar: loop.Int32, RowDim: rowDim, ColDim: colDim, RowPtr: []int32{0}, ReportHow: func(string) {}}
	var values []int32
	x, want := make([]int32, cols*colDim), make([]int32, rows*rowDim)
	for i := range x {
		x[i] = random.Int32N(19) - 9
	}
	for r := range rows {
		// Most nonzeros are in a few rows.
		for range random.IntN(3) * random.IntN(1+6*(r%5)) {
			c := random.IntN(cols)
			m.ColIdx = append(m.ColIdx, int32(c))
			for j := range colDim {
				for i := range rowDim {
					v := random.Int32N(19) - 9
					values = append(values, v)
					want[r*rowDim+i] += v * x[c*colDim+j]
				}
			}
		}
		m.RowPtr = append(m.RowPtr, int32(len(m.ColIdx)))
	}
	m.Values = unsafe.Pointer(unsafe.SliceData(values))
	var stages []backend.Product
	inner, outer := (&sparse.Pattern{Rows: rows, RowPtr: m.RowPtr, ColIdx: m.ColIdx}).Split(cols - 2)
	for _, m.Rows = range [][]sparse.Run{nil, append([]sparse.Run{}, inner...), append([]sparse.Run{}, outer...)} {
		p, err := b.PrepareProduct(m)
		if err == nil {
			err = p.Ready()
		}
		if err != nil {
			t.Errorf("%+v", err)
			return
		}
		stages = append(stages, p)
	}
	for round := range 10 { // the first ones on one thread, to measure their cost
		run := stages[:1]
		if round%2 > 0 {
			run = stages[1:]
		}
		y := make([]int32, len(want)+1)
		for i := range y {
			y[i] = -1
		}
		for _, p := range run {
			if err := p.Run(backend.Vector{Host: unsafe.Pointer(unsafe.SliceData(y))}, backend.Vector{Host: unsafe.Pointer(unsafe.SliceData(x))}); err != nil {
				t.Error(err)
				return
			}
		}
		for i, w := range want {
			if y[i] != w {
				t.Errorf("y[%d] = %d, want %d", i, y[i], w)
				return
			}
		}
		if y[len(want)] != -1 {
			t.Error("there is a value behind the last one")
		}
	}
}
