package partition

import (
	"math/rand/v2"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/order"
)

// built returns the halos that package halo builds, as figures without the cut.
func built(t *testing.T, m *order.Mesh, owners [][]int32, parts int) *Figures {
	t.Helper()
	f := &Figures{Parts: parts, Sets: make([]SetFigures, len(m.Sets)), Neighbors: make([]int, parts)}
	locals := make([]*halo.Local, parts)
	_, errs := onRanks(parts, func(c comm.Comm) ([]int32, error) {
		whole := &halo.Mesh{}
		rank := int32(c.Rank())
		for s := range m.Sets {
			set := halo.Set{Size: int64(m.Sets[s].Size), Home: halo.Whole(owners[s])}
			for e, p := range owners[s] {
				if p == rank {
					set.Owned = append(set.Owned, int64(e))
				}
			}
			whole.Sets = append(whole.Sets, set)
		}
		for _, f := range m.Maps {
			part := halo.Map{From: f.From, To: f.To, Arity: f.Arity}
			var values []int64
			for _, e := range whole.Sets[f.From].Owned {
				for _, t := range f.Values[int(e)*f.Arity : (int(e)+1)*f.Arity] {
					values = append(values, int64(t))
				}
			}
			part.Values = numbersOf(values)
			whole.Maps = append(whole.Maps, part)
		}
		var err error
		locals[rank], err = halo.Build(c, whole, 1)
		return nil, err
	})
	for p, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
		neighbors := map[int]bool{}
		for s, set := range locals[p].Sets {
			f.Sets[s].Owned = append(f.Sets[s].Owned, set.Owned)
			f.Sets[s].Executed = append(f.Sets[s].Executed, set.Layers[0].Executed)
			f.Sets[s].Read = append(f.Sets[s].Read, set.Layers[0].ReadOnly)
			for _, part := range set.Parts {
				for _, m := range part.Sends {
					neighbors[m.Rank] = true
				}
				for _, m := range part.Receives {
					neighbors[m.Rank] = true
				}
			}
		}
		f.Neighbors[p] = len(neighbors)
	}
	return f
}

// The halos of all parts are those that ranks build of their own.
func TestAnalyze(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		m := randomMesh(r)
		if seed < 5 {
			m = newGrid(9, 7)
		}
		parts := 1 + r.IntN(7)
		owners, err := Whole(m, Options{Parts: parts})
		if err != nil {
			t.Fatal(err)
		}
		got, want := Analyze(m, owners, parts), built(t, m, owners, parts)
		for s := range m.Sets {
			equal(t, seed, "owned", s, got.Sets[s].Owned, want.Sets[s].Owned)
			equal(t, seed, "executed", s, got.Sets[s].Executed, want.Sets[s].Executed)
			equal(t, seed, "read", s, got.Sets[s].Read, want.Sets[s].Read)
		}
		equal(t, seed, "neighbors", 0, got.Neighbors, want.Neighbors)
		if seed < 5 && got.Cut != cutEdges(m, owners) {
			t.Errorf("a cut of %d edges, not %d", got.Cut, cutEdges(m, owners))
		}
	}
}

func equal(t *testing.T, seed uint64, what string, set int, got, want []int) {
	t.Helper()
	for p := range want {
		if got[p] != want[p] {
			t.Fatalf("seed %d: set %d: %s: %v, not %v", seed, set, what, got, want)
		}
	}
}
