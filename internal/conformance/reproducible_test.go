package conformance

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed reproducible_kernels_test.go
var reproducibleSource string

// sameMesh is a random mesh: each element is near others with a similar number, but for some.
type sameMesh struct {
	nodes, edges, cells  int
	edge2node, cell2node []int32
	cell2edge            []int32
	x, w                 []float64
	subset               []int32
	partitioner          string
	renumber             bool
}

func newSameMesh(seed uint64) *sameMesh {
	r := rand.New(rand.NewPCG(seed, 6))
	nodes := 5 + r.IntN(300)
	m := &sameMesh{nodes: nodes, edges: 1 + r.IntN(3*nodes), cells: 1 + r.IntN(nodes)}
	targets := func(n, arity, to int) []int32 {
		values := make([]int32, n*arity)
		for i := range values {
			values[i] = int32((i/arity*to/n + r.IntN(8)) % to)
			if r.IntN(20) == 0 {
				values[i] = int32(r.IntN(to))
			}
		}
		return values
	}
	m.edge2node, m.cell2node, m.cell2edge = targets(m.edges, 2, nodes), targets(m.cells, 4, nodes), targets(m.cells, 2, m.edges)
	for range 2 * nodes {
		m.x = append(m.x, r.NormFloat64()*math.Exp2(float64(r.IntN(12)-6)))
	}
	for range m.edges {
		m.w = append(m.w, r.NormFloat64())
	}
	for e := range m.edges {
		if r.IntN(3) > 0 {
			m.subset = append(m.subset, int32(e))
		}
	}
	m.partitioner = []string{"contiguous", "graph"}[r.IntN(2)]
	m.renumber = r.IntN(3) == 0
	return m
}

// sameResults are the bits of results by their names; those of functions of the C or the Go library
// begin with "library".
type sameResults map[string][]uint64

// keepBits returns a function that keeps values as a result.
func keepBits[T op2.Scalar](results sameResults, name string) func([]T, error) error {
	return func(values []T, err error) error {
		for _, v := range values {
			results[name] = append(results[name], math.Float64bits(float64(v)))
		}
		return err
	}
}

