package op2_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/optest"
)

func TestRenumberSmall(t *testing.T) {
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	if err := rt.Renumber(); err != nil {
		t.Errorf("a runtime without sets: %v", err)
	}
	// A path of five nodes, and a set of size 0.
	edges, nodes, none := optest.NewSet(t, rt, 4, "edges"), optest.NewSet(t, rt, 5, "nodes"), optest.NewSet(t, rt, 0, "none")
	optest.NewMap(t, edges, nodes, 2, []int32{3, 0, 0, 4, 2, 4, 1, 2}, "edge2node")
	optest.NewMap(t, none, nodes, 3, nil, "none2node")
	optest.NewDat[float64](t, none, 1, nil, "nothing")
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

// The core, the other owned elements and each part of a halo stay where they are in a set.
func TestRenumberKeepsParts(t *testing.T) {
	rt := optest.Open(t)
	const n = 100
	halo := core.Extents{Core: 50, Owned: 70, Layers: []core.Layer{{Executed: 10, ReadOnly: 5}, {ReadOnly: 15}}}
	nodes, edges := optest.NewParts(t, rt, halo, "nodes"), optest.NewSet(t, rt, n, "edges")
	var path []int32
	for e := range n { // a path that jumps between the parts
		path = append(path, int32(37*e%n), int32(37*(e+1)%n))
	}
	optest.NewMap(t, edges, nodes, 2, path, "edge2node")
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	declared := optest.NewDat(t, nodes, 1, slices.Clone(numbers), "declared")
	for range 2 {
		optest.OK(t, rt.Renumber())
		now := op2.Must(declared.DataWithHalos())
		if slices.Equal(now, numbers) {
			t.Error("nothing was numbered anew")
		}
		first := 0
		for _, end := range []int{50, 70, 80, 85, 100} {
			if part := slices.Sorted(slices.Values(now[first:end])); !slices.Equal(part, numbers[first:end]) {
				t.Errorf("elements %d to %d are %v", first, end, part)
			}
			first = end
		}
	}
}
