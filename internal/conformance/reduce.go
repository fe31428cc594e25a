package conformance

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed reduce.go
var reduceSource string

// Records mix types; operations combine them, or plain numbers.
type (
	nearest struct {
		Distance float64
		Cell     int32
		Found    bool
	}
	tally struct { // no two fields of one size
		Sum   float64
		Count int32
		Sign  int16
		Kind  [2]int8
	}
	logSum   struct{ Most, Sum float64 } // Sum·exp(Most)
	rotation struct{ Re, Im float32 }    // a complex number
)

// closer is the minimum by distance and number.
func closer(into, from *nearest) {
	if from.Found && (!into.Found || from.before(into)) {
		*into = *from
	}
}

func (n *nearest) before(other *nearest) bool {
	return n.Distance < other.Distance || n.Distance == other.Distance && n.Cell < other.Cell
}

// nothing is the identity of closer.
var nothing = nearest{Distance: math.Inf(1)}

// product is that of complex numbers.
func product(into, from *rotation) { *into = into.times(*from) }

func (r rotation) times(s rotation) rotation {
	return rotation{r.Re*s.Re - r.Im*s.Im, r.Re*s.Im + r.Im*s.Re}
}

// scale multiplies numbers, which wrap.
func scale(into, from *uint16) { *into *= *from }

// addLogs adds exponentials, without overflow.
func addLogs(into, from *logSum) {
	most := max(into.Most, from.Most)
	if math.IsInf(most, -1) {
		return
	}
	into.Sum = into.Sum*math.Exp(into.Most-most) + from.Sum*math.Exp(from.Most-most)
	into.Most = most
}

// larger has no struct, and a function to call.
func larger(into, from *int32) { *into = greater(*into, *from) }

func greater(a, b int32) int32 {
	if a > b {
		return a
	}
	return b
}

// cLarger is larger in C.
const cLarger = `void larger(int32_t *into, const int32_t *from)
{
	if (*from > *into)
		*into = *from;
}`

// conformReduce reduces globals and dats by operations, and moves and adds up records.
func conformReduce(t *testing.T, open optest.Opener) {
	optest.Parallel(t)
	for _, n := range []int{0, 1, 900} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { conformReduceOver(t, open(t), n) })
	}
	for _, n := range []int{0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 700} {
		t.Run(fmt.Sprint("numbers of ", n), func(t *testing.T) { conformReducePacks(t, open(t, op2.WithSIMD(op2.On)), n) })
	}
}

// conformReducePacks reduces by operations of numbers, in packs where the backend has them: each element's result counts
// once, in globals and in dats, directly, through one component of a map, and through both.
func conformReducePacks(t *testing.T, rt *op2.Runtime, n int) {
	const m = 40
	mesh := optest.NewTopology(n, m)
	cells, nodes := optest.NewSet(t, rt, n, "cells"), optest.NewSet(t, rt, m, "nodes")
	ends, x := mesh.Anywhere(2), make([]float64, n)
	for i := range x {
		x[i] = float64(mesh.Random.IntN(500))
	}
	cell2node := optest.NewMap(t, cells, nodes, 2, ends, "cell2node")
	turn, tag, high, own, most, all := []rotation{{0, 2}}, []uint16{3, 5}, []int32{-7}, make([]int32, n), make([]float64, m), make([]logSum, m)
	for i := range all {
		all[i] = logSum{0, 1}
	}
	gTurn, gTag, gHigh := optest.NewGlobal(t, rt, "turn", turn...), optest.NewGlobal(t, rt, "tag", tag...), optest.NewGlobal(t, rt, "high", high...)
	dX, dOwn, dMost, dAll := optest.NewDat(t, cells, 1, x, "x"), optest.NewDat(t, cells, 1, own, "own"), optest.NewDat(t, nodes, 1, most, "most"), optest.NewDat(t, nodes, 1, all, "all")
	k := op2.Kernels(reduceSource)
	l := op2.NewLoop(k.Func(heap), cells, dX.Read(), gTurn.Reduce(k.Func(product), rotation{1, 0}), gTag.Reduce(k.Func(scale), 1),
		gHigh.Reduce(ckernel.New("larger", cLarger), math.MinInt32), dOwn.Reduce(k.Func(larger), math.MinInt32),
		dMost.Reduce(k.Func(further), -1, cell2node.At(1)), dAll.Reduce(k.Func(addLogs), logSum{Most: math.Inf(-1)}, cell2node))
	if err := l.Compute(); err != nil {
		t.Fatal(err)
	}
	if how := l.Stats().How; n > 0 && rt.Backend() == "sequential" && strings.Contains(how, "function") {
		t.Errorf("it runs %s", how)
	}

	sums := make([]float64, m)
	for i := range sums {
		sums[i] = 1
	}
	for e, v := range x {
		r := math.Sqrt(v)
		if r > 10 {
			turn[0] = turn[0].times(rotation{0, 1})
			tag[1] *= 3
			high[0] = max(high[0], int32(v))
		}
		tag[0] *= uint16(v)*2 + 1
		own[e] = max(own[e], int32(r))
		most[ends[2*e+1]] = max(most[ends[2*e+1]], v*v)
		sums[ends[2*e]] += math.Exp(v / 100)
		sums[ends[2*e+1]] += 2 * math.Exp(r/100)
	}
	optest.Expect(t, gTurn, turn)
	optest.Expect(t, gTag, tag)
	optest.Expect(t, gHigh, high)
	optest.Expect(t, dOwn, own)
	optest.Expect(t, dMost, most)
	for i, got := range optest.Values(t, dAll) {
		if math.Abs(got.Most+math.Log(got.Sum)-math.Log(sums[i])) > 1e-12 {
			t.Errorf("the logarithm of the sum of exponentials at node %d is %v, want %v", i, got.Most+math.Log(got.Sum), math.Log(sums[i]))
		}
	}
}

