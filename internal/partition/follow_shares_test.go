package partition

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/order"
)

// share returns a rank's share of a mesh, by the first element of each rank of each set.
func share(m *order.Mesh, starts [][]int64, rank int) *halo.Mesh {
	out := &halo.Mesh{}
	for s := range m.Sets {
		set := halo.Set{Size: int64(m.Sets[s].Size), Home: halo.Shares(starts[s])}
		for e := starts[s][rank]; e < starts[s][rank+1]; e++ {
			set.Owned = append(set.Owned, e)
		}
		out.Sets = append(out.Sets, set)
	}
	for _, f := range m.Maps {
		part := halo.Map{From: f.From, To: f.To, Arity: f.Arity}
		var values []int64
		for _, t := range f.Values[int(starts[f.From][rank])*f.Arity : int(starts[f.From][rank+1])*f.Arity] {
			values = append(values, int64(t))
		}
		part.Values = numbersOf(values)
		out.Maps = append(out.Maps, part)
	}
	return out
}

// numbersOf returns numbers of elements as a map has them.
func numbersOf(list []int64) halo.Numbers {
	numbers := halo.NewNumbers(len(list), math.MaxInt64)
	for i, n := range list {
		numbers.Set(i, n)
	}
	return numbers
}

// Sets follow the cells of a grid in shares as they do in one memory: each element has an owner of one
// that it is linked with, and numbers are even.
func TestFollow(t *testing.T) {
	m := newGrid(60, 48)
	m.Sets = append(m.Sets, order.Set{Size: 700}) // which no map connects
	for ranks := 1; ranks <= 7; ranks++ {
		r := rand.New(rand.NewPCG(3, uint64(ranks)))
		starts := make([][]int64, len(m.Sets))
		for s := range starts {
			starts[s] = []int64{0, int64(m.Sets[s].Size)}
			for range ranks - 1 {
				starts[s] = append(starts[s], r.Int64N(int64(m.Sets[s].Size)))
			}
			slices.Sort(starts[s])
		}
		whole, err := Whole(m, Options{Parts: ranks})
		if err != nil {
			t.Fatal(err)
		}
		owners := make([][][]int32, ranks)
		_, errs := onRanks(ranks, func(c comm.Comm) ([]int32, error) {
			own := make([][]int32, len(m.Sets))
			own[cells] = whole[cells][starts[cells][c.Rank()]:starts[cells][c.Rank()+1]]
			owners[c.Rank()] = own
			return nil, Follow(c, share(m, starts, c.Rank()), own, Options{Parts: c.Size()})
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		all := make([][]int32, len(m.Sets))
		for s := range all {
			for _, own := range owners {
				all[s] = append(all[s], own[s]...)
			}
			if len(all[s]) != m.Sets[s].Size || slices.Contains(all[s], nobody) || slices.Contains(all[s], contested) {
				t.Fatalf("%d ranks: set %d has no owners: %v", ranks, s, all[s])
			}
			if got := excess(all[s], ranks); s != bedges && got > 1.03 {
				t.Errorf("%d ranks: set %d: the largest part is %.3f of the mean", ranks, s, got)
			}
		}
		checkFollows(t, m, all)
	}
}

// Elements that nothing leads to fill what parts lack, whatever the mesh.
func TestFollowAnything(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 9))
		m := randomMesh(r)
		if len(m.Sets) == 0 {
			continue
		}
		ranks := 1 + r.IntN(4)
		starts := make([][]int64, len(m.Sets))
		for s := range starts {
			for rank := range ranks + 1 {
				starts[s] = append(starts[s], int64(m.Sets[s].Size*rank/ranks))
			}
		}
		_, errs := onRanks(ranks, func(c comm.Comm) ([]int32, error) {
			part := share(m, starts, c.Rank())
			own := make([][]int32, len(m.Sets))
			own[0] = make([]int32, len(part.Sets[0].Owned))
			for e := range own[0] {
				own[0][e] = int32(e % 5)
			}
			err := Follow(c, part, own, Options{Parts: 5})
			for s := range own {
				if len(own[s]) != len(part.Sets[s].Owned) || len(own[s]) > 0 && (slices.Min(own[s]) < 0 || slices.Max(own[s]) > 4) {
					t.Errorf("seed %d: set %d: %v", seed, s, own[s])
				}
			}
			return nil, err
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
