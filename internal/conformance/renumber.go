package conformance

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/optest"
)

// conformRenumber runs loops on meshes that were renumbered, by coordinates, by their maps, and
// twice: in declared numbers nothing changes.
func conformRenumber(t *testing.T, open optest.Opener) {
	for _, c := range []struct {
		name        string
		times       int
		coordinates bool
	}{{"by maps", 1, false}, {"by coordinates", 1, true}, {"twice", 2, true}} {
		t.Run(c.name, func(t *testing.T) {
			const n, m = 700, 300
			rt := open(t)
			mesh := optest.NewTopology(n, m)
			edges, nodes, alone := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes"), optest.NewSet(t, rt, 5, "alone")
			to := mesh.Anywhere(2)
			edge2node := optest.NewMap(t, edges, nodes, 2, to, "edge2node")
			weight, u, x := optest.Some[float64](mesh.Random, n), optest.Some[float64](mesh.Random, m), optest.Some[float32](mesh.Random, 2*m)
			dWeight, dU, dX := optest.NewDat(t, edges, 1, weight, "weight"), optest.NewDat(t, nodes, 1, u, "u"), optest.NewDat(t, nodes, 2, x, "x")
			dRes, dAlone := optest.NewDat[float64](t, nodes, 1, nil, "res"), optest.NewDat(t, alone, 1, []int8{1, 2, 3, 4, 5}, "alone")
			slice := optest.Must(dU.Data())
			slice[9]++ // also after Renumber, until a loop uses the values
			var by []op2.AnyDat
			if c.coordinates {
				by = append(by, dX)
			}
			for range c.times {
				if err := rt.Renumber(by...); err != nil {
					t.Fatal(err)
				}
			}
			if u[9]++; rt.Ranks() == 1 {
				slice[8]++
				u[8]++
			}
			optest.Run(t, kernels.Func(edgeFlux), edges, dU.Read(edge2node), dRes.Inc(edge2node), dWeight.Read())

			res := make([]float64, m)
			for e := range n {
				f := weight[e] * (u[to[2*e+1]] - u[to[2*e]])
				res[to[2*e]] += f
				res[to[2*e+1]] -= f
			}
			inOrder(t, dRes, res)
			inOrder(t, dU, u)
			inOrder(t, dX, x)
			inOrder(t, dWeight, weight)
			if got := edge2node.InDeclaredOrder(); !slices.Equal(got, to) {
				t.Error("the map's targets are not those it was declared with")
			}
			if got := optest.Values(t, dAlone); !slices.Equal(got, []int8{1, 2, 3, 4, 5}) {
				t.Errorf("a set that nothing connects was changed: %v", got)
			}

			// What the program gives and gets by number counts in declared numbers.
			number := nodes.DeclaredNumbers()
			if rt.Ranks() == 1 && slices.IsSorted((*entity.Set)(nodes).StoredNumbers()) {
				t.Error("the nodes have kept their order in memory")
			}
			now := optest.Must(dU.Data())
			for i, declared := range number {
				if now[i] != u[declared] {
					t.Fatalf("u of node %d, declared as %d, is %v, want %v", i, declared, now[i], u[declared])
				}
				now[i] = -now[i]
			}
			for i := range u { // on all ranks
				u[i] = -u[i]
			}
			inOrder(t, dU, u)
			later := optest.NewDat(t, nodes, 1, u, "later")
			inOrder(t, later, u)
			some := op2.NewSubset(nodes, []int{7, 200, 3}, "some")
			if rt.Ranks() == 1 {
				one := op2.NewSubset(some, []int{1}, "one") // 7
				if got := append(some.Elements(), one.Elements()...); !slices.Equal(got, []int32{3, 7, 200, 7}) || !one.Contains(7) {
					t.Errorf("the subsets have the nodes %v", got)
				}
				copied := optest.NewMap(t, edges, nodes, 2, to, "copied")
				if !slices.Equal((*entity.Map)(copied).Values(), (*entity.Map)(edge2node).Values()) || !slices.Equal(copied.Values(), to) {
					t.Error("a map that is declared later has other targets")
				}
			}
			optest.Run(t, kernels.Func(addInto), some, dU.Read(), later.RW())
			for _, e := range []int{3, 7, 200} {
				u[e] *= 2
			}
			inOrder(t, later, u)
			changed := optest.Some[float64](mesh.Random, m)
			if err := dU.SetInDeclaredOrder(changed); err != nil {
				t.Fatal(err)
			}
			inOrder(t, dU, changed)
		})
	}
}

// conformNumbers runs loops that use the element's number, over a set that was renumbered and over a
// subset of it: the number is the one that the element was declared with.
func conformNumbers(t *testing.T, open optest.Opener) {
	const n, m = 700, 300
	rt := open(t, op2.WithSIMD(op2.On))
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	to := optest.NewTopology(n, m).Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, to, "edge2node")
	var all, some []int
	for e := range n {
		all = append(all, e)
		if e%3 == 0 || e%64 < 40 {
			some = append(some, e)
		}
	}
	few := op2.NewSubset(edges, some, "few")
	sum := optest.NewDat[int64](t, nodes, 1, nil, "sum")
	optest.OK(t, rt.Renumber())
	optest.OK(t, rt.Renumber()) // and again, from the numbers that the first one gave
	if slices.IsSorted((*entity.Set)(edges).StoredNumbers()) {
		t.Fatal("the edges have kept their order in memory")
	}
	want := make([]int64, m)
	for _, c := range []struct {
		over     op2.IterationSet
		elements []int
	}{{edges, all}, {few, some}} {
		optest.Run(t, kernels.Func(squares), c.over, op2.Index(), sum.Inc(edge2node.At(1)))
		for _, e := range c.elements {
			want[to[2*e+1]] += int64(e*e + 1)
		}
		inOrder(t, sum, want)
	}
}

// inOrder fails the test if a dat does not have the values in declared order.
func inOrder[T op2.Scalar](t *testing.T, d *op2.Dat[T], want []T) {
	t.Helper()
	if got := optest.Must(d.InDeclaredOrder()); !slices.Equal(got, want) {
		t.Errorf("%s is, by declared numbers, %v, want %v", d.Name(), got, want)
	}
}
