package conformance

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// conformSubsets runs loops over subsets of all sorts and over the whole set, one after
// another: each loop is compiled once, and on the host once more for elements without neighbors, of which some are left
// over by packs of any size.
func conformSubsets(t *testing.T, open optest.Opener) {
	const n, m = 3000, 700
	cache := t.TempDir()
	rt := open(t, op2.WithCacheDir(cache))
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	targets, others := mesh.Anywhere(2), optest.NewTopology(n, n).Anywhere(1)
	edge2node, edge2edge := optest.NewMap(t, edges, nodes, 2, targets, "edge2node"), optest.NewMap(t, edges, edges, 1, others, "edge2edge")
	av, bv, rv := optest.Some[float64](mesh.Random, n), optest.Some[float64](mesh.Random, 2*m), optest.Some[float64](mesh.Random, 2*m)
	y, s := make([]float64, 2*n), make([]float64, n)
	d, v := make([]int64, 2*n), make([]int32, m)
	a, b := optest.NewDat(t, edges, 1, av, "a"), optest.NewDat(t, nodes, 2, bv, "b")
	out, inc, sum := optest.NewDat(t, edges, 2, y, "out"), optest.NewDat(t, nodes, 2, rv, "inc"), optest.NewDat(t, edges, 1, s, "sum")
	direct, via := optest.NewDat(t, edges, 2, d, "direct"), optest.NewDat(t, nodes, 1, v, "via")

	var all, half, everyThird []int
	for e := range n {
		all = append(all, e)
		if mesh.Random.IntN(2) == 0 {
			half = append(half, e)
		}
		if e%3 == 0 {
			everyThird = append(everyThird, e)
		}
	}
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	listed := map[op2.IterationSet][]int{edges: all}
	subset := func(name string, indices []int) *op2.Subset {
		s := op2.NewSubset(edges, indices, name)
		elements := slices.Compact(slices.Sorted(slices.Values(indices)))
		if got := s.Elements(); len(got) != len(elements) || slices.ContainsFunc(got, func(e int32) bool { return !slices.Contains(elements, int(e)) }) {
			t.Errorf("%s has the elements %v, want %v", name, got, elements)
		}
		listed[s] = elements
		return s
	}
	compiled := -1
	for _, over := range []op2.IterationSet{
		subset("none", nil), subset("one", []int{n - 1}), subset("ends", []int{n - 1, 0, n - 1, 0}), subset("half", half),
		edges, subset("every third", everyThird), subset("a run", all[1000:2100]),
		subset("runs", slices.Concat(all[:5], all[1020:1030], all[2000:])), subset("all", backwards),
		subset("511", everyThird[:511]), subset("512", everyThird[:512]), subset("513", everyThird[:513]), subset("519", everyThird[:519]), subset("521", everyThird[:521]),
		subset("527", everyThird[:527]),
	} {
		t.Run(over.Name(), func(t *testing.T) {
			count, low, odd := optest.NewGlobal[int64](t, rt, "count", 5), optest.NewGlobal(t, rt, "low", -3.0), optest.NewGlobal[int64](t, rt, "odd", 0)
			optest.Run(t, kernels.Func(everyWay), over, a.Read(), b.Read(edge2node.At(0)), out.Write(),
				inc.Inc(edge2node.At(1)), b.Read(edge2node), count.Inc(), low.Min())
			optest.Run(t, kernels.Func(numbered), over, op2.Index(), direct.Write(), via.Max(edge2node.At(0)), odd.Inc())
			optest.Run(t, kernels.Func(bothWays), over, a.Read(), sum.Inc(), sum.Inc(edge2edge.At(0)))

			least, odds := -3.0, int64(0)
			for _, e := range listed[over] {
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
			optest.Expect(t, out, y)
			optest.Expect(t, inc, rv)
			optest.Expect(t, count, []int64{5 + int64(over.Size())})
			optest.Expect(t, low, []float64{least})
			optest.Expect(t, direct, d)
			optest.Expect(t, via, v)
			optest.Expect(t, odd, []int64{odds})
			optest.Expect(t, sum, s)
		})
		n := compilations(t, cache)
		// Code of its own has on a device the set, where nothing lists the elements, and on the host the first lists.
		own := onDevice(rt) && over == op2.IterationSet(edges) || !onDevice(rt) && (over.Name() == "half" || over.Name() == "every third")
		if compiled >= 0 && n != compiled && !own {
			t.Errorf("%s: %d compilations, %d before", over.Name(), n, compiled)
		}
		compiled = n
	}
}
