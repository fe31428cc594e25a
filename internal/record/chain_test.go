package record_test

import (
	"reflect"
	"testing"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/internal/tiling"
)

// A chain comes back as it was, with each map in the file once.
func TestChain(t *testing.T) {
	ends := mesh.Maps[0].Values
	end := func(storage int, a loop.Access, component int) tiling.Arg {
		return tiling.Arg{Storage: storage, Access: a, Map: ends, Arity: 2, Component: component}
	}
	in := &tiling.Input{Sets: []int{2, 3}, Storages: []int{1, 1}, Seed: 1, Tile: 2, Parts: 1, Pack: 1, Loops: []tiling.Loop{
		{Set: 0, Last: 2, Args: []tiling.Arg{end(0, loop.Read, loop.All), end(1, loop.Inc, 0)}},
		{Set: 1, First: 1, Last: 2, Subset: []int32{0, 2}, Args: []tiling.Arg{{Storage: 1, Access: loop.RW}, {Storage: 0, Access: loop.Write}}},
	}}
	c := &record.Chain{Sets: []string{"edges", "nodes"}, Dats: []string{"u", "r"}, Bytes: []int{8, 16}, Why: "no need",
		Loops: []record.ChainLoop{{Kernel: "spread", Over: "edges"}, {Kernel: "clear", Over: "outer"}}}
	c.SetInput(in)
	dir := t.TempDir()
	w, err := record.Create(dir, &mesh)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{w.Add(&loops[0]), w.AddChain(c), w.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := record.Read(dir)
	if err != nil || len(all) != 1 || len(all[0].Loops) != 1 || len(all[0].Chains) != 1 {
		t.Fatalf("error %v, %+v", err, all)
	}
	got := &all[0].Chains[0]
	if !reflect.DeepEqual(got.Input(), in) || len(got.Maps) != 1 {
		t.Errorf("got %+v with %d maps, want %+v", got.Input(), len(got.Maps), in)
	}
	if got.Why != c.Why || !reflect.DeepEqual(got.Loops, c.Loops) || !reflect.DeepEqual(got.Sets, c.Sets) || !reflect.DeepEqual(got.Dats, c.Dats) || !reflect.DeepEqual(got.Bytes, c.Bytes) {
		t.Errorf("got %+v, want %+v", got, c)
	}
}
