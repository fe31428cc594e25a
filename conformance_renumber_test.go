package op2_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
)

// conformRenumber runs loops on meshes that were renumbered, by coordinates, by their maps, and
// twice: in declared numbers nothing changes.
func conformRenumber(t *testing.T, open opener) {
	for _, c := range []struct {
		name        string
		times       int
		coordinates bool
	}{{"by maps", 1, false}, {"by coordinates", 1, true}, {"twice", 2, true}} {
		t.Run(c.name, func(t *testing.T) {
			const n, m = 700, 300
			rt := open(t)
			mesh := newTopology(n, m)
			edges, nodes, alone := newSet(t, rt, n, "edges"), newSet(t, rt, m, "nodes"), newSet(t, rt, 5, "alone")
			to := mesh.anywhere(2)
			edge2node := newMap(t, edges, nodes, 2, to, "edge2node")
			weight, u, x := some[float64](mesh.random, n), some[float64](mesh.random, m), some[float32](mesh.random, 2*m)
			dWeight, dU, dX := newDat(t, edges, 1, weight, "weight"), newDat(t, nodes, 1, u, "u"), newDat(t, nodes, 2, x, "x")
			dRes, dAlone := newDat[float64](t, nodes, 1, nil, "res"), newDat(t, alone, 1, []int8{1, 2, 3, 4, 5}, "alone")
			slice := op2.Must(dU.Data())

			var by []op2.Coordinates
			if c.coordinates {
				by = append(by, dX)
			}
			for range c.times {
				if err := rt.Renumber(by...); err != nil {
					t.Fatal(err)
				}
			}
			run(t, kernels.Func(edgeFlux), edges, dU.Read(edge2node), dRes.Inc(edge2node), dWeight.Read())

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
				t.Error("the map's entries are not those it was declared with")
			}
			if got := op2.Must(dAlone.DataRO()); !slices.Equal(got, []int8{1, 2, 3, 4, 5}) {
				t.Errorf("a set that nothing connects was changed: %v", got)
			}

			// By the present numbers.
			number := nodes.DeclaredNumbers()
			if slices.IsSorted(number) {
				t.Error("the nodes were not numbered anew")
			}
			now := op2.Must(dU.Data())
			for i, declared := range number {
				if now[i] != u[declared] {
					t.Fatalf("u of node %d, declared as %d, is %v, want %v", i, declared, now[i], u[declared])
				}
			}
			if &slice[0] != &now[0] {
				t.Error("the values have moved to another place")
			}
			changed := some[float64](mesh.random, m)
			if err := dU.SetInDeclaredOrder(changed); err != nil {
				t.Fatal(err)
			}
			inOrder(t, dU, changed)
		})
	}
}

// inOrder fails the test if a dat does not have the values in declared order.
func inOrder[T op2.Scalar](t *testing.T, d *op2.Dat[T], want []T) {
	t.Helper()
	if got := op2.Must(d.InDeclaredOrder()); !slices.Equal(got, want) {
		t.Errorf("%s is, by declared numbers, %v, want %v", d.Name(), got, want)
	}
}

func TestRenumberSmall(t *testing.T) {
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	if err := rt.Renumber(); err != nil {
		t.Errorf("a runtime without sets: %v", err)
	}
	// A path of five nodes, and a set of size 0.
	edges, nodes, none := newSet(t, rt, 4, "edges"), newSet(t, rt, 5, "nodes"), newSet(t, rt, 0, "none")
	newMap(t, edges, nodes, 2, []int32{3, 0, 0, 4, 2, 4, 1, 2}, "edge2node")
	newMap(t, none, nodes, 3, nil, "none2node")
	newDat[float64](t, none, 1, nil, "nothing")
	if err := rt.Renumber(); err != nil {
		t.Fatal(err)
	}
	got := nodes.DeclaredNumbers()
	if got[0] == 3 {
		slices.Reverse(got)
	}
	if !slices.Equal(got, []int32{1, 2, 4, 0, 3}) {
		t.Errorf("the path is numbered %v", got)
	}
	static := op2.Must(op2.Open(op2.WithBackend("go"), op2.Static()))
	defer static.Close()
	if err := static.Renumber(); err != nil {
		t.Errorf("a static runtime: %v", err)
	}
}
