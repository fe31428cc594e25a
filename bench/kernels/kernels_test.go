package kernels

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

func TestMain(m *testing.M) { optest.Main(m) }

const elements = 203 // approximate: packs, and a remainder

// results holds the values of all data after one loop.
type results [][]float64

// corpusOn declares the corpus on a backend. The C is compiled without contracting products and
// sums, as Go does not here, and without optimization.
func corpusOn(t *testing.T, backend string, options ...op2.Option) ([]Loop, []*Field) {
	t.Helper()
	options = append(options, op2.WithBackend(backend), op2.WithCFlags("-O1", "-ffp-contract=off"), op2.WithLog(nil))
	rt, err := op2.Open(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	loops, fields, err := New(rt, elements)
	if err != nil {
		t.Fatal(err)
	}
	return loops, fields
}

// missing returns what a backend lacks on this machine.
func missing(t *testing.T, backend string) string {
	t.Helper()
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range infos {
		if b.Name == backend && !b.Available {
			return fmt.Sprint(b.Missing)
		}
	}
	return ""
}

// prepare makes the loops that pick selects by name, so that they are compiled in parallel.
func prepare(t *testing.T, loops []Loop, pick func(i int) bool) []*op2.Loop {
	t.Helper()
	prepared := make([]*op2.Loop, len(loops))
	for i, l := range loops {
		if !pick(i) {
			continue
		}
		prepared[i] = op2.NewLoop(l.Kernel, l.Over, l.Args...)
	}
	return prepared
}

// compute runs one loop on the initial data.
func compute(t *testing.T, l *op2.Loop, fields []*Field) results {
	t.Helper()
	for _, f := range fields {
		if err := f.Reset(); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Compute(); err != nil {
		t.Fatal(err)
	}
	all := make(results, len(fields))
	for i, f := range fields {
		var err error
		if all[i], err = f.Read(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// same compares results: sums in another order and different math libraries change the last digits.
func same(t *testing.T, fields []*Field, got, want results) {
	t.Helper()
	for i, f := range fields {
		largest := 0.0
		for _, v := range want[i] {
			largest = max(largest, math.Abs(v))
		}
		tolerance := 1e-11 * largest
		if strings.HasSuffix(f.Name, "float32") {
			tolerance = 1e-5 * largest
		}
		for j := range got[i] {
			if !(math.Abs(got[i][j]-want[i][j]) <= tolerance) {
				t.Errorf("%s[%d] is %v, want %v", f.Name, j, got[i][j], want[i][j])
				break
			}
		}
	}
}

// Every loop of the corpus gives the same on every backend of the host, with packs and without.
// Each kernel is compiled one way, and the ways take turns; OP2_HEAVY=1 compiles all of them.
func TestCorpus(t *testing.T) {
	loops, fields := corpusOn(t, "go", op2.WithThreads(2))
	if len(loops) < 60 {
		t.Errorf("%d loops", len(loops))
	}
	var want []results
	for i, l := range prepare(t, loops, func(int) bool { return true }) {
		want = append(want, compute(t, l, fields))
		for k, f := range fields {
			for j, v := range want[i][k] {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s: %s[%d] is %v", loops[i].Kernel.Name(), f.Name, j, v)
				}
			}
		}
	}
	all := heavy.On()
	ways := []struct {
		name, backend string
		options       []op2.Option
	}{
		{"packs", "sequential", []op2.Option{op2.WithSIMD(op2.On)}},
		{"threads", "openmp", []op2.Option{op2.WithSIMD(op2.On), op2.WithThreads(3), op2.WithBlockSize(40)}},
		{"elements", "sequential", []op2.Option{op2.WithSIMD(op2.Off)}},
		{"elements on threads", "openmp", []op2.Option{op2.WithSIMD(op2.Off), op2.WithThreads(3), op2.WithBlockSize(40)}},
	}
	for w, way := range ways {
		if missing := missing(t, way.backend); missing != "" {
			t.Logf("no %s: %s", way.backend, missing)
			continue
		}
		loops, fields := corpusOn(t, way.backend, way.options...)
		pick := func(i int) bool {
			inOrder := loops[i].Kernel.Name() == "relax" // its results depend on the order of elements
			return (all || i%len(ways) == w) && !(inOrder && way.backend == "openmp")
		}
		for i, l := range prepare(t, loops, pick) {
			if l != nil {
				t.Run(fmt.Sprintf("%s/%s", way.name, loops[i].Kernel.Name()), func(t *testing.T) {
					same(t, fields, compute(t, l, fields), want[i])
				})
			}
		}
	}
}
