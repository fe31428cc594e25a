package lower_test

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// The loop of docs/rationale.md, on the host and on a device that adds atomically.
func Example() {
	k, _ := fromgo.Parse(`package kernels
func spread(q *[2]float64, res *[2]float64, largest *float64) {
	res[0] += q[0]
	res[1] -= q[1]
	*largest = q[0]
}`).Kernel("spread", "spread.go", 0)
	kernel.Analyze(k, nil)
	l := &loop.Loop{
		Args: []loop.Arg{arg(loop.Read, 0, loop.Direct, 0), arg(loop.Inc, 1, 0, 1), global(loop.Max, 2)},
		Data: []loop.Data{dat(loop.Float64, 2), dat(loop.Float64, 2), {Kind: loop.Global, Type: loop.Float64, Dim: 1}},
		Maps: []loop.Map{{Arity: 2}},
	}
	fmt.Println(lower.Lower(l, k, lower.Target{Pointers: true, AddsFrom: 1, Alone: true}))
	fmt.Println(lower.Lower(l, k, lower.Target{Apart: true, AddsFrom: 1, Collisions: lower.Atomically}))
	// Output:
	// local   largest_partial [1]float64, of the loop
	// local   largest_share [1]float64
	// begin   largest_partial = data2
	// before  largest_share = largest_partial
	// call    spread(&data0[n], &data1[map0[1]], &largest_share)
	// after   largest_partial max= largest_share
	// finish  data2 = largest_partial
	// maps    0
	//
	// local   q_copy [2]float64
	// local   res_copy [2]float64
	// local   largest_partial [1]float64, of the loop
	// local   largest_share [1]float64
	// begin   largest_partial = data2
	// before  q_copy = data0[n]
	// before  res_copy = 0
	// before  largest_share = largest_partial
	// call    spread(&q_copy, &res_copy, &largest_share)
	// after   largest_partial max= largest_share
	// collide data1[map0[1]] += res_copy, atomically
	// finish  data2 max= largest_partial
	// maps    0
}
