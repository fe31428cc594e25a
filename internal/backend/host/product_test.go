package host

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
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
				b, err := Threads.Open(backend.Config{Threads: 2 + (g+round)%7, CacheDir: cache, Choices: choice.Choices{Schedule: []tune.Schedule{tune.Static, tune.Dynamic}[round%2]}})
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
		if runtime.GC(); time.Since(start) > 2*time.Minute {
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

// An inner product that is computed along with a product has the same bits on any number of threads,
// and the values of the product are those of the product alone.
func TestDotProduct(t *testing.T) {
	const rows = 40_000
	for _, dim := range []int{1, 3} {
		m, x := band(rows/dim, dim)
		var first []float64
		for _, threads := range []int{0, 1, 2, 5} {
			driver := Threads
			if threads == 0 {
				driver = Sequential
			}
			b, err := driver.Open(backend.Config{Threads: threads, CacheDir: t.TempDir()})
			if errors.Is(err, backend.ErrUnavailable) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			y, dot := make([]float64, len(x)), []float64{math.NaN(), math.NaN()}
			half := int32(len(m.RowPtr) / 3)
			for i, rows := range [][]sparse.Run{{{First: 0, Last: half}}, {{First: half, Last: half + 1}, {First: half + 1, Last: int32(len(m.RowPtr) - 1)}}} {
				m.Rows = rows
				p, err := b.(backend.DotMultiplier).PrepareDotProduct(m, &dot[i])
				if err == nil {
					err = p.Ready()
				}
				for range 6 { // the first ones on one thread, to measure their cost
					if err == nil {
						err = p.Run(backend.Vector{Host: unsafe.Pointer(&y[0])}, backend.Vector{Host: unsafe.Pointer(&x[0])})
					}
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			alone := make([]float64, len(y))
			m.Rows = nil
			p, err := b.(backend.Multiplier).PrepareProduct(m)
			if err == nil {
				err = p.Ready()
			}
			if err == nil {
				err = p.Run(backend.Vector{Host: unsafe.Pointer(&alone[0])}, backend.Vector{Host: unsafe.Pointer(&x[0])})
			}
			if err != nil || !slices.Equal(y, alone) {
				t.Errorf("dim %d, %d threads: the product differs, %v", dim, threads, err)
			}
			want := 0.0
			for i := range y {
				want += x[i] * y[i]
			}
			if got := dot[0] + dot[1]; !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("dim %d, %d threads: %.17g, want %.17g", dim, threads, got, want)
			}
			if threads == 1 {
				first = dot
			} else if threads > 1 && !slices.Equal(dot, first) {
				t.Errorf("dim %d: %v on %d threads, %v on one", dim, dot, threads, first)
			}
			b.Close()
		}
	}
}

// band returns a matrix with a band of 7 blocks, and a vector.
func band(rows, dim int) (backend.Matrix, []float64) {
	m := backend.Matrix{Scalar: loop.Float64, RowDim: dim, ColDim: dim, RowPtr: []int32{0}, ReportHow: func(string) {}}
	for r := range rows {
		for c := max(0, r-3); c < min(rows, r+4); c++ {
			m.ColIdx = append(m.ColIdx, int32(c))
		}
		m.RowPtr = append(m.RowPtr, int32(len(m.ColIdx)))
	}
	random := rand.New(rand.NewPCG(1, uint64(dim)))
	values, x := make([]float64, len(m.ColIdx)*dim*dim), make([]float64, rows*dim)
	for _, s := range [][]float64{values, x} {
		for i := range s {
			s[i] = random.Float64()
		}
	}
	m.Values = unsafe.Pointer(&values[0])
	return m, x
}
