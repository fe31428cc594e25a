package partition

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/order"
)

// The ranks' parts of the graph that a map makes are those of the whole graph.
func TestSharedGraph(t *testing.T) {
	const n, rows, ranks = 60, 90, 4
	r := rand.New(rand.NewPCG(1, 2))
	for _, arity := range []int{2, 4, 9} {
		m := &order.Mesh{Sets: []order.Set{{Size: rows}, {Size: n}}, Maps: []order.Map{{From: 0, To: 1, Arity: arity}}}
		for range rows * arity {
			m.Maps[0].Values = append(m.Maps[0].Values, int32(r.IntN(n)))
		}
		starts := [][]int64{{0, 5, 5, 80, rows}, {0, 20, 30, 30, n}}
		got, errs := onRanks(ranks, func(c comm.Comm) ([]int32, error) {
			part := share(m, starts, c.Rank())
			first, targets, err := sharedGraph(c, &part.Maps[0], &part.Sets[1])
			var flat []int32
			for e := range len(first) - 1 {
				flat = append(flat, -1)
				for _, other := range targets[first[e]:first[e+1]] {
					flat = append(flat, int32(other))
				}
			}
			return flat, err
		})
		whole := newGraph(&m.Maps[0], n)
		var want []int32
		for e := range n {
			want = append(append(want, -1), whole.targets[whole.starts[e]:whole.starts[e+1]]...)
		}
		if all := slices.Concat(got...); !slices.Equal(all, want) || fmt.Sprint(errs) != "[<nil> <nil> <nil> <nil>]" {
			t.Errorf("arity %d: %v\n%v\nwant\n%v", arity, errs, all, want)
		}
	}
}
