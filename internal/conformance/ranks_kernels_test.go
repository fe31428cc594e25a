package conformance

import (
	_ "embed"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/loop"
)

//go:embed ranks_kernels_test.go
var rankSource string

func rankGather(a, b, out *uint64) { *out = *a*3 + *b*5 + 1 }

func rankUpdate(a, x *uint64) { *x = *x*7 + *a }

func rankAdd(a, x, y *uint64) {
	*x += *a
	*y += *a*2 + 1
}

func rankBounds(a, low, high *uint64) {
	*low = *a
	*high = *a * 3
}

func rankReduce(a, sum, low, high *uint64) {
	*sum += *a
	*low = min(*low, *a)
	*high = max(*high, *a)
}

func rankFlux(a, x, sum *uint64) {
	*x += *a
	*sum += *a
}

func rankScale(factor, a, x *uint64) { *x = *a**factor + 2 }

func rankPacked(v *[3]uint64, x *uint64) { *x = *x + v[0] + 3*v[1] + 5*v[2] }

func rankSpread(a *uint64, v, w *[3]uint64) {
	for i := range w {
		w[i] += *a*uint64(i+1) + v[2-i]
	}
}

func rankNumber(n *int, x *uint64) { *x += uint64(*n)*5 + 1 }

func rankTriple(a, b, out *[3]uint16) {
	for i := range out {
		out[i] += a[i]*3 + b[2-i]
	}
}

// rankKernel is a kernel of random loops.
type rankKernel struct {
	*op2.Kernel
	params []rankParam
	// do computes the same with values of any type: by parameter, those of each row.
	do func(number int, v [][]uint64)
}

// rankParam is a parameter of such a kernel.
type rankParam struct {
	access []loop.Access // that it may have; nil: op2.Index
	ways   []rankWay
	dim    int // 3: of uint16, else of uint64
}

// rankWay is a way from elements to values.
type rankWay int

const (
	direct  rankWay = iota
	through         // a component of a map
	once            // a map that leads to each element once at most
	packed          // a map of arity 3
	global
)

var (
	anywhere = []rankWay{direct, through, through, once}
	apart    = []rankWay{direct, once}
	reading  = []loop.Access{loop.Read}
)

func rankParams(access []loop.Access, ways []rankWay) rankParam { return rankParam{access, ways, 1} }

var rankKernels = []rankKernel{
	{op2.Kernels(rankSource).Func(rankGather),
		[]rankParam{rankParams(reading, anywhere), rankParams(reading, anywhere), rankParams([]loop.Access{loop.Write}, apart)},
		func(_ int, v [][]uint64) { v[2][0] = v[0][0]*3 + v[1][0]*5 + 1 }},
	{op2.Kernels(rankSource).Func(rankUpdate),
		[]rankParam{rankParams(reading, anywhere), rankParams([]loop.Access{loop.RW}, apart)},
		func(_ int, v [][]uint64) { v[1][0] = v[1][0]*7 + v[0][0] }},
	{op2.Kernels(rankSource).Func(rankAdd),
		[]rankParam{rankParams(reading, anywhere), rankParams([]loop.Access{loop.Inc}, anywhere), rankParams([]loop.Access{loop.Inc}, anywhere)},
		func(_ int, v [][]uint64) { v[1][0] += v[0][0]; v[2][0] += v[0][0]*2 + 1 }},
	{op2.Kernels(rankSource).Func(rankBounds),
		[]rankParam{rankParams(reading, anywhere), rankParams([]loop.Access{loop.Min}, anywhere), rankParams([]loop.Access{loop.Max}, anywhere)},
		func(_ int, v [][]uint64) { v[1][0] = v[0][0]; v[2][0] = v[0][0] * 3 }},
	{op2.Kernels(rankSource).Func(rankReduce),
		[]rankParam{rankParams(reading, anywhere), rankParams([]loop.Access{loop.Inc}, []rankWay{global}), rankParams([]loop.Access{loop.Min}, []rankWay{global}), rankParams([]loop.Access{loop.Max}, []rankWay{global})},
		func(_ int, v [][]uint64) { v[1][0] += v[0][0]; v[2][0] = v[0][0]; v[3][0] = v[0][0] }},
	{op2.Kernels(rankSource).Func(rankFlux),
		[]rankParam{rankParams(reading, anywhere), rankParams([]loop.Access{loop.Inc}, []rankWay{through}), rankParams([]loop.Access{loop.Inc}, []rankWay{global})},
		func(_ int, v [][]uint64) { v[1][0] += v[0][0]; v[2][0] += v[0][0] }},
	{op2.Kernels(rankSource).Func(rankScale),
		[]rankParam{rankParams(reading, []rankWay{global}), rankParams(reading, anywhere), rankParams([]loop.Access{loop.Write}, apart)},
		func(_ int, v [][]uint64) { v[2][0] = v[1][0]*v[0][0] + 2 }},
	{op2.Kernels(rankSource).Func(rankPacked),
		[]rankParam{rankParams(reading, []rankWay{packed}), rankParams([]loop.Access{loop.RW}, apart)},
		func(_ int, v [][]uint64) { v[1][0] += v[0][0] + 3*v[0][1] + 5*v[0][2] }},
	{op2.Kernels(rankSource).Func(rankSpread),
		[]rankParam{rankParams(reading, anywhere), rankParams(reading, []rankWay{packed}), rankParams([]loop.Access{loop.Inc}, []rankWay{packed})},
		func(_ int, v [][]uint64) {
			for i := range 3 {
				v[2][i] += v[0][0]*uint64(i+1) + v[1][2-i]
			}
		}},
	{op2.Kernels(rankSource).Func(rankNumber),
		[]rankParam{{}, rankParams([]loop.Access{loop.RW, loop.Inc}, apart)},
		func(number int, v [][]uint64) { v[1][0] += uint64(number)*5 + 1 }},
	{op2.Kernels(rankSource).Func(rankTriple),
		[]rankParam{{reading, anywhere, 3}, {reading, anywhere, 3}, {[]loop.Access{loop.RW, loop.Inc}, apart, 3}},
		func(_ int, v [][]uint64) {
			for i := range 3 {
				v[2][i] += v[0][i]*3 + v[1][2-i]
			}
		}},
	{op2.Kernels(rankSource).Func(rankTriple),
		[]rankParam{{reading, anywhere, 3}, {reading, anywhere, 3}, {[]loop.Access{loop.Inc}, []rankWay{through}, 3}},
		func(_ int, v [][]uint64) {
			for i := range 3 {
				v[2][i] += v[0][i]*3 + v[1][2-i]
			}
		}},
}