// run computes on one rank.
func (m *sameMesh) run(rt *op2.Runtime) (sameResults, error) {
	nodes, edges, cells := rt.NewSet(m.nodes, "nodes"), rt.NewSet(m.edges, "edges"), rt.NewSet(m.cells, "cells")
	edge2node := op2.NewMap(edges, nodes, 2, m.edge2node, "edge2node")
	cell2node := op2.NewMap(cells, nodes, 4, m.cell2node, "cell2node")
	cell2both := op2.NewMixedMap([]*op2.Map{cell2node, op2.NewMap(cells, edges, 2, m.cell2edge, "cell2edge")}, "cell2both")
	x, w := op2.NewDat(nodes, 2, m.x, "x"), op2.NewDat(edges, 1, m.w, "w")
	r, a := op2.NewDat[float64](nodes, 3, nil, "r"), op2.NewDat[float64](nodes, 4, nil, "a")
	low, n := op2.NewDat[float32](nodes, 1, nil, "low"), op2.NewDat[int32](nodes, 1, nil, "n")
	y, v := op2.NewDat[float64](nodes, 1, nil, "y"), op2.NewDat[float64](edges, 2, nil, "v")
	xw, rv := op2.NewMixedDat([]*op2.Dat[float64]{x, w}, "xw"), op2.NewMixedDat([]*op2.Dat[float64]{r, v}, "rv")
	some := op2.NewSubset(edges, m.subset, "some")
	volume, sum := op2.NewGlobal(rt, []float64{0.1}, "volume"), op2.NewGlobal(rt, []float64{0.1, 1e20}, "sum")
	lowSum, count := op2.NewGlobal(rt, []float32{0.1}, "lowSum"), op2.NewGlobal(rt, []int64{3}, "count")
	least, most := op2.NewGlobal(rt, []float64{math.Inf(1)}, "least"), op2.NewGlobal(rt, []float64{0.0}, "most")
	sums, lows := op2.NewGlobal(rt, []float64{0.3}, "sums"), op2.NewGlobal(rt, []float32{0.1, 0.2}, "lows")
	length, lengths := op2.NewGlobal(rt, []float64{0.3}, "length"), op2.NewDat[float64](nodes, 1, nil, "lengths")
	product, total := op2.NewGlobal(rt, [][2]float32{{2, 3}}, "product"), op2.NewGlobal(rt, []sameRecord{{Sum: 0.1, Count: 2}}, "total")
	records := op2.NewDat[sameRecord](nodes, 1, nil, "records")
	if err := rt.Err(); err != nil {
		return nil, err
	}
	if m.renumber {
		if err := rt.Renumber(x); err != nil {
			return nil, err
		}
	}
	k := op2.Kernels(reproducibleSource)
	for range 3 {
		for _, err := range []error{
			op2.ParLoop(k.Func(sameFlux), edges, x.Read(edge2node), w.Read(), r.Inc(edge2node)),
			op2.ParLoop(k.Func(sameSides), some, x.Read(edge2node.At(0)), x.Read(edge2node.At(1)), a.Inc(edge2node.At(0)), a.Inc(edge2node.At(1)), low.Inc(edge2node.At(1))),
			op2.ParLoop(k.Func(sameCorners), cells, x.Read(cell2node), r.Inc(cell2node), n.Inc(cell2node), volume.Inc()),
			op2.ParLoop(k.Func(sameMixed), cells, xw.Read(cell2both), rv.Inc(cell2both)),
			op2.ParLoop(k.Func(sameUpdate), nodes, x.RW(), r.Read(), a.Read(), sum.Inc(), lowSum.Inc(), count.Inc(), least.Min(), most.Max()),
			op2.ParLoop(k.Func(sameMost), edges, x.Read(edge2node), r.Inc(edge2node), count.Inc(), least.Min(), sums.Inc(), lows.Inc()),
			op2.ParLoop(k.Func(sameTwice), nodes, x.Read(), volume.Inc(), volume.Inc()),
			op2.ParLoop(k.Func(sameReduce), edges, x.Read(edge2node), length.Reduce(k.Func(sameLength), 0), lengths.Reduce(k.Func(sameLength), 0, edge2node),
				product.Reduce(k.Func(sameProduct), [2]float32{1, 0}), records.Inc(edge2node), total.Inc()),
			op2.ParLoop(k.Func(sameLibrary), nodes, x.Read(), y.Write()),
		} {
			if err != nil {
				return nil, err
			}
		}
	}
	results := sameResults{}
	number := func(name string) func(float64, error) error {
		return func(v float64, err error) error { return keepBits[float64](results, name)([]float64{v}, err) }
	}
	fields := func(name string) func([]sameRecord, error) error {
		return func(list []sameRecord, err error) error {
			for _, r := range list {
				err = errors.Join(err, keepBits[float64](results, name)([]float64{r.Sum, float64(r.Count), float64(r.Low)}, nil))
			}
			return err
		}
	}
	pair := func(list [][2]float32, err error) ([]float32, error) { return list[0][:], err }
	return results, errors.Join(
		keepBits[float64](results, "length")(length.Data()), keepBits[float64](results, "lengths")(lengths.Gather(0)), keepBits[float32](results, "product")(pair(product.Data())),
		fields("records")(records.Gather(0)), fields("total")(total.Data()),
		number("norm of x")(x.Norm()), number("norm of low")(low.Norm()), number("inner product")(rv.Inner(rv)), keepBits[float64](results, "v")(v.Gather(0)),
		keepBits[float64](results, "x")(x.Gather(0)), keepBits[float64](results, "r")(r.Gather(0)), keepBits[float64](results, "a")(a.Gather(0)),
		keepBits[float64](results, "library y")(y.Gather(0)), keepBits[float32](results, "low")(low.Gather(0)), keepBits[int32](results, "n")(n.Gather(0)),
		keepBits[float64](results, "volume")(volume.Data()), keepBits[float64](results, "sum")(sum.Data()), keepBits[float32](results, "lowSum")(lowSum.Data()),
		keepBits[int64](results, "count")(count.Data()), keepBits[float64](results, "least")(least.Data()), keepBits[float64](results, "most")(most.Data()),
		keepBits[float64](results, "sums")(sums.Data()), keepBits[float32](results, "lows")(lows.Data()))
}

