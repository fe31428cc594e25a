package mesh_test

import (
	_ "embed"
	"fmt"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed declare_ranks_test.go
var ranksSource string

func addMidpoint(x *[2][2]float64, sum *[2]float64) {
	sum[0] += (x[0][0] + x[1][0]) / 2
	sum[1] += (x[0][1] + x[1][1]) / 2
}

// Groups are the same subsets before and after the mesh has been distributed, renumbered or not.
func TestGroupsOnRanks(t *testing.T) {
	for _, renumber := range []bool{false, true} {
		for _, ranks := range []int{1, 3} {
			err := op2.RunRanks(ranks, func(rank op2.Option) error {
				m, err := mesh.Rectangle(mesh.Triangle, 5, 4, 5, 4)
				if err != nil {
					return err
				}
				rt, err := op2.Open(rank, op2.WithBackend("go"))
				if err != nil {
					return err
				}
				defer rt.Close()
				d := op2.Declare(rt)
				square := m.Declare(d, mesh.WithEdges())
				before := square.BoundaryOf("right")
				if renumber {
					d.Check(rt.Renumber(square.X))
				}
				d.Check(rt.Partition(square.X))
				after := square.BoundaryOf("top")
				for _, c := range []struct {
					part *op2.Subset
					n    int
					want string
				}{{before, 4, "[20 8]"}, {after, 5, "[12.5 20]"}} {
					sum := op2.DeclareGlobal(d, []float64{0, 0}, "sum")
					d.Check(op2.ParLoop(op2.Kernels(ranksSource).Func(addMidpoint), c.part, square.X.Read(square.BedgeNodes), sum.Inc()))
					values, err := sum.Data()
					if err != nil || c.part.Size() != c.n || fmt.Sprint(values) != c.want {
						return fmt.Errorf("%s: %d edges, sums %v, want %d and %s: %v", c.part, c.part.Size(), values, c.n, c.want, err)
					}
				}
				return d.Err()
			})
			if err != nil {
				t.Errorf("renumbered %t, %d ranks: %v", renumber, ranks, err)
			}
		}
	}
}
