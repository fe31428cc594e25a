package op2_test

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// Declarations of ranks that do not fit together are errors of all, which say what is wrong.
func TestMeshesThatDiffer(t *testing.T) {
	shares := func(rt *op2.Runtime) (nodes, edges *op2.Set) {
		return rt.NewSetShare(3, "nodes"), rt.NewSetShare(2, "edges")
	}
	const differ = "op2: ranks 0-1: ranks have declared different meshes: "
	const hint = "\n  hint: all ranks make the same declarations in the same order"
	for _, test := range []struct {
		name    string
		declare func(rt *op2.Runtime, rank int)
		want    string
	}{
		{"entry outside", func(rt *op2.Runtime, rank int) {
			nodes, edges := shares(rt)
			op2.NewMap(edges, nodes, 2, []int64{0, 1, 2, int64(5 + rank)}, "ends")
		}, "op2: rank 1: map ends from edges to nodes: value 6, of component 1 for element 3, is not one of the 6 nodes\n  hint: elements are numbered from 0"},
		{"negative entry", func(rt *op2.Runtime, rank int) {
			nodes, edges := shares(rt)
			op2.NewMap(edges, nodes, 2, []int64{0, 1, 2, int64(-rank)}, "ends")
		}, "op2: rank 1: map ends from edges to nodes: value -1, of component 1 for element 3, is not one of the 6 nodes\n" +
			"  hint: elements are numbered from 0; maps that leave out rows and columns of mats are made by NewMaskedMap"},
		{"rows of the whole set", func(rt *op2.Runtime, rank int) {
			nodes, edges := shares(rt)
			op2.NewMap(edges, nodes, 1, make([]int64, 2+2*rank), "ends")
		}, "op2: rank 1: map ends from edges to nodes: 2 values are needed, 1 for each of 2 edges; 4 were given"},
		{"negative share", func(rt *op2.Runtime, rank int) { rt.NewSetShare(-rank, "nodes") },
			"op2: rank 1: set nodes: a share from 0 to 2147483647 elements is needed, -1 was given"},
		{"dims", func(rt *op2.Runtime, rank int) {
			nodes, _ := shares(rt)
			op2.NewDat[float64](nodes, 1+rank, nil, "x")
		}, differ + "on rank 0 dat x on nodes, 1 float64 for each, on rank 1 dat x on nodes, 2 float64 for each" + hint},
		{"types", func(rt *op2.Runtime, rank int) {
			nodes, _ := shares(rt)
			if rank == 0 {
				op2.NewDat[float32](nodes, 2, nil, "x")
			} else {
				op2.NewDat[int32](nodes, 2, nil, "x")
			}
		}, differ + "on rank 0 dat x on nodes, 2 float32 for each, on rank 1 dat x on nodes, 2 int32 for each" + hint},
		{"one more", func(rt *op2.Runtime, rank int) {
			nodes, edges := shares(rt)
			if rank == 1 {
				op2.NewMap(edges, nodes, 1, []int64{0, 1}, "first")
			}
		}, differ + "on rank 0 nothing more, on rank 1 map first from edges to nodes, 1 for each" + hint},
		{"names", func(rt *op2.Runtime, rank int) { rt.NewSetShare(3, []string{"nodes", "edges"}[rank]) },
			differ + "on rank 0 set nodes of 6 elements, in shares, on rank 1 set edges of 6 elements, in shares" + hint},
		{"ready, with lists that differ", func(rt *op2.Runtime, rank int) {
			l := ready(rank)
			if rank == 1 {
				l.Sends[0] = []int32{1}
			}
			rt.NewLocalSet(l, "cells")
		}, "op2: rank 1: set cells: rank 1 sends 1 element to rank 0, which expects 2"},
		{"ready, with other elements", func(rt *op2.Runtime, rank int) {
			l := ready(rank)
			l.Sends[1-rank] = [][]int32{{0, 1}, {1, 0}}[rank]
			rt.NewLocalSet(l, "cells")
		}, "op2: rank 1: set cells: rank 1 sends element 3 of the whole mesh to rank 0, which expects element 2 at this place of the list, 0"},
		{"ready, with an unknown rank", func(rt *op2.Runtime, rank int) {
			l := ready(rank)
			if rank == 1 {
				l.Sends = map[int][]int32{2: {0, 1}}
			}
			rt.NewLocalSet(l, "cells")
		}, "op2: rank 1: set cells: this rank sends to rank 2, of 2"},
		{"ready, with itself", func(rt *op2.Runtime, rank int) {
			l := ready(rank)
			l.Receives = map[int][]int32{1: {2, 3}}
			rt.NewLocalSet(l, "cells")
		}, "op2: rank 1: set cells: this rank receives from itself"},
		{"ready, with a halo that is too large", func(rt *op2.Runtime, rank int) {
			l := ready(rank)
			l.ReadOnly[0] += rank
			rt.NewLocalSet(l, "cells")
		}, "op2: rank 1: set cells: 5 numbers are needed for 2 owned elements and a halo of 3, 4 were given"},
		{"ready, with two owners", func(rt *op2.Runtime, rank int) {
			l := ready(rank)
			l.Numbers = []int64{0, 1, 0, 1}
			rt.NewLocalSet(l, "cells")
		}, "op2: rank 0: set cells: ranks 0 and 1 both own element 0; rank 1: set cells: no rank owns element 2"},
		{"ready, and a dat of owned elements", func(rt *op2.Runtime, rank int) {
			op2.NewDat(rt.NewLocalSet(ready(rank), "cells"), 1, make([]float64, 4-2*rank), "x")
		}, "op2: rank 1: dat x on cells: 4 values are needed, 1 for each of 4 cells; 2 were given"},
		{"ready, and a copy that leads elsewhere", func(rt *op2.Runtime, rank int) {
			cells := rt.NewLocalSet(ready(rank), "cells")
			op2.NewMap(cells, cells, 2, [][]int32{{0, 2, 1, 1, 2, 3, 0, 0}, {0, 1, 1, 1, 0, 2, 0, 0}}[rank], "next")
		}, "op2: rank 1: map next from cells to cells: element 2 of the halo, 0 of the whole mesh, leads to [2 0] of the whole mesh, and with its owner, rank 0, to [0 2]"},
		{"ready, and a map beyond the halo", func(rt *op2.Runtime, rank int) {
			cells := rt.NewLocalSet(ready(rank), "cells")
			op2.NewMap(cells, cells, 1, []int32{0, int32(1 + 4*rank), 0, 0}, "next")
		}, "op2: rank 1: map next from cells to cells: value 5, of component 0 for element 1, is not one of the 4 cells that the rank has\n" +
			"  hint: maps of sets that came distributed have local numbers"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := optest.OnRanks(2, func(rt *op2.Runtime) error {
				test.declare(rt, rt.Rank())
				steps := optest.Steps(rt)
				steps.Check(rt.Partition())
				return steps.Err()
			})
			(&rankError{name: test.name}).expect(t, err, test.want)
		})
	}
}

// ready returns a set of which two ranks own two elements each, and have those of the other as halo.
func ready(rank int) op2.LocalSet {
	own, other := int64(2*rank), int64(2-2*rank)
	return op2.LocalSet{Owned: 2, Executed: []int{1}, ReadOnly: []int{1}, Numbers: []int64{own, own + 1, other, other + 1},
		Sends: map[int][]int32{1 - rank: {0, 1}}, Receives: map[int][]int32{1 - rank: {2, 3}}}
}