// sameWays are numbers of ranks and threads, and block sizes.
var sameWays = []struct{ ranks, threads, block int }{{1, 1, 0}, {1, 2, 5}, {1, 3, 40}, {2, 1, 0}, {3, 2, 7}, {4, 3, 1}, {7, 1, 0}, {7, 2, 20}}

// TestReproducible checks that results are the same, bit for bit, for any number of ranks and
// threads, any partition and any blocks, on all backends of the host: those that use no library
// functions also between Go and C.
func TestReproducible(t *testing.T) {
	want := map[uint64]sameResults{}
	for _, name := range []string{"go", "sequential", "openmp"} {
		t.Run(name, func(t *testing.T) {
			if name != "go" {
				optest.RequireCompiler(t)
			}
			for seed := range uint64(4) {
				m := newSameMesh(seed)
				if want[seed] != nil && name == "sequential" {
					delete(want[seed], "library y")
				}
				for i, c := range sameWays {
					packs := []string{"on", "off"}[(uint64(i)+seed)%2]
					var flags []string
					if name == "openmp" { // the default flags are tested on sequential
						packs, flags = "on", []string{"-O1"}
					}
					options := []op2.Option{op2.WithBackend(name), op2.WithSameBits(true), op2.WithThreads(c.threads),
						op2.WithSIMD(op2.Mode(packs)), op2.WithCFlags(flags...), op2.WithHaloDepth(1 + i%2), op2.WithPartitioner(op2.Partitioner(m.partitioner)), op2.WithLog(nil)}
					if c.block > 0 {
						options = append(options, op2.WithBlockSize(c.block))
					}
					what := fmt.Sprintf("mesh %d, %d ranks, %d threads, blocks of %d, packs %s, halos of depth %d", seed, c.ranks, c.threads, c.block, packs, 1+i%2)
					for rank, results := range m.runRanks(t, what, c.ranks, options) {
						want[seed] = results.compare(t, fmt.Sprintf("%s: rank %d", what, rank), want[seed])
					}
				}
			}
		})
	}
}

// runRanks returns the results of each rank.
func (m *sameMesh) runRanks(t *testing.T, what string, ranks int, options []op2.Option) []sameResults {
	t.Helper()
	results := make([]sameResults, ranks)
	run := func(rank op2.Option) error {
		rt, err := op2.Open(append(slices.Clone(options), rank)...)
		if err != nil {
			return err
		}
		defer rt.Close()
		results[rt.Rank()], err = m.run(rt)
		return err
	}
	err := error(nil)
	if ranks == 1 { // a process alone, as programs mostly are
		err = run(nil)
	} else {
		err = op2.RunRanks(ranks, run)
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return results
}

// compare compares results with those wanted, to which it adds the others.
func (r sameResults) compare(t *testing.T, what string, want sameResults) sameResults {
	t.Helper()
	if want == nil {
		want = sameResults{}
	}
	for name, bits := range r {
		if want[name] == nil {
			want[name] = bits
		}
		if slices.Equal(bits, want[name]) {
			continue
		}
		at := 0
		for at < len(bits) && bits[at] == want[name][at] {
			at++
		}
		t.Errorf("%s has another value %d of %s: %v, want %v", what, at, name, math.Float64frombits(bits[at]), math.Float64frombits(want[name][at]))
	}
	return want
}

// What cannot be reproducible is refused.
func TestReproducibleRefused(t *testing.T) {
	open := func(options ...op2.Option) error {
		rt, err := op2.Open(append(options, op2.WithSameBits(true), op2.WithLog(nil))...)
		if err == nil {
			err = rt.Close()
		}
		return err
	}
	optest.ExpectError(t, open(op2.WithBackend("go"), op2.WithCFlags("-O2", "-ffast-math")),
		"op2: WithSameBits: with the compiler flag -ffast-math, the same operations have other results in other places")
	optest.ExpectError(t, open(op2.WithBackend("opencl"), op2.Static()),
		"op2: WithSameBits: the backend opencl adds in an order that depends on the partition\n  hint: use go, sequential or openmp")

	for ranks := 1; ranks < 4; ranks++ {
		errs := make([]error, ranks)
		err := op2.RunRanks(ranks, func(rank op2.Option) error {
			rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithSameBits(true), op2.WithPartitioner(op2.Contiguous))
			if err != nil {
				return err
			}
			defer rt.Close()
			edges, cells := rt.NewSet(6, "edges"), rt.NewSet(6, "cells")
			to := op2.NewMap(edges, cells, 1, []int32{0, 1, 2, 3, 4, 4}, "to")
			x, y := op2.NewDat[float64](edges, 1, nil, "x"), op2.NewDat[float64](cells, 1, nil, "y")
			once := op2.NewSubset(edges, []int32{0, 1, 2, 4}, "once")
			if err := rt.Err(); err != nil {
				return err
			}
			k := op2.Kernels(reproducibleSource)
			if err := op2.ParLoop(k.Func(sameSet), once, x.Read(), y.Write(to.At(0))); err != nil {
				return err
			}
			if err = op2.ParLoop(k.Func(sameSet), edges, x.Read(), y.Write(to.At(0))); err == nil {
				_, err = y.InDeclaredOrder() // another rank has refused it
			}
			errs[rt.Rank()] = err
			return nil
		})
		optest.OK(t, err)
		for rank, err := range errs {
			if err == nil {
				t.Errorf("%d ranks: rank %d did not refuse the loop", ranks, rank)
			}
		}
		optest.ExpectError(t, errs[ranks-1], "op2: loop sameSet over edges: argument 2 (y, written through to[0]): elements 4 and 5 of edges set the values of element 4 of cells: "+
			"what remains depends on which of them runs last, and the runtime is reproducible\n  hint: pass it with Inc, Min or Max, or run over what is set")
	}
}