// further is the maximum of numbers that are not negative.
func further(into, from *float64) {
	if *from > *into {
		*into = *from
	}
}

// heap leaves something for each of its reductions, for the first ones not at all elements.
func heap(x *float64, turn *rotation, tag *[2]uint16, high, own *int32, most *float64, all *[2]logSum) {
	r := math.Sqrt(*x)
	if r > 10 {
		*turn = rotation{0, 1}
		tag[1] = 3
		*high = int32(*x)
	}
	tag[0] = uint16(*x)*2 + 1
	*own = int32(r)
	*most = *x * *x
	all[0] = logSum{*x / 100, 1}
	all[1] = logSum{r / 100, 2}
}

func conformReduceOver(t *testing.T, rt *op2.Runtime, n int) {
	const m = 200
	mesh := optest.NewTopology(n, m)
	random := mesh.Random.IntN
	cells, nodes := optest.NewSet(t, rt, n, "cells"), optest.NewSet(t, rt, m, "nodes")
	ends := mesh.Anywhere(2)
	cell2node := optest.NewMap(t, cells, nodes, 2, ends, "cell2node")
	x, at, tallies := make([]float64, n), make([]nearest, 2*m), make([]tally, m)
	for i := range x {
		x[i] = float64(random(500))
	}
	for i := range at {
		at[i] = nearest{float64(random(600)), int32(-random(5)), i%3 > 0}
	}
	for i := range tallies {
		tallies[i] = tally{float64(random(9)), int32(random(9)), int16(random(9)), [2]int8{int8(random(9)), 1}}
	}
	best, turn, tag, logs := []nearest{nothing, {60, -3, true}}, []rotation{{0, 2}}, []uint16{3, 5}, []logSum{{math.Log(2), 1}}
	high, total := []int32{-7}, tallies[:1:1]
	total = slices.Clone(total)

	dX, dAt, dTallies := optest.NewDat(t, cells, 1, x, "x"), optest.NewDat(t, nodes, 2, at, "at"), optest.NewDat(t, nodes, 1, tallies, "tallies")
	own := optest.NewDat[tally](t, cells, 1, nil, "own")
	highs := make([]int32, m)
	dHighs := optest.NewDat(t, nodes, 1, highs, "highs")
	gBest, gTurn, gTag := optest.NewGlobal(t, rt, "best", best...), optest.NewGlobal(t, rt, "turn", turn...), optest.NewGlobal(t, rt, "tag", tag...)
	gLogs, gHigh, gTotal := optest.NewGlobal(t, rt, "logs", logs...), optest.NewGlobal(t, rt, "high", high...), optest.NewGlobal(t, rt, "total", total...)

	k := op2.Kernels(reduceSource)
	closer, larger, highest := k.Func(closer), k.Func(larger), ckernel.New("larger", cLarger)
	optest.Run(t, k.Func(search), cells, op2.Index(), dX.Read(), gBest.Reduce(closer, nothing), gTurn.Reduce(k.Func(product), rotation{1, 0}),
		gTag.Reduce(k.Func(scale), 1), gLogs.Reduce(k.Func(addLogs), logSum{Most: math.Inf(-1)}))
	optest.Run(t, k.Func(spread), cells, op2.Index(), dX.Read(), dAt.Reduce(closer, nothing, cell2node), gHigh.Reduce(highest, math.MinInt32),
		dHighs.Reduce(larger, math.MinInt32, cell2node.At(1)))
	optest.Run(t, k.Func(count), cells, op2.Index(), dX.Read(), dAt.Read(cell2node), own.Write(), dTallies.Inc(cell2node), gTotal.Inc())

	ownValues := make([]tally, n)
	sum := 2.0
	for e := range n {
		a, b := ends[2*e], ends[2*e+1]
		turn[0] = turn[0].times([]rotation{{0, 1}, {1, 0}, {-1, 0}, {1, 0}}[e%4])
		tag[0] *= uint16(e)*2 + 1
		sum += math.Exp(x[e] / 100)
		for d := range 2 {
			combine(&best[d], nearest{x[e], int32(e), d == 0 || e%2 == 1})
			combine(&at[2*a+int32(d)], nearest{x[e] + float64(d), int32(e), true})
		}
		combine(&at[2*b], nearest{x[e] / 2, int32(e), e%5 == 0})
		high[0], highs[b] = max(high[0], int32(x[e])), max(highs[b], int32(e))
	}
	for e := range n {
		a, b := ends[2*e], ends[2*e+1]
		v := tally{x[e], at[2*a].Cell, int16(e), [2]int8{int8(e), 0}}
		if at[2*b+1].Found {
			v.Kind[1] = 1
		}
		ownValues[e] = v
		for i, to := range []*tally{&tallies[a], &tallies[b], &total[0]} {
			to.Sum += v.Sum * float64(i+1)
			to.Count += int32(i)
			to.Sign -= v.Sign
			to.Kind[1] += v.Kind[0]
		}
	}
	optest.Expect(t, gBest, best)
	optest.Expect(t, gTurn, turn)
	optest.Expect(t, gTag, tag)
	optest.Expect(t, gHigh, high)
	optest.Expect(t, dAt, at)
	optest.Expect(t, dHighs, highs)
	optest.Expect(t, own, ownValues)
	optest.Expect(t, dTallies, tallies)
	optest.Expect(t, gTotal, total)
	if got := optest.Values(t, gLogs)[0]; math.Abs(got.Most+math.Log(got.Sum)-math.Log(sum)) > 1e-13 {
		t.Errorf("the logarithm of the sum of exponentials is %v, want %v", got.Most+math.Log(got.Sum), math.Log(sum))
	}
}

