package conformance

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// TestAnyNumberOfThreads checks a backend's promise: the same bits, including those of float
// reductions, for any number of threads, one by one and as a chain.
func TestAnyNumberOfThreads(t *testing.T) {
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range infos {
		t.Run(b.Name, func(t *testing.T) {
			if !b.Available {
				optest.Require(t, b.Name, fmt.Sprint(b.Missing))
			}
			first := sameBits(t, b.Name, 1)
			for _, threads := range []int{1, 2, 3, 8} {
				for i, v := range sameBits(t, b.Name, threads) {
					if v != first[i] {
						t.Fatalf("%d threads: value %d of the results is %#x, with one thread %#x", threads, i, v, first[i])
					}
				}
			}
		})
	}
}

// sameBits returns the bits of all results of some loops on random floats.
func sameBits(t *testing.T, backend string, threads int) []uint64 {
	const n, m = 50000, 3000
	rt, err := op2.Open(op2.WithBackend(backend), op2.WithThreads(threads), op2.WithLog(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	edge2node := optest.NewMap(t, edges, nodes, 2, mesh.Anywhere(2), "edge2node")
	values := make([]float64, 2*n)
	for i := range values {
		values[i] = mesh.Random.NormFloat64()
	}
	x, y, r := optest.NewDat(t, edges, 2, values, "x"), optest.NewDat[float64](t, edges, 1, nil, "y"), optest.NewDat[float64](t, nodes, 2, nil, "r")
	sum := optest.NewGlobal(t, rt, "sum", 0.1, 0.2, 0.3)
	low, high := optest.NewGlobal(t, rt, "low", math.Inf(1)), optest.NewGlobal(t, rt, "high", math.Inf(-1))
	ordered := op2.NewLoop(kernels.Func(orderly), edges, x.Read(), y.Write(), sum.Inc(), low.Min(), high.Max())
	scattered := op2.NewLoop(kernels.Func(scatter), edges, x.Read(), r.Inc(edge2node))
	threaded := backend == "go" || backend == "openmp"
	if rearranged := scattered.Plan().Rearranged; rearranged != "" != (threaded && runtime.NumCPU() > 1) {
		t.Errorf("rearranged: %q", rearranged)
	}
	near := make([]int32, 2*n)
	for i := range near {
		near[i] = int32(min(i/2*m/n+i%2, m-1))
	}
	neighbors := optest.NewMap(t, edges, nodes, 2, near, "neighbors")
	spread := op2.NewLoop(kernels.Func(scatter), edges, x.Read(), r.Inc(neighbors))
	gathered := op2.NewLoop(kernels.Func(orderly), edges, r.Read(neighbors.At(1)), y.Write(), sum.Inc(), low.Min(), high.Max())
	chain := op2.NewChain(spread, gathered, spread).With(op2.WithChains(op2.Tile))
	var bits []uint64
	for round := range 4 {
		if round < 2 {
			optest.OK(t, ordered.Compute())
			optest.OK(t, scattered.Compute())
		} else {
			optest.OK(t, chain.Compute())
		}
		for _, d := range []optest.Holder[float64]{y, r, sum, low, high} {
			values, err := d.DataRO()
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				bits = append(bits, math.Float64bits(v))
			}
		}
	}
	return bits
}

// A loop that runs in another order reports the element that fails, and the data of each element is
// its own.
func TestRearrangedElements(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("for several processors")
	}
	const n, m, bad = 100000, 3000, 12345
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithThreads(2)))
	defer rt.Close()
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	anywhere, divisors, want := quotients(n, m)
	ends := optest.NewMap(t, edges, nodes, 2, anywhere, "ends")
	x, r := optest.NewDat(t, edges, 1, divisors, "x"), optest.NewDat[float64](t, nodes, 1, nil, "r")
	l := op2.NewLoop(kernels.Func(quotient), edges, x.Read(), r.Inc(ends))
	optest.OK(t, l.Compute())
	if got := optest.Must(r.DataRO()); l.Plan().Rearranged == "" || !slices.Equal(got, want) {
		t.Errorf("rearranged: %q; the sums are wrong: %v", l.Plan().Rearranged, !slices.Equal(got, want))
	}
	optest.Must(x.Data())[bad] = 0
	var fault *op2.FaultError
	if err := l.Compute(); !errors.As(err, &fault) || fault.Element != bad || fault.Elements != 1 {
		t.Errorf("got %v", err)
	}
}

// On several ranks each part of a loop is in an order of its own.
func TestRearrangedOnRanks(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("for several processors")
	}
	const n, m = 200000, 3000
	anywhere, divisors, want := quotients(n, m)
	optest.OK(t, op2.RunRanks(2, func(rank op2.Option) error {
		rt := optest.Must(op2.Open(rank, op2.WithBackend("go"), op2.WithThreads(2)))
		defer rt.Close()
		edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
		ends := optest.NewMap(t, edges, nodes, 2, anywhere, "ends")
		x, r := optest.NewDat(t, edges, 1, divisors, "x"), optest.NewDat[float64](t, nodes, 1, nil, "r")
		l := op2.NewLoop(kernels.Func(quotient), edges, x.Read(), r.Inc(ends))
		err := l.Err()
		if err == nil {
			err = l.Compute()
		}
		if err != nil {
			return err
		}
		if got := optest.Must(r.InDeclaredOrder()); l.Plan().Rearranged == "" || !slices.Equal(got, want) {
			t.Errorf("rearranged: %q; the sums are wrong: %v", l.Plan().Rearranged, !slices.Equal(got, want))
		}
		return nil
	}))
}

// quotients returns the ends of random edges, what each is divided by, and the sums on the nodes.
func quotients(edges, nodes int) (ends []int32, divisors []int64, sums []float64) {
	ends, divisors, sums = optest.NewTopology(edges, nodes).Anywhere(2), make([]int64, edges), make([]float64, nodes)
	for i := range divisors {
		divisors[i] = int64(1 + i%7)
		sums[ends[2*i]] += float64(1000 / divisors[i])
		sums[ends[2*i+1]] -= float64(1000 / divisors[i])
	}
	return ends, divisors, sums
}
