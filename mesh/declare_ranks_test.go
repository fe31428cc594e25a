package mesh_test

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

//go:embed declare_ranks_test.go
var ranksSource string

func addMidpoint(x *[2][2]float64, sum *[2]float64) {
	sum[0] += (x[0][0] + x[1][0]) / 2
	sum[1] += (x[0][1] + x[1][1]) / 2
}

func addToNodes(at *[3]float64, cell *float64) {
	for i := range at {
		at[i] += *cell
	}
}

// The first loop orders a mesh in memory unless its order is a good one, and no number changes.
func TestDeclareOrders(t *testing.T) {
	grid := optest.Must(mesh.Rectangle(mesh.Triangle, 70, 70, 1, 1))
	shuffled := optest.Must(mesh.Rectangle(mesh.Triangle, 70, 70, 1, 1))
	nodes := shuffled.Blocks[0].Nodes
	rand.New(rand.NewPCG(1, 2)).Shuffle(shuffled.Cells(), func(i, j int) {
		for k := range 3 {
			nodes[3*i+k], nodes[3*j+k] = nodes[3*j+k], nodes[3*i+k]
		}
	})
	for _, c := range []struct {
		name    string
		mesh    *mesh.Mesh
		option  mesh.DeclareOption
		ordered bool
	}{
		{"rows", grid, nil, false},
		{"disc", optest.Must(mesh.Disc(mesh.Triangle, 40, 1)), nil, false},
		{"box", optest.Must(mesh.Box(mesh.Tetrahedron, 12, 12, 12, 1, 1, 1)), nil, false},
		{"shuffled", shuffled, nil, true},
		{"kept", shuffled, mesh.KeepOrder(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			rt := optest.OpenBackend(t, "go", op2.WithBlockSize(256))
			m := c.mesh.Declare(rt, c.option)
			if m.CellNodes.Arity() != 3 {
				var some []int32
				for i := range c.mesh.Cells() {
					some = append(some, c.mesh.Blocks[0].Element(i)[:3]...)
				}
				m.CellNodes = op2.NewMap(m.Cells, m.Nodes, 3, some, "some")
			}
			cell := op2.NewDat[float64](m.Cells, 1, nil, "cell")
			sum := op2.NewDat[float64](m.Nodes, 1, nil, "sum")
			values := optest.Must(cell.Data())
			loop := op2.NewLoop(op2.Kernels(ranksSource).Func(addToNodes), m.Cells, sum.Inc(m.CellNodes), cell.Read())
			optest.OK(t, rt.Err())
			for i := range values {
				values[i] = float64(i)
			}
			optest.OK(t, loop.Compute())
			numbers := (*entity.Set)(m.Cells).StoredNumbers()
			if slices.IsSorted(numbers) == c.ordered {
				t.Errorf("ordered: %v", !c.ordered)
			}
			if plan := loop.Plan(); c.ordered && plan.Colors > 4 {
				t.Errorf("%d blocks have %d colors", plan.Blocks, plan.Colors)
			}
			want := make([]float64, m.Nodes.Size())
			for i, n := range m.CellNodes.Values() {
				want[n] += float64(i / 3)
			}
			if got := optest.Must(sum.DataRO()); !slices.Equal(got, want) {
				t.Error("other sums at the nodes")
			}
		})
	}
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
				steps := optest.Steps(rt)
				square := m.Declare(rt, mesh.WithEdges())
				before := square.BoundaryOf("right")
				if renumber {
					steps.Check(rt.Renumber(square.X))
				}
				steps.Check(rt.Partition(square.X))
				after := square.BoundaryOf("top")
				for _, c := range []struct {
					part *op2.Subset
					n    int
					want string
				}{{before, 4, "[20 8]"}, {after, 5, "[12.5 20]"}} {
					sum := op2.NewGlobal(rt, []float64{0, 0}, "sum")
					steps.Check(op2.ParLoop(op2.Kernels(ranksSource).Func(addMidpoint), c.part, square.X.Read(square.BedgeNodes), sum.Inc()))
					values, err := sum.Data()
					if err != nil || c.part.Size() != c.n || fmt.Sprint(values) != c.want {
						return fmt.Errorf("%s: %d edges, sums %v, want %d and %s: %v", c.part.Name(), c.part.Size(), values, c.n, c.want, err)
					}
				}
				return steps.Err()
			})
			if err != nil {
				t.Errorf("renumbered %t, %d ranks: %v", renumber, ranks, err)
			}
		}
	}
}
