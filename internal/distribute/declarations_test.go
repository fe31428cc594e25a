package distribute_test

import (
	"runtime"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// What ranks declare as a whole is the same on all of them, or the distribution says what is not.
func TestWholeMeshesThatDiffer(t *testing.T) {
	const order = "\n  hint: all ranks make the same declarations in the same order"
	const hint = "\n  hint: what is declared whole is the same on all ranks; with NewSetShare, each declares a part"
	const own = "; values that a rank alone knows are set through Data, after Partition"
	for _, test := range []struct {
		name    string
		declare func(rt *entity.Runtime, nodes, edges *entity.Set) *entity.Data // which is kept alive
		want    string
	}{
		{"size", func(rt *entity.Runtime, _, _ *entity.Set) *entity.Data {
			must(rt.NewSet(halo.All(10+rt.Rank()%2), "cells"))
			return nil
		},
			"on ranks 0, 2 set cells of 10 elements, on rank 1 set cells of 11 elements" + order},
		{"arity", func(rt *entity.Runtime, nodes, edges *entity.Set) *entity.Data {
			newMap(edges, nodes, 1+rt.Rank(), make([]int32, 4*(1+rt.Rank())), "more")
			return nil
		}, "on rank 0 map more from edges to nodes, 1 for each, on rank 1 map more from edges to nodes, 2 for each, " +
			"on rank 2 map more from edges to nodes, 3 for each" + order},
		{"masked", func(rt *entity.Runtime, nodes, edges *entity.Set) *entity.Data {
			must(entity.NewMap(edges, nodes, 1, make([]int32, 4), "more", rt.Rank() == 1))
			return nil
		}, "on ranks 0, 2 map more from edges to nodes, 1 for each, on rank 1 masked map more from edges to nodes, 1 for each" + order},
		{"values of a map", func(rt *entity.Runtime, nodes, edges *entity.Set) *entity.Data {
			newMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, []int32{3, 4, 3}[rt.Rank()], 3, 4}, "more")
			return nil
		}, "map more from edges to nodes, 2 for each: value 5, of component 1 for element 2, differs: on ranks 0, 2 it is 3, on rank 1 it is 4" + hint},
		{"a permuted map", func(rt *entity.Runtime, nodes, edges *entity.Set) *entity.Data {
			newMap(edges, nodes, 2, [][]int32{{0, 1, 1, 2, 2, 3, 3, 4}, {0, 1, 2, 1, 3, 2, 3, 4}}[rt.Rank()/2], "more")
			return nil
		}, "map more from edges to nodes, 2 for each: value 2, of component 0 for element 1, differs: on ranks 0-1 it is 1, on rank 2 it is 2" + hint},
		{"elements of a subset", func(rt *entity.Runtime, _, edges *entity.Set) *entity.Data {
			must(entity.NewSubset(edges.All(), []int{0, 1 + rt.Rank()/2}, "some"))
			return nil
		}, "subset some of edges, of 2 elements: number 1, in ascending order, differs: on ranks 0-1 it is 1, on rank 2 it is 2" + hint},
		{"size of a subset", func(rt *entity.Runtime, _, edges *entity.Set) *entity.Data {
			must(entity.NewSubset(edges.All(), make([]int, min(1, rt.Rank())), "some"))
			return nil
		}, "on rank 0 subset some of edges, of 0 elements, on ranks 1-2 subset some of edges, of 1 element" + order},
		{"dim", func(rt *entity.Runtime, nodes, _ *entity.Set) *entity.Data {
			return must(entity.NewDat[float64](nodes, 1+rt.Rank()/2, nil, "q"))
		}, "on ranks 0-1 dat q on nodes, 1 float64 for each, on rank 2 dat q on nodes, 2 float64 for each" + order},
		{"type", func(rt *entity.Runtime, nodes, _ *entity.Set) *entity.Data {
			return must(entity.NewZeros(nodes, 1, []loop.Scalar{loop.Int32, loop.Float32, loop.Float32}[rt.Rank()], "q"))
		}, "on rank 0 dat q on nodes, 1 int32 for each, on ranks 1-2 dat q on nodes, 1 float32 for each" + order},
		{"values of a dat", func(rt *entity.Runtime, nodes, _ *entity.Set) *entity.Data {
			return must(entity.NewDat(nodes, 1, []float32{0, 1, 2, 3, 4 - float32(rt.Rank())/2}, "q"))
		}, "dat q on nodes, 1 float32 for each: value 4, of component 0 for element 4, differs: on rank 0 it is 4, on rank 1 it is 3.5, on rank 2 it is 3" + hint + own},
		{"zeros", func(rt *entity.Runtime, nodes, _ *entity.Set) *entity.Data {
			values := [][]int16{nil, make([]int16, 5), {0, 0, 0, 7, 0}}[rt.Rank()]
			return must(entity.NewDat(nodes, 1, values, "q"))
		}, "dat q on nodes, 1 int16 for each: value 3, of component 0 for element 3, differs: on ranks 0-1 it is 0, on rank 2 it is 7" + hint + own},
		{"coordinates", func(rt *entity.Runtime, nodes, _ *entity.Set) *entity.Data {
			x := must(entity.NewDat(nodes, 1, []float64{0, 1, 2, 3, 4}, "x"))
			y := must(entity.NewDat(nodes, 1, []float64{4, 1, 2, 3, 0}, "y"))
			rt.Mesh().Coordinates = []*entity.Data{x, y, x}[rt.Rank():][:1]
			return nil
		}, "on ranks 0, 2 coordinates x, on rank 1 coordinates y" + order},
		{"owners", func(rt *entity.Runtime, _, _ *entity.Set) *entity.Data {
			rt.Config().Owner = func(set string, e int) int { return len(set) % (4 + rt.Rank()*e) % 3 }
			return nil
		}, "partition of nodes: the owner of element 1, differs: on rank 0 it is 1, on rank 1 it is 0, on rank 2 it is 2\n" +
			"  hint: with METIS or Scotch, which auto uses, too, all ranks need the same libraries"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for rank, err := range comm.Each(3, 0, func(c comm.Comm) error {
				rt := open(entity.Config{Comm: c, Weight: 1, Partitioner: "contiguous"})
				nodes, edges := must(rt.NewSet(halo.All(5), "nodes")), must(rt.NewSet(halo.All(4), "edges"))
				newMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3, 3, 4}, "m")
				d := test.declare(rt, nodes, edges)
				defer runtime.KeepAlive(d)
				return distribute.Partition(rt, nil)
			}) {
				if want := "op2: ranks have declared different meshes: " + test.want; text(err) != want {
					t.Errorf("rank %d: got %v\nwant %s", rank, err, want)
				}
			}
		})
	}
}

func newMap(from, to *entity.Set, arity int, values []int32, name string) {
	must(entity.NewMap(from, to, arity, values, name, false))
}
