package flow

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// A reproducible flow is the same, bit for bit, on any number of ranks and threads.
func TestReproducible(t *testing.T) {
	m, err := mesh.NACA0012(20, 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, backend := range []string{"go", "sequential", "openmp"} {
		optest.OpenBackend(t, backend) // skips where it is missing
		var want []float64
		for _, c := range []struct {
			ranks, threads, block int
			method                string
			renumber              bool
		}{{1, 1, 1000, "auto", false}, {1, 3, 50, "auto", true}, {2, 2, 20, "bisect", false}, {3, 1, 1000, "graph", true}, {7, 2, 9, "contiguous", false}} {
			got := make([][]float64, c.ranks)
			err := op2.RunRanks(c.ranks, func(rank op2.Option) error {
				rt, err := op2.Open(rank, op2.WithBackend(backend), op2.WithSameBits(true), op2.WithPartitioner(op2.Partitioner(c.method)), op2.WithThreads(c.threads), op2.WithBlockSize(c.block))
				if err != nil {
					return err
				}
				defer rt.Close()
				f, err := New(rt, m, map[bool]Numbering{true: ByCoordinates}[c.renumber])
				if err != nil {
					return err
				}
				at := rt.Rank()
				for range 50 {
					rms, err := f.Iterate()
					if err != nil {
						return err
					}
					got[at] = append(got[at], rms)
				}
				q, err := f.Q()
				got[at] = append(got[at], q...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got[0]
			}
			for rank := range got {
				if !slices.Equal(got[rank], want) {
					t.Errorf("%s, %+v: rank %d has other bits", backend, c, rank)
				}
			}
		}
	}
}
