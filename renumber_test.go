package op2_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
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