func TestReproducibleSolvers(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"), op2.WithSameBits(true))
	s := optest.NewSystem(20, 1, true).Declare(t, rt)
	for _, c := range []struct {
		option solver.Option
		want   string
	}{
		{solver.ILU, "the runtime is reproducible, and the preconditioner ilu depends on the partition\n  hint: none, jacobi and pbjacobi do not"},
		{solver.PETSc, "the runtime is reproducible, and PETSc adds in an order that depends on the partition\n  hint: solver.Native"},
	} {
		err := solver.New(s.Matrix, c.option).Err()
		optest.ExpectError(t, err, fmt.Sprintf("op2: solver of %s: %s", s.Matrix.Name(), c.want))
	}
	optest.ExpectError(t, s.Matrix.MulTranspose(s.X, s.B), fmt.Sprintf("op2: mat %s: MulTranspose adds in an order that depends on the partition, and the runtime is reproducible\n"+
		"  hint: assemble the transposed matrix, and multiply by that, or drop WithSameBits", s.Matrix.Name()))
}

// Ranks without any elements contribute nothing to sums.
func TestReproducibleWithoutElements(t *testing.T) {
	for _, size := range []int{0, 1} {
		optest.OK(t, op2.RunRanks(3, func(rank op2.Option) error {
			rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithSameBits(true))
			if err != nil {
				return err
			}
			defer rt.Close()
			steps := optest.Steps(rt)
			nodes := rt.NewSet(size, "nodes")
			dat := func(dim int, name string) *op2.Dat[float64] {
				return op2.NewDat(nodes, dim, slices.Repeat([]float64{1}, dim*size), name)
			}
			x, r, a := dat(2, "x"), dat(3, "r"), dat(4, "a")
			sum, low, count := op2.NewGlobal(rt, []float64{3, 4}, "sum"), op2.NewGlobal(rt, []float32{5}, "low"), op2.NewGlobal(rt, []int64{0}, "count")
			least, most := op2.NewGlobal(rt, []float64{9}, "least"), op2.NewGlobal(rt, []float64{-9}, "most")
			steps.Check(op2.ParLoop(op2.Kernels(reproducibleSource).Func(sameUpdate), nodes, x.RW(), r.Read(), a.Read(), sum.Inc(), low.Inc(), count.Inc(), least.Min(), most.Max()))
			got, err := sum.Data()
			steps.Check(err)
			norm, err := r.Norm()
			steps.Check(err)
			if size == 0 && !slices.Equal(got, []float64{3, 4}) || norm != math.Sqrt(float64(3*size)) {
				return fmt.Errorf("the sums are %v, the norm is %g", got, norm)
			}
			return steps.Err()
		}))
	}
}