// combine is closer, in other words.
func combine(into *nearest, from nearest) {
	both := []nearest{*into, from}
	slices.SortStableFunc(both, func(a, b nearest) int {
		switch {
		case a.Found != b.Found:
			if a.Found {
				return -1
			}
			return 1
		case !a.Found:
			return 0
		case a.Distance != b.Distance:
			return int(math.Copysign(1, a.Distance-b.Distance))
		}
		return int(a.Cell - b.Cell)
	})
	*into = both[0]
}

func search(n *int, x *float64, best *[2]nearest, turn *rotation, tag *[2]uint16, logs *logSum) {
	best[0] = nearest{*x, int32(*n), true}
	if *n%2 == 1 {
		best[1] = best[0]
	}
	switch *n % 4 {
	case 0:
		*turn = rotation{0, 1}
	case 2:
		turn.Re *= -1
	}
	tag[0] = uint16(*n)*2 + 1
	*logs = logSum{*x / 100, 1}
}

func spread(n *int, x *float64, at *[2][2]nearest, high *int32, highs *int32) {
	for d := range 2 {
		at[0][d] = nearest{*x + float64(d), int32(*n), true}
	}
	if *n%5 == 0 {
		at[1][0] = nearest{Distance: *x / 2, Cell: int32(*n), Found: true}
	}
	*high = int32(*x)
	*highs = int32(*n)
}

func count(n *int, x *float64, at *[2][2]nearest, own *tally, tallies *[2]tally, total *tally) {
	v := tally{Sum: *x, Count: at[0][0].Cell, Sign: int16(*n)}
	v.Kind[0] = int8(*n)
	if at[1][1].Found {
		v.Kind[1] = 1
	}
	*own = v
	for i := range tallies {
		tallies[i].add(&v, i)
	}
	total.add(&v, 2)
}

func (t *tally) add(v *tally, i int) {
	t.Sum += v.Sum * float64(i+1)
	t.Count += int32(i)
	t.Sign -= v.Sign
	t.Kind[1] += v.Kind[0]
}
