package optest

import (
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// Found is what a program has found, by what it is: values of the whole mesh, texts, and
// numbers of iterations.
type Found struct {
	Values     map[string][]float64
	Texts      map[string]string
	Iterations map[string]int
	Quick      bool // ranks compile, so that not all cases are worth their time
}

// Record adds values.
func (f *Found) Record(name string, values []float64, err error) error {
	f.Values[name] = slices.Clone(values)
	return err
}

// Dat adds the values of a dat, in declared order.
func (f *Found) Dat(name string, d *op2.Dat[float64]) error {
	values, err := d.InDeclaredOrder()
	return f.Record(name, values, err)
}

// Number adds a number.
func (f *Found) Number(name string, v float64, err error) error {
	return f.Record(name, []float64{v}, err)
}

// ResultsOnRanks compares what a program finds on several ranks with what it finds on one: values to 1e-12
// of the largest, texts exactly, numbers of iterations, which depend on rounding, to two. Ranks take turns with
// backends joined by +.
func ResultsOnRanks(t *testing.T, backends []string, program func(rt *op2.Runtime, f *Found) error) {
	AlikeOnRanks(t, backends, 1e-12, program, op2.WithThreads(2))
}

// AlikeOnRanks compares values to a tolerance relative to the largest.
func AlikeOnRanks(t *testing.T, backends []string, tolerance float64, program func(rt *op2.Runtime, f *Found) error, options ...op2.Option) {
	for _, backend := range backends {
		t.Run(backend, func(t *testing.T) {
			names := strings.Split(backend, "+")
			run := func(n int) (*Found, error) {
				results := make([]*Found, n)
				var mu sync.Mutex
				var turn atomic.Int32
				err := op2.RunRanks(n, func(rank op2.Option) error {
					name := names[int(turn.Add(1)-1)%len(names)]
					rt, err := op2.Open(append([]op2.Option{rank, op2.WithBackend(name), op2.WithLog(nil), op2.WithDiags(names[0] == "go")}, options...)...)
					if err != nil {
						return err
					}
					defer rt.Close()
					f := &Found{Values: map[string][]float64{}, Texts: map[string]string{}, Iterations: map[string]int{}, Quick: backend != "go"}
					if err := program(rt, f); err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					results[rt.Rank()] = f
					return nil
				})
				return results[0], err
			}
			want, err := run(1)
			if err != nil {
				t.Fatal(err)
			}
			many := []int{3}
			if heavy.On() {
				many = []int{2, 3, 4}
			}
			for _, n := range many {
				got, err := run(n)
				if err != nil {
					t.Errorf("%d ranks: %v", n, err)
					continue
				}
				for name, w := range want.Values {
					g := got.Values[name]
					if len(g) != len(w) {
						t.Errorf("%d ranks: %s: %d values, want %d", n, name, len(g), len(w))
						continue
					}
					size, d := 0.0, 0.0
					for i := range w {
						size, d = max(size, math.Abs(w[i])), max(d, math.Abs(g[i]-w[i]))
					}
					if !(d <= tolerance*size) {
						t.Errorf("%d ranks: %s: %g off\ngot  %v\nwant %v", n, name, d, g, w)
					}
				}
				for name, w := range want.Iterations {
					if g := got.Iterations[name]; g < w-2 || g > w+2 {
						t.Errorf("%d ranks: %s: %d iterations, want %d", n, name, g, w)
					}
				}
				for name, w := range want.Texts {
					if g := got.Texts[name]; g != w {
						t.Errorf("%d ranks: %s:\ngot  %s\nwant %s", n, name, g, w)
					}
				}
			}
		})
	}
}
