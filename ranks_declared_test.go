package op2_test

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// What ranks declare as a whole is the same on all of them, or the distribution says what is not.
func TestWholeMeshesThatDiffer(t *testing.T) {
	const order = "\n  hint: all ranks make the same declarations in the same order"
	const hint = "\n  hint: what is declared whole is the same on all ranks; with NewSetShare, each declares a part"
	const own = "; values that a rank alone knows are set through Data, after Partition"
	for _, test := range []struct {
		name    string
		declare func(steps *optest.Checked, rt *op2.Runtime, nodes, edges *op2.Set)
		want    string
	}{
		{"size", func(steps *optest.Checked, rt *op2.Runtime, _, _ *op2.Set) { rt.NewSet(10+rt.Rank()%2, "cells") },
			"on ranks 0, 2 set cells of 10 elements, on rank 1 set cells of 11 elements" + order},
		{"arity", func(steps *optest.Checked, rt *op2.Runtime, nodes, edges *op2.Set) {
			op2.NewMap(edges, nodes, 1+rt.Rank(), make([]int32, 4*(1+rt.Rank())), "more")
		}, "on rank 0 map more from edges to nodes, 1 for each, on rank 1 map more from edges to nodes, 2 for each, " +
			"on rank 2 map more from edges to nodes, 3 for each" + order},
		{"masked", func(steps *optest.Checked, rt *op2.Runtime, nodes, edges *op2.Set) {
			if rt.Rank() == 1 {
				op2.NewMaskedMap(edges, nodes, 1, make([]int32, 4), "more")
			} else {
				op2.NewMap(edges, nodes, 1, make([]int32, 4), "more")
			}
		}, "on ranks 0, 2 map more from edges to nodes, 1 for each, on rank 1 masked map more from edges to nodes, 1 for each" + order},
		{"values of a map", func(steps *optest.Checked, rt *op2.Runtime, nodes, edges *op2.Set) {
			op2.NewMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, []int32{3, 4, 3}[rt.Rank()], 3, 4}, "more")
		}, "map more from edges to nodes, 2 for each: value 5, of component 1 for element 2, differs: on ranks 0, 2 it is 3, on rank 1 it is 4" + hint},
		{"a permuted map", func(steps *optest.Checked, rt *op2.Runtime, nodes, edges *op2.Set) {
			op2.NewMap(edges, nodes, 2, [][]int32{{0, 1, 1, 2, 2, 3, 3, 4}, {0, 1, 2, 1, 3, 2, 3, 4}}[rt.Rank()/2], "more")
		}, "map more from edges to nodes, 2 for each: value 2, of component 0 for element 1, differs: on ranks 0-1 it is 1, on rank 2 it is 2" + hint},
		{"elements of a subset", func(steps *optest.Checked, rt *op2.Runtime, _, edges *op2.Set) {
			op2.NewSubset(edges, []int{0, 1 + rt.Rank()/2}, "some")
		}, "subset some of edges, of 2 elements: number 1, in ascending order, differs: on ranks 0-1 it is 1, on rank 2 it is 2" + hint},
		{"size of a subset", func(steps *optest.Checked, rt *op2.Runtime, _, edges *op2.Set) {
			op2.NewSubset(edges, make([]int, min(1, rt.Rank())), "some")
		}, "on rank 0 subset some of edges, of 0 elements, on ranks 1-2 subset some of edges, of 1 element" + order},
		{"dim", func(steps *optest.Checked, rt *op2.Runtime, nodes, _ *op2.Set) {
			op2.NewDat[float64](nodes, 1+rt.Rank()/2, nil, "q")
		}, "on ranks 0-1 dat q on nodes, 1 float64 for each, on rank 2 dat q on nodes, 2 float64 for each" + order},
		{"type", func(steps *optest.Checked, rt *op2.Runtime, nodes, _ *op2.Set) {
			if rt.Rank() == 0 {
				op2.NewDat[int32](nodes, 1, nil, "q")
			} else {
				op2.NewDat[float32](nodes, 1, nil, "q")
			}
		}, "on rank 0 dat q on nodes, 1 int32 for each, on ranks 1-2 dat q on nodes, 1 float32 for each" + order},
		{"values of a dat", func(steps *optest.Checked, rt *op2.Runtime, nodes, _ *op2.Set) {
			op2.NewDat(nodes, 1, []float32{0, 1, 2, 3, 4 - float32(rt.Rank())/2}, "q")
		}, "dat q on nodes, 1 float32 for each: value 4, of component 0 for element 4, differs: on rank 0 it is 4, on rank 1 it is 3.5, on rank 2 it is 3" + hint + own},
		{"zeros", func(steps *optest.Checked, rt *op2.Runtime, nodes, _ *op2.Set) {
			values := [][]int16{nil, make([]int16, 5), {0, 0, 0, 7, 0}}[rt.Rank()]
			op2.NewDat(nodes, 1, values, "q")
		}, "dat q on nodes, 1 int16 for each: value 3, of component 0 for element 3, differs: on ranks 0-1 it is 0, on rank 2 it is 7" + hint + own},
		{"coordinates", func(steps *optest.Checked, rt *op2.Runtime, nodes, _ *op2.Set) {
			x := op2.NewDat(nodes, 1, []float64{0, 1, 2, 3, 4}, "x")
			y := op2.NewDat(nodes, 1, []float64{4, 1, 2, 3, 0}, "y")
			steps.Check(rt.Partition([]op2.AnyDat{x, y, x}[rt.Rank()]))
		}, "on ranks 0, 2 coordinates x, on rank 1 coordinates y" + order},
		{"owners", func(steps *optest.Checked, rt *op2.Runtime, _, _ *op2.Set) {
			optest.Distribute(rt, func(set string, e int) int { return len(set) % (4 + rt.Rank()*e) % 3 })
		}, "partition of nodes: the owner of element 1, differs: on rank 0 it is 1, on rank 1 it is 0, on rank 2 it is 2\n" +
			"  hint: with METIS or Scotch, which auto uses, too, all ranks need the same libraries"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := op2.RunRanks(3, func(rank op2.Option) error {
				rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithPartitioner(op2.Contiguous))
				if err != nil {
					return err
				}
				defer rt.Close()
				steps := optest.Steps(rt)
				nodes, edges := rt.NewSet(5, "nodes"), rt.NewSet(4, "edges")
				op2.NewMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3, 3, 4}, "m")
				test.declare(steps, rt, nodes, edges)
				steps.Check(rt.Partition())
				return steps.Err()
			})
			optest.ExpectError(t, err, "op2: ranks have declared different meshes: "+test.want)
		})
	}
}
