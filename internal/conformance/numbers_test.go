package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// On several ranks, numbers are those of the whole mesh.
func TestDeclaredNumbersOnRanks(t *testing.T) {
	const n, m = 60, 40
	to := optest.NewTopology(n, m).Anywhere(2)
	want := make([]int64, m)
	for e := range n {
		want[to[2*e]] += int64(e*e + 1)
		if e%3 == 0 {
			want[to[2*e]] += int64(e*e + 1)
		}
	}
	for _, renumber := range []bool{false, true} {
		optest.OK(t, op2.RunRanks(3, func(rank op2.Option) error {
			rt := optest.Must(op2.Open(rank, op2.WithBackend("go"), op2.WithLog(nil)))
			defer rt.Close()
			edges, nodes := rt.NewSet(n, "edges"), rt.NewSet(m, "nodes")
			edge2node := op2.NewMap(edges, nodes, 2, to, "edge2node")
			sum := op2.NewDat[int64](nodes, 1, nil, "sum")
			var some []int
			for e := 0; e < n; e += 3 {
				some = append(some, e)
			}
			few := op2.NewSubset(edges, some, "few")
			if renumber {
				if err := rt.Renumber(); err != nil {
					return err
				}
			}
			for _, over := range []op2.IterationSet{edges, few} {
				if err := op2.ParLoop(kernels.Func(squares), over, op2.Index(), sum.Inc(edge2node.At(0))); err != nil {
					return err
				}
			}
			got, err := sum.InDeclaredOrder()
			if err == nil && !slices.Equal(got, want) {
				err = fmt.Errorf("got %v, want %v", got, want)
			}
			return err
		}))
	}
}
