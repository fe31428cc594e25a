package conformance

import (
	_ "embed"
	"math"
	"sync"

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

// rankFactor is a const, which programs change in turns.
var (
	rankFactor     uint64
	rankFactorTurn sync.Mutex
)

func rankTimes(a, x *uint64) { *x = *a*rankFactor + 3 }

func rankBlend(a *[2]float64, b *float32, out *[2]float64) {
	x, y := a[0], float64(*b)
	if x > 1000 {
		x = 1000
	}
	if y > 1000 {
		y = 1000
	}
	out[0] = math.Floor((x + y) / 2)
	out[1] = a[1] + 1
}

func rankShed(a *[2]float64, x *float32, y *[2]float64) {
	v := a[0]
	if v > 20 {
		v = 20
	}
	*x += float32(v)
	y[0] += v
	y[1] += 1
}

func rankLeast(a *float32, low, high *[2]float64) {
	low[0] = float64(*a)
	low[1] = float64(*a) + 1
	high[0] = float64(*a)
	high[1] = float64(*a) + 2
}

// rankRecord is a value of two types, with a gap between them.
type rankRecord struct {
	Part  uint16
	Whole uint64
}

func rankPut(a *uint64, r *rankRecord) {
	r.Whole += *a
	r.Part = r.Part*3 + uint16(*a)
}

func rankTake(r, s *rankRecord, x *uint64) { *x = r.Whole + uint64(s.Part) }

// rankKernel is a kernel of random loops.
type rankKernel struct {
	*op2.Kernel
	params []rankParam
	// do computes the same with values of any type: by parameter, those of each row.
	do func(number int, v [][]uint64)
}

// factored reports whether the kernel reads rankFactor.
func (k *rankKernel) factored() bool { return k.Name() == "rankTimes" }

// rankParam is a parameter of such a kernel.
type rankParam struct {
	access []loop.Access // that it may have; nil: op2.Index
	ways   []rankWay
	kind   rankKind
}

// rankKind is a type of values.
type rankKind int

const (
	word   rankKind = iota // uint64
	short                  // three uint16
	wide                   // two float64
	single                 // float32
	record                 // rankRecord
	kinds  = iota
)

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

func rankParams(access []loop.Access, ways []rankWay) rankParam {
	return rankParam{access, ways, word}
}

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
		[]rankParam{{reading, anywhere, short}, {reading, anywhere, short}, {[]loop.Access{loop.RW, loop.Inc}, apart, short}},
		func(_ int, v [][]uint64) {
			for i := range 3 {
				v[2][i] += v[0][i]*3 + v[1][2-i]
			}
		}},
	{op2.Kernels(rankSource).Func(rankTriple),
		[]rankParam{{reading, anywhere, short}, {reading, anywhere, short}, {[]loop.Access{loop.Inc}, []rankWay{through}, short}},
		func(_ int, v [][]uint64) {
			for i := range 3 {
				v[2][i] += v[0][i]*3 + v[1][2-i]
			}
		}},
	{op2.Kernels(rankSource).Func(rankTimes),
		[]rankParam{rankParams(reading, anywhere), rankParams([]loop.Access{loop.Write}, apart)},
		func(_ int, v [][]uint64) { v[1][0] = v[0][0]*rankFactor + 3 }},
	{op2.Kernels(rankSource).Func(rankBlend),
		[]rankParam{{reading, anywhere, wide}, {reading, anywhere, single}, {[]loop.Access{loop.Write}, apart, wide}},
		func(_ int, v [][]uint64) { v[2][0], v[2][1] = (min(v[0][0], 1000)+min(v[1][0], 1000))/2, v[0][1]+1 }},
	{op2.Kernels(rankSource).Func(rankShed),
		[]rankParam{{reading, anywhere, wide}, {[]loop.Access{loop.Inc}, anywhere, single}, {[]loop.Access{loop.Inc}, anywhere, wide}},
		func(_ int, v [][]uint64) {
			x := min(v[0][0], 20)
			v[1][0] += x
			v[2][0] += x
			v[2][1]++
		}},
	{op2.Kernels(rankSource).Func(rankLeast),
		[]rankParam{{reading, anywhere, single}, {[]loop.Access{loop.Min}, anywhere, wide}, {[]loop.Access{loop.Max}, anywhere, wide}},
		func(_ int, v [][]uint64) {
			a := v[0][0]
			v[1][0], v[1][1], v[2][0], v[2][1] = a, a+1, a, a+2
		}},
	{op2.Kernels(rankSource).Func(rankPut),
		[]rankParam{rankParams(reading, anywhere), {[]loop.Access{loop.RW}, apart, record}},
		func(_ int, v [][]uint64) {
			v[1][1] += v[0][0]
			v[1][0] = v[1][0]*3 + v[0][0]
		}},
	{op2.Kernels(rankSource).Func(rankTake),
		[]rankParam{{reading, anywhere, record}, {reading, anywhere, record}, rankParams([]loop.Access{loop.Write}, apart)},
		func(_ int, v [][]uint64) { v[2][0] = v[0][1] + v[1][0] }},
}

func rankCopy(r, most *rankRecord) { *most = *r }

func rankMost(into, from *rankRecord) {
	if from.Whole > into.Whole {
		*into = *from
	}
}
