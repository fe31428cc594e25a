package op2_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
)

// conformSubsets runs loops over subsets of all sorts and over the whole set, one after
// another: each loop is compiled once.
func conformSubsets(t *testing.T, open opener) {
	const n, m = 3000, 700
	cache := t.TempDir()
	rt := open(t, op2.WithCacheDir(cache))
	mesh := newTopology(n, m)
	edges, nodes := newSet(t, rt, n, "edges"), newSet(t, rt, m, "nodes")
	targets, others := mesh.anywhere(2), newTopology(n, n).anywhere(1)
	edge2node, edge2edge := newMap(t, edges, nodes, 2, targets, "edge2node"), newMap(t, edges, edges, 1, others, "edge2edge")
	av, bv, rv := some[float64](mesh.random, n), some[float64](mesh.random, 2*m), some[float64](mesh.random, 2*m)
	y, s := make([]float64, 2*n), make([]float64, n)
	d, v := make([]int64, 2*n), make([]int32, m)
	a, b := newDat(t, edges, 1, av, "a"), newDat(t, nodes, 2, bv, "b")
	out, inc, sum := newDat(t, edges, 2, y, "out"), newDat(t, nodes, 2, rv, "inc"), newDat(t, edges, 1, s, "sum")
	direct, via := newDat(t, edges, 2, d, "direct"), newDat(t, nodes, 1, v, "via")

	var all, half, everyThird []int
	for e := range n {
		all = append(all, e)
		if mesh.random.IntN(2) == 0 {
			half = append(half, e)
		}
		if e%3 == 0 {
			everyThird = append(everyThird, e)
		}
	}
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	subset := func(name string, indices []int) *op2.Subset { return op2.Must(op2.NewSubset(edges, indices, name)) }
	compiled := -1
	for _, over := range []op2.IterationSet{
		subset("none", nil), subset("one", []int{n - 1}), subset("ends", []int{n - 1, 0, n - 1, 0}), subset("half", half),
		edges, subset("every third", everyThird), subset("a run", all[1000:2100]),
		subset("runs", slices.Concat(all[:5], all[1020:1030], all[2000:])), subset("all", backwards),
	} {
		t.Run(over.Name(), func(t *testing.T) {
			count, low, odd := newGlobal[int64](t, rt, "count", 5), newGlobal(t, rt, "low", -3.0), newGlobal[int64](t, rt, "odd", 0)
			run(t, kernels.Func(everyWay), over, a.Read(), b.Read(edge2node.At(0)), out.Write(),
				inc.Inc(edge2node.At(1)), b.Read(edge2node), count.Inc(), low.Min())
			run(t, kernels.Func(numbered), over, op2.Index(), direct.Write(), via.Max(edge2node.At(0)), odd.Inc())
			run(t, kernels.Func(bothWays), over, a.Read(), sum.Inc(), sum.Inc(edge2edge.At(0)))

			least, odds := -3.0, int64(0)
			elements := all
			if o, ok := over.(*op2.Subset); ok {
				elements = elements[:0:0]
				for _, e := range o.Elements() {
					elements = append(elements, int(e))
				}
			}
			for _, e := range elements {
				i, j := targets[2*e], targets[2*e+1]
				y[2*e], y[2*e+1] = av[e]+bv[2*i], bv[2*i]-bv[2*j+1]
				rv[2*j] += av[e]
				rv[2*j+1] -= bv[2*i+1]
				least, odds = min(least, av[e]), odds+int64(e&1)
				d[2*e], d[2*e+1] = int64(e), -3*int64(e)
				v[i] = max(v[i], int32(e)+1)
				s[e] += av[e]
				s[others[e]] -= 2 * av[e]
			}
			expect(t, out, y)
			expect(t, inc, rv)
			expect(t, count, []int64{5 + int64(over.Size())})
			expect(t, low, []float64{least})
			expect(t, direct, d)
			expect(t, via, v)
			expect(t, odd, []int64{odds})
			expect(t, sum, s)
		})
		n := compilations(t, cache)
		if compiled >= 0 && n != compiled {
			t.Errorf("%s: %d compilations, %d before", over.Name(), n, compiled)
		}
		compiled = n
	}
}

func TestSubset(t *testing.T) {
	rt := op2.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells := newSet(t, rt, 10, "cells")
	a := op2.Must(op2.NewSubset(cells, []int{7, 1, 3, 7, 9}, "a"))
	b := op2.Must(op2.NewSubset(cells, []uint32{3, 4, 9, 0}, "b"))
	nested := op2.Must(op2.NewSubset(a, []int32{3, 0, 3}, "nested"))
	for _, test := range []struct {
		subset *op2.Subset
		want   []int32
	}{
		{a, []int32{1, 3, 7, 9}},
		{nested, []int32{1, 9}},
		{op2.Must(op2.NewSubset[int](cells, nil, "none")), nil},
		{op2.Must(a.Union(b, "union")), []int32{0, 1, 3, 4, 7, 9}},
		{op2.Must(a.Intersection(b, "intersection")), []int32{3, 9}},
		{op2.Must(a.Difference(b, "difference")), []int32{1, 7}},
		{op2.Must(b.Difference(a, "difference")), []int32{0, 4}},
		{op2.Must(a.SymmetricDifference(b, "symmetric difference")), []int32{0, 1, 4, 7}},
	} {
		if got := test.subset.Elements(); !slices.Equal(got, test.want) || test.subset.Of() != cells || test.subset.Size() != len(got) {
			t.Errorf("%s: got %v, want %v", test.subset.Name(), got, test.want)
		}
	}
	for e := -1; e <= 10; e++ {
		if got, want := a.Contains(e), slices.Contains(a.Elements(), int32(e)); got != want {
			t.Errorf("a contains %d: %v", e, got)
		}
	}
}
