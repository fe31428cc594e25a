package flow

import (
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// The flow does not depend on the number of ranks, nor on how the mesh is declared.
func TestRanks(t *testing.T) {
	m, err := mesh.NACA0012(40, 30)
	if err != nil {
		t.Fatal(err)
	}
	for _, backend := range []string{"go", "sequential", "openmp", "opencl", "standin"} {
		optest.OpenBackend(t, backend) // skips where it is missing
		var want []float64
		for _, n := range []int{1, 2, 3, 7} {
			for _, method := range []string{"contiguous", "graph", "bisect", "shares"} {
				if backend != "go" && (n > 3 || method != "bisect" && method != "shares") {
					continue // ranks exchange the same
				}
				got := make([][]float64, n)
				err := op2.RunRanks(n, func(rank op2.Option) error {
					options := []op2.Option{rank, op2.WithBackend(backend)}
					if backend == "opencl" || backend == "standin" {
						options = append(options, optest.Unoptimized())
					}
					if method != "shares" {
						options = append(options, op2.WithPartitioner(op2.Partitioner(method)))
					}
					rt, err := op2.Open(options...)
					if err != nil {
						return err
					}
					defer rt.Close()
					var f *Flow
					if method == "shares" {
						share, wrong := mesh.NACA0012Share(40, 30, rt.Rank(), n)
						if wrong != nil {
							return wrong
						}
						f, err = NewShare(rt, share)
					} else {
						f, err = New(rt, m, map[string]Numbering{"bisect": ByCoordinates}[method])
					}
					if err != nil {
						return err
					}
					for range 20 {
						rms, err := f.Iterate()
						if err != nil {
							return err
						}
						got[rt.Rank()] = append(got[rt.Rank()], rms)
					}
					q, err := f.Q()
					got[rt.Rank()] = append(got[rt.Rank()], q...)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got[0]
				}
				for r := range got {
					worst := 0.0
					for i := range want {
						worst = max(worst, math.Abs(got[r][i]-want[i]))
					}
					if !(worst < 1e-12) {
						t.Errorf("%s, %d ranks, %s: values of rank %d differ by %g", backend, n, method, r, worst)
					}
				}
			}
		}
	}
}
