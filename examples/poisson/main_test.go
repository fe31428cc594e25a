package main

import (
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/mesh"
)

// way is a way to run the loops, and the numbers of squares along a side.
type way struct {
	backend, strategy string
	sizes             []int
}

// The error decreases with the square of the size of the triangles, at the nodes and in L2.
func TestSecondOrder(t *testing.T) {
	secondOrder(t, []way{
		{"go", "", []int{8, 16, 32, 64}},
		{"auto", "", []int{8, 16, 32, 64}},
		{"opencl", "auto", []int{8, 16, 32}},
		{gputest.Standin, "auto", []int{6, 12}},
	})
}

// So it does in the other ways in which devices may run the loops.
func TestHeavySecondOrder(t *testing.T) {
	heavy.Test(t)
	var ways []way
	for _, strategy := range []string{"staged", "atomic", "global-color", "gather", "measure"} {
		ways = append(ways, way{"opencl", strategy, []int{8, 16, 32, 64, 128}}, way{gputest.Standin, strategy, []int{6, 12, 24}})
	}
	secondOrder(t, ways)
}

func secondOrder(t *testing.T, ways []way) {
	for _, test := range ways {
		t.Run(test.backend+"/"+test.strategy, func(t *testing.T) {
			if test.strategy != "" {
				gputest.Require(t, test.backend)
			}
			var rms, l2 []float64
			for _, n := range test.sizes {
				rt, err := op2.Open(op2.WithBackend(test.backend), op2.WithStrategy(op2.Strategy(test.strategy)), op2.WithLog(nil))
				if err != nil {
					t.Fatal(err)
				}
				m := optest.Must(mesh.Rectangle(mesh.Triangle, n, n, 1, 1))
				u, e, err := solve(rt, m)
				if err != nil {
					t.Fatal(err)
				}
				if err := rt.Close(); err != nil {
					t.Fatal(err)
				}
				rms, l2 = append(rms, e), append(l2, distance(m, u))
			}
			for i := range len(l2) - 1 {
				nodes, everywhere := math.Log2(rms[i]/rms[i+1]), math.Log2(l2[i]/l2[i+1])
				if within := []float64{0.15, 0.1}[min(i, 1)]; math.Abs(nodes-2) > within || math.Abs(everywhere-2) > 0.1 {
					t.Errorf("refinement %d: order %.3f in the nodes, %.3f in L2", i+1, nodes, everywhere)
				}
			}
		})
	}
}

// distance returns the L2 norm of the difference between u and the solution, by the formula of the
// sides' midpoints.
func distance(m *mesh.Mesh, u []float64) float64 {
	sum := 0.0
	for c := range m.Cells() {
		n := m.Blocks[0].Element(c)
		for i := range 3 {
			p, q := n[i], n[(i+1)%3]
			d := (u[p]+u[q])/2 - exact((m.Points[2*p]+m.Points[2*q])/2, (m.Points[2*p+1]+m.Points[2*q+1])/2)
			sum += d * d / float64(3*m.Cells())
		}
	}
	return math.Sqrt(sum)
}
