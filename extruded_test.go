package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed extruded_kernels_test.go
var extrudedSource string

// extruded is a program with loops over columns of layers, which it compares with plain loops over a flat mesh.
type extruded struct {
	columns, points, layers int
	varying                 bool // columns have some of the layers
	renumber, chain, shares bool
	rebalance               bool   // after some loops
	restart                 string // a folder
}

func (c extruded) run(rt *op2.Runtime) error {
	random := rand.New(rand.NewPCG(uint64(c.columns), uint64(c.layers)))
	n, layers, levels := c.columns, c.layers, c.layers+1
	var corner []int
	for range n {
		corner = append(corner, random.Perm(c.points)[:3]...)
	}
	numbers := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(random.IntN(9))
		}
		return values
	}
	xs, qs, grounds := numbers(2*c.points*levels), numbers(n*layers), numbers(n)
	var some []int
	for e := range n {
		if random.IntN(3) > 0 {
			some = append(some, e)
		}
	}

	bounds := make([]int32, 2*n)
	for e := range n {
		a, b := 0, layers
		if c.varying && e%5 > 0 { // 0, 1 or many layers
			a, b = random.IntN(layers+1), random.IntN(layers+1)
		}
		bounds[2*e], bounds[2*e+1] = int32(min(a, b)), int32(max(a, b))
	}
	reached, ends01 := op2.ReachedLevels(bounds, corner, c.points, []int{0, 1}, 1), slices.Clone(bounds)
	for e := range n {
		ends01[2*e+1]++
	}
	if c.varying { // what is not there is zero
		clearAbsent(qs, bounds, 1)
		clearAbsent(xs, reached, 2)
	}

	// What this rank declares.
	newSet, e0, e1, p0, p1 := rt.NewSet, 0, n, 0, c.points
	if c.shares {
		newSet = rt.NewSetShare
		e0, e1, p0, p1 = n*rt.Rank()/rt.Ranks(), n*(rt.Rank()+1)/rt.Ranks(), c.points*rt.Rank()/rt.Ranks(), c.points*(rt.Rank()+1)/rt.Ranks()
	}
	mine := slices.DeleteFunc(slices.Clone(some), func(e int) bool { return e < e0 || e >= e1 })
	base, vertices := newSet(e1-e0, "base"), newSet(p1-p0, "vertices")
	triangle := op2.NewMap(base, vertices, 3, corner[3*e0:3*e1], "triangle")
	part := op2.NewSubset(base, mine, "part")
	cells, points := op2.NewExtrudedSet(base, layers, "cells"), op2.NewExtrudedSet(vertices, levels, "points")
	faces := op2.NewExtrudedSet(base, levels, "faces")
	if c.varying {
		cells = op2.NewVaryingExtrudedSet(base, layers, bounds[2*e0:2*e1], "cells")
		points = op2.NewVaryingExtrudedSet(vertices, levels, reached[2*p0:2*p1], "points")
		faces = op2.NewVaryingExtrudedSet(base, levels, ends01[2*e0:2*e1], "faces")
	}
	corners := op2.NewExtrudedMap(cells, points, triangle, []int{0, 1}, 1, "corners")
	ends, self := op2.NewExtrudedMap(cells, faces, nil, []int{0, 1}, 1, "ends"), op2.NewExtrudedMap(cells, cells, nil, []int{0}, 1, "self")
	x, q, ground := op2.NewDat(points, 2, xs[2*p0*levels:2*p1*levels], "x"), op2.NewDat(cells, 1, qs[e0*layers:e1*layers], "q"), op2.NewDat(base, 1, grounds[e0:e1], "ground")
	to, column := op2.NewDat[float64](points, 2, nil, "to"), op2.NewDat[float64](base, 1, nil, "column")
	left, copies := op2.NewDat[float64](points, 2, nil, "left"), op2.NewDat[float64](points, 1, nil, "copies")
	least, bits := op2.NewDat[float64](points, 1, nil, "least"), op2.NewDat[int32](points, 1, nil, "bits")
	r, low, high := op2.NewDat[float64](cells, 1, nil, "r"), op2.NewDat[float64](points, 1, nil, "low"), op2.NewDat[float64](points, 1, nil, "high")
	w, twice := op2.NewDat[float64](faces, 1, nil, "w"), op2.NewDat[float64](cells, 1, nil, "twice")
	bottom, swept := op2.NewDat[float64](cells, 1, nil, "bottom"), op2.NewDat(cells, 1, qs[e0*layers:e1*layers], "swept")
	both, joined := op2.NewMixedMap([]*op2.Map{corners, self}, "both"), op2.NewMixedDat([]*op2.Dat[float64]{x, q}, "joined")
	joinedTo, joinedR := op2.NewDat[float64](points, 2, nil, "joined to"), op2.NewDat[float64](cells, 1, nil, "joined r")
	joinedAll := op2.NewMixedDat([]*op2.Dat[float64]{joinedTo, joinedR}, "joined all")
	pairs, ends2 := op2.NewDat[float64](cells, 2, nil, "pairs"), op2.NewDat[float64](points, 2, nil, "ends2")
	copied := op2.NewDat[float64](cells, 1, nil, "copied")
	work := make([]float64, n)
	for e := range n {
		work[e] = float64(e * e)
	}
	weights := op2.NewDat(base, 1, work[e0:e1], "weights")
	sum, most := op2.NewGlobal(rt, []float64{1}, "sum"), op2.NewGlobal(rt, []float64{-1}, "most")
	if err := errors.Join(rt.Err(), least.Fill(100)); err != nil {
		return err
	}
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return err
		}
	}
	k := op2.Kernels(extrudedSource)
	loops := []*op2.Loop{
		op2.NewLoop(k.Func(average), cells, x.Read(corners), q.Write(), op2.Index(), ground.Read()),
		op2.NewLoop(k.Func(deposit), cells, q.Read(), to.Inc(corners), column.Inc(), sum.Inc(), most.Max()),
		op2.NewLoop(k.Func(leave), op2.OnColumns(cells, part), q.Read(), left.Inc(corners.At(1)), left.Inc(corners.At(5)), copies.Inc(corners)),
		op2.NewLoop(k.Func(lowest), cells, q.Read(), least.Min(corners), bits.Reduce(k.Func(union), 0, corners)),
		op2.NewLoop(k.Func(cross), op2.OnInteriorFacets(cells), q.Read(), r.Inc(), x.Read(corners), low.Inc(corners.At(3)), high.Inc(corners.At(10))),
		op2.NewLoop(k.Func(rise), cells, w.RW(ends.At(0)), w.RW(ends.At(1)), q.Read()),
		op2.NewLoop(k.Func(doubled), cells, q.Read(self), twice.Write()),
		op2.NewLoop(k.Func(average), op2.OnBottom(cells), x.Read(corners), bottom.Write(), op2.Index(), ground.Read()),
		op2.NewLoop(k.Func(average), op2.OnTop(op2.OnColumns(cells, part)), x.Read(corners), bottom.RW(), op2.Index(), ground.Read()),
		op2.NewLoop(k.Func(join), cells, joined.Read(both), joinedAll.Inc(both)),
		op2.NewLoop(k.Func(joinFacets), op2.OnInteriorFacets(cells), joined.Read(both), joinedAll.Inc(both)),
		op2.NewLoop(k.Func(single), cells, x.Component(1).Read(corners), pairs.Component(1).RW(), ends2.Component(0).Inc(corners.At(4)), ends2.Component(1).Inc(corners)),
		op2.NewLoop(k.Func(couple), op2.OnInteriorFacets(cells), q.Read(), pairs.Component(0).Inc()),
		op2.NewLoop(k.Func(sweep), base, swept.RW(), x.Read(triangle), op2.Index()),
	}
	if c.chain {
		if err := op2.NewChain(loops...).Compute(); err != nil {
			return err
		}
		loops = nil
	}
	for i, l := range loops {
		if i == 4 && c.restart != "" { // what the first loops computed is what the first run left
			if err := rt.Checkpoint(c.restart); err != nil {
				return err
			}
		}
		if i == 4 && c.rebalance {
			if r, err := rt.Rebalance(weights); err != nil || n > 0 && r.Moved == 0 {
				return fmt.Errorf("rebalanced: %+v, %v", r, err)
			}
		}
		if err := l.Compute(); err != nil {
			return err
		}
	}

	if err := errors.Join(pairs.Component(1).Scale(2), copied.Copy(pairs.Component(1))); err != nil {
		return err
	}

	at := func(e, l, i int) int { return corner[3*e+i%3]*levels + l + i/3 }
	wantTo, wantColumn, wantSum, wantMost := make([]float64, len(xs)), make([]float64, n), 1.0, -1.0
	wantLeft, wantCopies, wantLeast, wantBits := make([]float64, len(xs)), make([]float64, len(xs)/2), make([]float64, len(xs)/2), make([]float64, len(xs)/2)
	wantJoinedTo, wantJoinedR := make([]float64, len(xs)), make([]float64, len(qs))
	wantPairs, wantEnds2, wantCopied := make([]float64, 2*len(qs)), make([]float64, len(xs)), make([]float64, len(qs))
	wantR, wantLow, wantHigh := make([]float64, len(qs)), make([]float64, len(xs)/2), make([]float64, len(xs)/2)
	wantW, wantTwice, wantBottom, wantSwept := make([]float64, n*levels), make([]float64, len(qs)), make([]float64, len(qs)), append([]float64{}, qs...)
	for i := range wantLeast {
		wantLeast[i] = 100
	}
	if c.varying {
		clearAbsent(wantLeast, reached, 1)
	}
	isPart := map[int]bool{}
	for _, e := range some {
		isPart[e] = true
	}
	for e := range n {
		bottom, top := int(bounds[2*e]), int(bounds[2*e+1])
		for l := bottom; l < top; l++ {
			v := grounds[e] + float64(e*layers+l)
			for i := range 6 {
				v += xs[2*at(e, l, i)] + float64(i)*xs[2*at(e, l, i)+1]
			}
			qs[e*layers+l] = v
			if l == bottom || l == top-1 && isPart[e] {
				wantBottom[e*layers+l] = v
			}
			wantColumn[e] += v
			wantSum, wantMost = wantSum+v, max(wantMost, v)
			for i := range 6 {
				p := at(e, l, i)
				wantTo[2*p] += v
				wantTo[2*p+1] += float64(i)
				wantLeast[p] = min(wantLeast[p], v)
				wantBits[p] = float64(int(wantBits[p]) | int(v)&15)
				if isPart[e] {
					wantCopies[p] += float64(i + 1)
				}
			}
			if isPart[e] {
				wantLeft[2*at(e, l, 1)] += v
				wantLeft[2*at(e, l, 1)+1]++
				wantLeft[2*at(e, l, 5)] += 2 * v
				wantLeft[2*at(e, l, 5)+1] += 2
			}
			for i := range 12 {
				wantJoinedTo[2*at(e, l, i/2)+i%2] += float64(i+1) * xs[2*at(e, l, i/2)+i%2]
			}
			wantJoinedR[e*layers+l] += 13 * v
			d := xs[2*at(e, l, 0)+1] - xs[2*at(e, l, 5)+1]
			wantCopied[e*layers+l], wantPairs[2*(e*layers+l)+1] = 2*d, 2*d
			wantEnds2[2*at(e, l, 4)] += d
			for i := range 6 {
				wantEnds2[2*at(e, l, i)+1] += float64(i)
			}
			wantW[e*levels+l+1] = wantW[e*levels+l] + v
			wantTwice[e*layers+l] = 2*v + 1
		}
		for l := bottom; l < top-1; l++ {
			f := qs[e*layers+l+1] - qs[e*layers+l] + xs[2*at(e, l, 3)] - xs[2*at(e, l+1, 0)] + xs[2*at(e, l, 0)+1] - xs[2*at(e, l+1, 5)+1]
			wantR[e*layers+l] += f
			wantR[e*layers+l+1] -= f
			for i := range 24 {
				wantJoinedTo[2*at(e, l+i/12, i/2%6)+i%2] += float64(i+1) * xs[2*at(e, l+i/12, i/2%6)+i%2]
			}
			wantJoinedR[e*layers+l] += 25 * qs[e*layers+l]
			wantJoinedR[e*layers+l+1] += 26 * qs[e*layers+l+1]
			wantPairs[2*(e*layers+l)] += qs[e*layers+l] - qs[e*layers+l+1]
			wantPairs[2*(e*layers+l+1)] += qs[e*layers+l+1] - qs[e*layers+l]
			wantLow[at(e, l, 3)]++
			wantHigh[at(e, l+1, 4)] += f
		}
		s := wantSwept[e*layers : (e+1)*layers]
		for l := 1; l < layers; l++ {
			s[l] += s[l-1]
		}
		for _, p := range corner[3*e : 3*e+3] {
			s[0] += xs[2*p*levels] - xs[2*(p+1)*levels-1] + float64(e)
		}
	}
	sums, err1 := sum.Data()
	mosts, err2 := most.Data()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if sums[0] != wantSum || mosts[0] != wantMost {
		return fmt.Errorf("sum %v, want %v; largest %v, want %v", sums, wantSum, mosts, wantMost)
	}
	for _, err := range []error{same(q, qs), same(to, wantTo), same(column, wantColumn), same(left, wantLeft), same(copies, wantCopies), same(least, wantLeast), same(bits, wantBits),
		same(r, wantR), same(low, wantLow), same(high, wantHigh), same(w, wantW), same(twice, wantTwice), same(bottom, wantBottom), same(swept, wantSwept), same(joinedTo, wantJoinedTo), same(joinedR, wantJoinedR),
		same(pairs, wantPairs), same(ends2, wantEnds2), same(copied, wantCopied)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// Results have the same bits on ranks and threads, and in other orders.
func TestExtrudedSameBits(t *testing.T) {
	var want []uint64
	for _, test := range []struct {
		ranks   int
		options []op2.Option
	}{
		{1, []op2.Option{op2.WithBackend("sequential")}}, {1, []op2.Option{op2.WithBackend("openmp"), op2.WithThreads(4), op2.WithBlockSize(16)}},
		{1, []op2.Option{op2.WithBackend("go"), op2.WithThreads(4), op2.WithBlockSize(16)}}, {3, []op2.Option{op2.WithBackend("sequential")}}, {4, []op2.Option{op2.WithBackend("go"), op2.WithHaloDepth(2)}},
	} {
		got := make([][]uint64, test.ranks)
		err := optest.OnRanks(test.ranks, func(rt *op2.Runtime) error {
			random := rand.New(rand.NewPCG(5, 6))
			const n, points, layers = 400, 203, 6
			corner, bounds := make([]int, 0, 3*n), make([]int, 2*n)
			for e := range n {
				corner = append(corner, e/2, e/2+1, e/2+2+e%2)
				bounds[2*e] = random.IntN(3)
				bounds[2*e+1] = bounds[2*e] + random.IntN(layers+1-bounds[2*e])
			}
			qs := make([]float64, n*layers)
			for i := range qs {
				qs[i] = random.NormFloat64() * math.Exp(5*random.NormFloat64())
			}
			base, vertices := rt.NewSet(n, "base"), rt.NewSet(points, "vertices")
			cells, nodes := op2.NewVaryingExtrudedSet(base, layers, bounds, "cells"), op2.NewExtrudedSet(vertices, layers+1, "nodes")
			corners := op2.NewExtrudedMap(cells, nodes, op2.NewMap(base, vertices, 3, corner, "triangle"), []int{0, 1}, 1, "corners")
			q, to, column := op2.NewDat(cells, 1, qs, "q"), op2.NewDat[float64](nodes, 2, nil, "to"), op2.NewDat[float64](base, 1, nil, "column")
			sum, most := op2.NewGlobal(rt, []float64{0.1}, "sum"), op2.NewGlobal(rt, []float64{-1}, "most")
			k := op2.Kernels(extrudedSource)
			for range 2 {
				if err := op2.ParLoop(k.Func(deposit), cells, q.Read(), to.Inc(corners), column.Inc(), sum.Inc(), most.Max()); err != nil {
					return err
				}
			}
			all, err1 := to.InDeclaredOrder()
			columns, err2 := column.InDeclaredOrder()
			total, err3 := sum.Value()
			largest, err4 := most.Value()
			norm, err5 := to.Norm()
			for _, v := range append(append(all, columns...), total, largest, norm) {
				got[rt.Rank()] = append(got[rt.Rank()], math.Float64bits(v))
			}
			return errors.Join(err1, err2, err3, err4, err5)
		}, append(test.options, op2.WithSameBits(true), op2.WithLog(nil))...)
		if err != nil {
			t.Fatal(err)
		}
		for rank, bits := range got {
			if want == nil {
				want = bits
			}
			if !slices.Equal(bits, want) {
				t.Errorf("rank %d of %d has other bits", rank, test.ranks)
			}
		}
	}
}

// Chains of loops over layers, chosen at random, leave what their loops leave one by one. Loops that use what others leave for a layer are
// fused; those that use what these leave for other layers are not.
func TestExtrudedFusion(t *testing.T) {
	const n, points, layers = 60, 40, 5
	program := func(rt *op2.Runtime, seed uint64, chain bool) (left []float64, plan op2.ChainPlan, err error) {
		random := rand.New(rand.NewPCG(seed, 7))
		var corner, bounds []int
		for range n {
			low := random.IntN(layers + 1)
			corner, bounds = append(corner, random.Perm(points)[:3]...), append(bounds, low, low+random.IntN(layers+1-low))
		}
		base, vertices := rt.NewSet(n, "base"), rt.NewSet(points, "vertices")
		cells := op2.NewVaryingExtrudedSet(base, layers, bounds, "cells")
		if seed%2 == 0 {
			cells = op2.NewExtrudedSet(base, layers, "cells")
		}
		nodes, faces := op2.NewExtrudedSet(vertices, layers+1, "nodes"), op2.NewExtrudedSet(base, layers+1, "faces")
		corners := op2.NewExtrudedMap(cells, nodes, op2.NewMap(base, vertices, 3, corner, "triangle"), []int{0, 1}, 1, "corners")
		below, above := op2.NewExtrudedMap(cells, faces, nil, []int{0}, 1, "below"), op2.NewExtrudedMap(cells, faces, nil, []int{1}, 1, "above")
		dat := func(on *op2.Set, name string) *op2.Dat[float64] {
			values := make([]float64, on.Size())
			for i := range values {
				values[i] = float64(random.IntN(5))
			}
			return op2.NewDat(on, 1, values, name)
		}
		x, p, q, r, w, column := dat(nodes, "x"), dat(cells, "p"), dat(cells, "q"), dat(cells, "r"), dat(faces, "w"), dat(base, "column")
		k := op2.Kernels(extrudedSource)
		menu := []func() *op2.Loop{
			func() *op2.Loop { return op2.NewLoop(k.Func(fromSix), cells, x.Read(corners), q.Write()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(toSix), cells, q.Read(), x.Inc(corners)) },
			func() *op2.Loop { return op2.NewLoop(k.Func(setTo), cells, q.Read(), p.Write()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), cells, p.Read(), r.Inc()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), cells, r.Read(), q.RW()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), cells, q.Read(), column.Inc()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), cells, column.Read(), p.RW()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(setTo), cells, p.Read(), w.Write(above)) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), cells, w.Read(below), q.RW()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), cells, p.Read(), w.RW(below)) },
			func() *op2.Loop { return op2.NewLoop(k.Func(couple), op2.OnInteriorFacets(cells), p.Read(), r.Inc()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(couple), op2.OnInteriorFacets(cells), q.Read(), p.Inc()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), op2.OnTop(cells), q.Read(), p.RW()) },
			func() *op2.Loop { return op2.NewLoop(k.Func(addTo), cells, w.Read(above), q.RW()) },
		}
		var loops []*op2.Loop
		for range 6 {
			loops = append(loops, menu[random.IntN(len(menu))]())
		}
		switch seed {
		case 0:
			loops = []*op2.Loop{menu[0](), menu[2](), menu[3](), menu[9](), menu[13]()}
		case 1:
			loops = []*op2.Loop{menu[2](), menu[3](), menu[11](), menu[10](), menu[5](), menu[6]()}
		}
		if !chain {
			for _, l := range loops {
				err = errors.Join(err, l.Compute())
			}
		} else {
			c := op2.NewChain(loops...)
			err = c.Compute()
			plan = optest.Must(c.Plan())
		}
		for _, d := range []*op2.Dat[float64]{x, p, q, r, w, column} {
			values, err1 := d.InDeclaredOrder()
			left, err = append(left, values...), errors.Join(err, err1)
		}
		return left, plan, err
	}
	for backend, seeds := range map[string]uint64{"go": 20, "sequential": 2, "openmp": 1} {
		fused := 0
		for seed := range seeds {
			rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
			want, _, err := program(rt, seed, false)
			if err := errors.Join(err, rt.Close()); err != nil {
				t.Fatal(err)
			}
			rt = optest.Must(op2.Open(op2.WithBackend(backend), op2.WithLog(nil), op2.WithChains(op2.Fuse)))
			got, plan, err := program(rt, seed, true)
			if err := errors.Join(err, rt.Close()); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: wrong values, by\n%s", backend, seed, plan)
			}
			for _, s := range plan.Segments {
				if s.Fused {
					fused++
				}
			}
			const why = "which addTo reaches beyond a layer's own"
			if seed == 0 && (len(plan.Apart) != 1 || !strings.Contains(plan.Apart[0], why)) {
				t.Errorf("%s: apart are %q, want %q", backend, plan.Apart, why)
			}
		}
		if fused < min(2, int(seeds)) {
			t.Errorf("%s: %d fused", backend, fused)
		}
	}
}

// clearAbsent zeroes values, dim for each layer, of what is not within the bounds of columns.
func clearAbsent[I int | int32](values []float64, bounds []I, dim int) {
	for e := range len(bounds) / 2 {
		column := values[e*len(values)/(len(bounds)/2) : (e+1)*len(values)/(len(bounds)/2)]
		clear(column[:int(bounds[2*e])*dim])
		clear(column[int(bounds[2*e+1])*dim:])
	}
}

// extrudedShapes are those of the meshes of tests: ordinary, empty, of one layer, long columns.
var extrudedShapes = []extruded{
	{columns: 150, points: 90, layers: 7},
	{columns: 0, points: 0, layers: 7},
	{columns: 40, points: 30, layers: 1},
	{columns: 3, points: 5, layers: 300},
}

// Loops over columns of layers on the backends of the host, alone and on ranks, in what else a program may do.
func TestExtruded(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct {
		name    string
		program extruded
		shapes  int // of extrudedShapes
		ranks   int
		options []op2.Option
	}{
		{"go", extruded{}, 4, 1, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"go, varying", extruded{varying: true}, 4, 1, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"go, varying, on ranks", extruded{varying: true}, 4, 3, []op2.Option{op2.WithBackend("go")}},
		{"sequential, varying, renumbered", extruded{varying: true, renumber: true}, 4, 1, []op2.Option{op2.WithBackend("sequential")}},
		{"openmp, varying, on ranks, in a chain", extruded{varying: true, chain: true}, 2, 2, []op2.Option{op2.WithBackend("openmp")}},
		{"varying, shares", extruded{varying: true, shares: true}, 2, 3, []op2.Option{op2.WithBackend("go")}},
		{"rebalanced", extruded{rebalance: true}, 2, 3, []op2.Option{op2.WithBackend("go")}},
		{"reproducible", extruded{varying: true}, 4, 1, []op2.Option{op2.WithBackend("go"), op2.WithSameBits(true), op2.WithThreads(3)}},
		{"reproducible on ranks", extruded{renumber: true}, 4, 3, []op2.Option{op2.WithBackend("sequential"), op2.WithSameBits(true)}},
		{"varying, rebalanced", extruded{varying: true, rebalance: true}, 2, 3, []op2.Option{op2.WithBackend("go")}},
		{"varying, lazy", extruded{varying: true}, 2, 1, []op2.Option{op2.WithBackend("go"), op2.WithLazy(true)}},
		{"varying, checkpoint", extruded{varying: true, restart: folder + "/varying"}, 1, 1, []op2.Option{op2.WithBackend("go")}},
		{"varying, restart", extruded{varying: true, restart: folder + "/varying"}, 1, 3, []op2.Option{op2.WithBackend("go"), op2.WithRestart(folder + "/varying")}},
		{"varying, tiled", extruded{varying: true, chain: true}, 2, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithChains(op2.Tile)}},
		{"go on ranks", extruded{}, 4, 3, []op2.Option{op2.WithBackend("go")}},
		{"sequential", extruded{}, 4, 1, []op2.Option{op2.WithBackend("sequential")}},
		{"sequential on ranks, renumbered", extruded{renumber: true}, 2, 4, []op2.Option{op2.WithBackend("sequential")}},
		{"openmp", extruded{}, 2, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithDiags(true)}},
		{"openmp on ranks, in a chain", extruded{chain: true}, 2, 2, []op2.Option{op2.WithBackend("openmp")}},
		{"renumbered", extruded{renumber: true}, 2, 1, []op2.Option{op2.WithBackend("go")}},
		{"lazy", extruded{}, 2, 1, []op2.Option{op2.WithBackend("go"), op2.WithLazy(true)}},
		{"shares", extruded{shares: true}, 2, 3, []op2.Option{op2.WithBackend("go")}},
		{"checkpoint", extruded{restart: folder}, 1, 1, []op2.Option{op2.WithBackend("go")}},
		{"restart", extruded{restart: folder, renumber: true}, 1, 3, []op2.Option{op2.WithBackend("go"), op2.WithRestart(folder)}},
		{"fused", extruded{chain: true}, 2, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithChains(op2.Fuse)}},
		{"tiled", extruded{chain: true}, 2, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithChains(op2.Tile)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, shape := range extrudedShapes[:test.shapes] {
				program := test.program
				program.columns, program.points, program.layers = shape.columns, shape.points, shape.layers
				if err := optest.OnRanks(test.ranks, program.run, append(test.options, op2.WithLog(nil))...); err != nil {
					t.Errorf("%+v: %v", program, err)
				}
			}
		})
	}
}

// extrudedTypes passes structs, and pointers to rows in C, in columns.
func extrudedTypes(rt *op2.Runtime) error {
	const n, layers, levels = 30, 4, 5
	random := rand.New(rand.NewPCG(3, 4))
	var corner []int
	for range n {
		corner = append(corner, random.Perm(12)[:3]...)
	}
	states, plain := make([]state, 12*levels), make([]float32, 12*levels*2)
	for i := range states {
		states[i] = state{int32(i), [2]float64{float64(i % 7), 1}}
		plain[2*i], plain[2*i+1] = float32(i%5), float32(i)
	}
	base, vertices := rt.NewSet(n, "base"), rt.NewSet(12, "vertices")
	cells, points := op2.NewExtrudedSet(base, layers, "cells"), op2.NewExtrudedSet(vertices, levels, "points")
	corners := op2.NewExtrudedMap(cells, points, op2.NewMap(base, vertices, 3, corner, "triangle"), []int{0, 1}, 1, "corners")
	x, to, own := op2.NewDat(points, 1, states, "x"), op2.NewDat[state](points, 1, nil, "to"), op2.NewDat[state](cells, 2, nil, "own")
	y, z, q := op2.NewDat(points, 2, plain, "y"), op2.NewDat[float32](points, 2, nil, "z"), op2.NewDat[float32](cells, 1, nil, "q")
	k := op2.Kernels(extrudedSource)
	rows := ckernel.New("rows", `void rows(const float *y[6], float *z[6], float *q) {
	*q = 0;
	for (int i = 0; i < 6; i++) { *q += y[i][0] + i * y[i][1]; z[i][1] += i; }
}`)
	if err := errors.Join(rt.Err(), op2.ParLoop(k.Func(blend), cells, x.Read(corners), to.Inc(corners), own.Write()),
		op2.ParLoop(rows, cells, y.Read(corners), z.Inc(corners), q.Write())); err != nil {
		return err
	}
	wantTo, wantOwn := make([]state, len(states)), make([]state, 2*n*layers)
	wantZ, wantQ := make([]float64, len(plain)), make([]float64, n*layers)
	for c := range n * layers {
		for i := range 6 {
			p := corner[c/layers*3+i%3]*levels + c%layers + i/3
			wantTo[p].N++
			wantTo[p].V[1] += states[p].V[0]
			wantZ[2*p+1] += float64(i)
			wantQ[c] += float64(plain[2*p]) + float64(i)*float64(plain[2*p+1])
			switch i {
			case 0:
				wantOwn[2*c] = states[p]
			case 5:
				wantOwn[2*c+1] = states[p]
			}
		}
	}
	gotTo, err1 := to.InDeclaredOrder()
	gotOwn, err2 := own.InDeclaredOrder()
	gotZ, err3 := z.InDeclaredOrder()
	gotQ, err4 := q.InDeclaredOrder()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	equal := func(a []float32, b []float64) bool {
		return slices.EqualFunc(a, b, func(a float32, b float64) bool { return float64(a) == b })
	}
	if !slices.Equal(gotTo, wantTo) || !slices.Equal(gotOwn, wantOwn) || !equal(gotZ, wantZ) || !equal(gotQ, wantQ) {
		return errors.New("structs, or rows in C, are wrong")
	}
	return nil
}

func TestExtrudedTypes(t *testing.T) {
	for _, backend := range []string{"go", "sequential", "openmp"} {
		err := op2.RunRanks(2, func(rank op2.Option) error {
			rt, err := op2.Open(op2.WithBackend(backend), op2.WithLog(nil), rank)
			if err != nil {
				return err
			}
			return errors.Join(extrudedTypes(rt), rt.Close())
		})
		if err != nil {
			t.Errorf("%s: %v", backend, err)
		}
	}
}

// Operators on extruded sets are solved with, on ranks too: the vectors that they get are columns.
func TestExtrudedOperator(t *testing.T) {
	for _, backend := range []string{"go", "sequential"} {
		err := op2.RunRanks(2, func(rank op2.Option) error {
			rt, err := op2.Open(op2.WithBackend(backend), op2.WithLog(nil), rank)
			if err != nil {
				return err
			}
			defer rt.Close()
			cells := op2.NewExtrudedSet(rt.NewSet(5, "base"), 6, "cells")
			want := make([]float64, 30)
			for i := range want {
				want[i] = float64(i * i % 11)
			}
			k := op2.Kernels(extrudedSource)
			apply := func(y, x *op2.Dat[float64]) error {
				return errors.Join(op2.ParLoop(k.Func(triple), cells, x.Read(), y.Write()), op2.ParLoop(k.Func(couple), op2.OnInteriorFacets(cells), x.Read(), y.Inc()))
			}
			a := solver.NewOperator(cells, 1, apply, nil, "a")
			x, b, exact := op2.NewDat[float64](cells, 1, nil, "x"), op2.NewDat[float64](cells, 1, nil, "b"), op2.NewDat(cells, 1, want, "exact")
			if err := errors.Join(a.Err(), rt.Err()); err != nil {
				return err
			}
			if sets, dims := a.Domain(); sets[0] != cells || dims[0] != 1 {
				return fmt.Errorf("the operator is on %v, with dims %v", sets, dims)
			}
			s := solver.New(a, solver.None, solver.WithRTol(1e-12))
			if err := a.Mul(b, exact); err != nil {
				return err
			}
			if _, err := s.Solve(x, b); err != nil {
				return err
			}
			return same(x, want)
		})
		if err != nil {
			t.Errorf("%s: %v", backend, err)
		}
	}
}

// Columns on devices, whatever strategy and layout are asked for.
func TestExtrudedOnDevices(t *testing.T) {
	optest.NotShort(t)
	eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
		for j, options := range [][]op2.Option{nil, {op2.WithStrategy(op2.Staged), op2.WithLayout(op2.SoA)}, {op2.WithStrategy(op2.Blocks), op2.WithChains(op2.Fuse)}} {
			for i, shape := range extrudedShapes[:3] {
				rt := open(t, options...)
				shape.renumber = i%2 == 1 // and numbers of elements come from a table
				shape.varying, shape.chain = i != j, j == 2
				if err := shape.run(rt); err != nil {
					t.Errorf("%+v: %v", shape, err)
				}
			}
			if err := extrudedTypes(open(t, options...)); err != nil {
				t.Error(err)
			}
		}
	})
}

// ParLoop tells the layers of columns apart, and one extruded set from another.
func TestExtrudedParLoop(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	base := rt.NewSet(3, "base")
	cells, others := op2.NewExtrudedSet(base, 4, "cells"), op2.NewExtrudedSet(base, 2, "others")
	part := op2.NewSubset(base, []int{2, 0}, "part")
	count := op2.NewDat[int32](base, 1, nil, "count")
	k := op2.Kernels(extrudedSource)
	over := []op2.IterationSet{base, cells, op2.OnBottom(cells), op2.OnTop(cells), op2.OnInteriorFacets(cells), others, op2.OnColumns(cells, part), op2.OnTop(op2.OnColumns(cells, part))}
	sizes := []int{3, 12, 3, 3, 9, 6, 8, 2}
	for range 2 {
		for i, o := range over {
			if o.Size() != sizes[i] {
				t.Errorf("%s has %d elements, want %d", o.Name(), o.Size(), sizes[i])
			}
			if err := op2.ParLoop(k.Func(tally), o, count.Inc()); err != nil {
				t.Error(err)
			}
		}
	}
	if err := same(count, []float64{34, 24, 34}); err != nil {
		t.Error(err)
	}
	if got := op2.NewExtrudedMap(others, cells, nil, []int{0, 1}, 2, "pairs").Values(); !slices.Equal(got, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
		t.Errorf("values %v", got)
	}
	if got := cells.DeclaredNumbers(); len(got) != 12 || got[11] != 11 {
		t.Errorf("declared numbers %v", got)
	}
	pairs := op2.NewDat[int32](cells, 2, nil, "pairs")
	if err := errors.Join(pairs.Fill(1, 2), same(pairs, slices.Repeat([]float64{1, 2}, 12))); err != nil || pairs.Dim() != 2 || pairs.Set() != cells {
		t.Errorf("%v, dim %d on %s", err, pairs.Dim(), pairs.Set().Name())
	}
	if copied := pairs.Duplicate("copy"); copied.Set() != cells || copied.Dim() != 2 {
		t.Errorf("duplicate on %s", copied.Set().Name())
	}
}

// A program does not go on from a checkpoint of other columns.
func TestExtrudedRestart(t *testing.T) {
	folder := t.TempDir()
	program := func(top int, options ...op2.Option) error {
		rt, err := op2.Open(append(options, op2.WithBackend("go"), op2.WithLog(nil))...)
		if err != nil {
			return err
		}
		defer rt.Close()
		cells := op2.NewVaryingExtrudedSet(rt.NewSet(2, "base"), 4, []int{0, 4, 1, top}, "cells")
		n := op2.NewDat[int32](cells, 1, nil, "n")
		l := op2.NewLoop(op2.Kernels(extrudedSource).Func(tally), cells, n.Inc())
		return errors.Join(l.Compute(), rt.Checkpoint(folder), l.Compute(), same(n, []float64{2, 2, 2, 2, 0, 2, 2, 0}))
	}
	if err := program(3); err != nil {
		t.Fatal(err)
	}
	if err := program(3, op2.WithRestart(folder)); err != nil {
		t.Error(err)
	}
	if err := program(2, op2.WithRestart(folder)); err == nil || !strings.Contains(err.Error(), "the bounds of cells with the digest") {
		t.Errorf("error %v", err)
	}
}

// toItself returns a map from each element of a set to itself.
func toItself(set *op2.Set) *op2.Map {
	own := make([]int, set.Size())
	for i := range own {
		own[i] = i
	}
	return op2.NewMap(set, set, 1, own, "own")
}

// Mistakes in the declaration of columns, and in their use.
// NewDat clears values where no layer is. SetInDeclaredOrder keeps them; Norm counts them, and solvers do not get rid of them.
func TestValuesWithoutLayers(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	cells := op2.NewVaryingExtrudedSet(rt.NewSet(2, "base"), 2, []int{0, 2, 1, 2}, "cells")
	k := op2.Kernels(extrudedSource)
	a := solver.NewOperator(cells, 1, func(y, x *op2.Dat[float64]) error { return op2.ParLoop(k.Func(triple), cells, x.Read(), y.Write()) }, nil, "a")
	for _, absent := range []float64{0, 3} {
		b := op2.NewDat(cells, 1, []float64{6, 0, absent, 0}, "b")
		if got := optest.Must(b.Norm()); got != 6 {
			t.Errorf("the norm of a new dat is %g", got)
		}
		optest.OK(t, b.SetInDeclaredOrder([]float64{6, 0, absent, 0}))
		if got := optest.Must(b.Norm()); got != math.Hypot(6, absent) {
			t.Errorf("the norm is %g", got)
		}
		x := op2.NewDat[float64](cells, 1, nil, "x")
		_, err := solver.New(a, solver.None, solver.WithMaxIterations(20)).Solve(x, b)
		if got := optest.Must(x.InDeclaredOrder()); (err == nil) != (absent == 0) || err == nil && !slices.Equal(got, []float64{2, 0, 0, 0}) {
			t.Errorf("with %g: %g, %v", absent, got, err)
		}
		if got := optest.Must(b.InDeclaredOrder()); got[2] != absent {
			t.Errorf("b is %g", got)
		}
	}
}

// ReachedLevels says what is wrong, and takes no columns.
func TestReachedLevels(t *testing.T) {
	if got := op2.ReachedLevels([]int{}, []int{}, 2, []int{0, 1}, 1); !slices.Equal(got, make([]int, 4)) {
		t.Errorf("without columns: %d", got)
	}
	if got := op2.ReachedLevels([]int{2, 5, 1, 1}, []int{0, 2, 1, 1}, 3, []int{1, 0}, 2); !slices.Equal(got, []int{4, 10, 0, 0, 4, 10}) {
		t.Errorf("of two columns: %d", got)
	}
	for _, test := range []struct {
		bounds, values []int
		n              int
		levels         []int
		step           int
		want           string
	}{
		{[]int{0, 1, 0}, []int{0}, 1, []int{0}, 1, "found 3 bounds, expected 2 for each column"},
		{[]int{0, 1, 0, 1}, []int{0, 1, 0}, 2, []int{0}, 1, "found 3 values, expected as many for each of 2 columns, which have 2 bounds each"},
		{[]int{0, 1}, nil, 2, []int{0}, 1, "found 0 values, expected as many for each of 1 columns, which have 2 bounds each"},
		{nil, []int{0}, 2, []int{0}, 1, "found 1 values, expected as many for each of 0 columns, which have 2 bounds each"},
		{[]int{0, 1, 0, 0}, []int{0, 2}, 2, []int{0}, 1, "found value 2 of column 1, expected one from 0 up to 2, without that"},
		{[]int{0, 1}, []int{-1}, 2, []int{0}, 1, "found value -1 of column 0, expected one from 0 up to 2, without that"},
		{[]int{0, 1}, []int{0}, -1, []int{0}, 1, "found -1 elements, expected 0 or more"},
		{[]int{0, 1}, []int{0}, 1, nil, 1, "found no levels, expected at least one"},
		{[]int{0, 1}, []int{0}, 1, []int{0}, -1, "found a step of -1, expected 0 or more: layers are counted upward"},
	} {
		func() {
			defer func() {
				if got := recover(); got != "op2: ReachedLevels: "+test.want {
					t.Errorf("got %v, want %s", got, test.want)
				}
			}()
			op2.ReachedLevels(test.bounds, test.values, test.n, test.levels, test.step)
		}()
	}
}

func TestExtrudedErrors(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	base, points := rt.NewSet(2, "base"), rt.NewSet(4, "points")
	triangle := op2.NewMap(base, points, 3, []int{0, 1, 2, 1, 2, 3}, "triangle")
	varying := op2.NewVaryingMap(base, points, []int{0, 1, 2}, []int{0, 1}, "varying")
	cells, levels := op2.NewExtrudedSet(base, 5, "cells"), op2.NewExtrudedSet(points, 6, "levels")
	corners, above := op2.NewExtrudedMap(cells, levels, triangle, []int{0, 1}, 1, "corners"), op2.NewExtrudedMap(cells, cells, nil, []int{1}, 1, "above")
	x, q, ground := op2.NewDat[float64](levels, 2, nil, "x"), op2.NewDat[float64](cells, 1, nil, "q"), op2.NewDat[float64](base, 1, nil, "ground")
	few := op2.NewSubset(points, []int{1}, "few")
	mat := op2.NewMat[float64](op2.NewSquareSparsity(triangle, 1, "pattern"), "mat")
	tall, y := op2.NewMat[float64](op2.NewSquareSparsity(corners, 1, "tall"), "tall"), op2.NewDat[float64](levels, 1, nil, "y")
	wide, self := op2.NewExtrudedMap(cells, levels, triangle, []int{0, 1, 2}, 1, "wide"), op2.NewExtrudedMap(cells, cells, nil, []int{0}, 1, "self")
	onGround := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: self, Cols: triangle}}, 1, 1, "on the ground"), "on the ground")
	if err := rt.Err(); err != nil {
		t.Fatal(err)
	}
	if up := above.InDeclaredOrder(); !slices.Equal(up, []int32{1, 2, 3, 4, -1, 6, 7, 8, 9, -1}) {
		t.Errorf("the cells above are %d", up)
	}
	short := op2.NewVaryingExtrudedSet(base, 5, []int{1, 3, 2, 2}, "short")
	within := op2.NewExtrudedMap(short, cells, toItself(base), []int{0, 1}, 1, "within")
	if values := within.Values(); !slices.Equal(values, []int32{-1, -1, 1, 2, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}) {
		t.Errorf("from columns that vary, cells are %d", values)
	}
	shortCorners, narrow := op2.NewExtrudedMap(short, levels, triangle, []int{0, 4}, 1, "shortCorners"), op2.NewExtrudedMap(cells, short, toItself(base), []int{0}, 1, "narrow")
	depth := op2.NewDat[float64](short, 1, nil, "depth")
	full, other := op2.NewDat(short, 2, slices.Repeat([]float64{7}, 20), "full"), op2.NewDat[float64](short, 2, nil, "other")
	there := []float64{0, 0, 2, 3, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if err := errors.Join(other.Fill(2, 3), same(other, there), full.Div(other), full.Mul(other), full.Mul(other)); err != nil {
		t.Error(err)
	}
	if norm, err := full.Norm(); err != nil || math.Abs(norm-7*math.Sqrt(26)) > 1e-12 {
		t.Errorf("norm %v, %v", norm, err)
	}
	huge := op2.NewExtrudedSet(base, 1<<30, "huge")
	k := op2.Kernels(extrudedSource)
	loop := func(over op2.IterationSet, x op2.Arg) error {
		return op2.NewLoop(k.Func(average), over, x, q.Write(), op2.Index(), ground.Read()).Err()
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{op2.NewExtrudedSet(base, 0, "s").Err(), "layers are needed, 0 were given"},
		{op2.NewExtrudedSet(cells, 2, "s").Err(), "cells is an extruded set, which has no columns over it"},
		{op2.NewVaryingExtrudedSet(cells, 2, []int{0, 1}, "s").Err(), "cells is an extruded set, which has no columns over it"},
		{op2.NewVaryingExtrudedSet(base, 2, []int{0, 1}, "s").Err(), "4 bounds are needed, 2 for each of 2 base; 2 were given"},
		{op2.NewVaryingExtrudedSet(base, 2, []int32{0, 1, 0, 3}, "s").Err(), "column 1 goes from layer 0 up to 3, which are not among 2 layers"},
		{op2.NewVaryingExtrudedSet(base, 2, []int64{0, 1, 2, 1}, "s").Err(), "the bounds of column 1, 2 and 1, are in the wrong order\n  hint: a column has the layers from its first bound up to the second, without that"},
		{op2.NewVaryingExtrudedSet(base, 2, []int{-1, 1, 1, 2}, "s").Err(), "column 0 goes from layer -1 up to 1"},
		{loop(short, x.Read(shortCorners)), "q is on cells, the loop is over short"},
		{op2.NewLoop(k.Func(doubled), short, x.Read(shortCorners), depth.Write()).Err(), "layer 2 of column 0 reaches level 6 of levels, which has those from 0 up to 6 in column 0"},
		{op2.NewLoop(k.Func(doubled), cells, depth.Read(narrow), q.Write()).Err(), "layer 0 of column 0 reaches level 0 of short, which has those from 1 up to 3 in column 0\n  hint: ReachedLevels returns"},
		{op2.NewMap(cells, points, 1, []int{0}, "m").Err(), "give it to NewExtrudedMap"},
		{op2.NewSubset(cells, []int{0}, "s").Err(), "declare a subset of its base set, base, and run over OnColumns of both"},
		{op2.NewExtrudedMap(cells, levels, nil, []int{0}, 1, "m").Err(), "without a map of the base sets it stays in the column, but cells is over base, levels over points"},
		{op2.NewExtrudedMap(levels, cells, triangle, []int{0}, 1, "m").Err(), "triangle leads from base to points, a map from points to base is needed"},
		{op2.NewExtrudedMap(cells, levels, varying, []int{0}, 1, "m").Err(), "the rows of varying differ in length, columns need rows of one length\n  hint: declare a set of links"},
		{op2.NewExtrudedMap(cells, points, triangle, []int{0}, 1, "m").Err(), "both sets must be extruded, and points is not"},
		{op2.NewExtrudedMap(cells, levels, triangle, nil, 1, "m").Err(), "at least one level is needed"},
		{op2.NewExtrudedMap(cells, levels, triangle, []int{0}, -1, "m").Err(), "the step is -1"},
		{op2.NewExtrudedMap(cells, levels, triangle, []int{0}, 1<<62, "m").Err(), "numbers of levels have 32 bits"},
		{op2.NewExtrudedMap(cells, levels, triangle, []int{-1 << 40}, 1, "m").Err(), "numbers of levels have 32 bits"},
		{corners.Permuted(0, 1).Err(), "permute the map of the base sets, and give NewExtrudedMap the result"},
		{op2.Compose(above, corners).Err(), "compose the maps of the base sets"},
		{loop(op2.OnTop(huge), x.Read(corners)), "1073741824 layers of 2 base are more than"},
		{op2.NewDat(cells, 2, []float64{1}, "d").Err(), "20 values are needed, 2 for each of 10 cells; 1 was given"},
		{op2.NewMixedMap([]*op2.Map{corners, triangle}, "m").Err(), "part 1, triangle, leads from base, corners from cells"},
		{loop(base, x.Component(0).Read(triangle)), "a whole column of levels is passed with all components\n  hint: run over levels"},
		{loop(base, q.Component(1).Read()), "component 1 was asked for, it has component 0"},
		{loop(base, op2.NewMixedDat([]*op2.Dat[float64]{x}, "mixed").Read(op2.NewMixedMap([]*op2.Map{corners}, "m"))), "corners leads from the layers of cells, the loop is not over an extruded set"},
		{loop(cells, op2.NewMixedDat([]*op2.Dat[float64]{x, q}, "mixed").Read(op2.NewMixedMap([]*op2.Map{corners, above}, "m"))), "layer 4 reaches level 5 of cells"},
		{corners.SetValues([]int32{0}), "give the map of the base sets new ones"},
		{q.Copy(op2.NewDat[float64](cells, 1, nil, "other"), op2.OnTop(cells)), "Copy takes elements of base"},
		{loop(base, x.Read(corners)), "corners leads from the layers of cells, the loop is not over an extruded set\n  hint: run over cells"},
		{loop(levels, x.Read(corners)), "corners leads from the layers of cells, the loop is over those of levels"},
		{loop(cells, ground.Read(corners)), "corners leads to levels, ground is on base"},
		{loop(cells, x.Read(triangle)), "x holds 12 float64 in each column of levels, triangle leads to 3 of them"},
		{loop(cells, x.Read()), "x is on levels, the loop is over cells\n  hint: pass it through a map from cells to levels"},
		{loop(cells, x.Read(corners.At(6))), "corners has components 0 to 5"},
		{loop(cells, op2.NewDat[float64](points, 1, nil, "y").Read(varying)), "rows of different lengths, which loops over layers do not take"},
		{loop(cells, q.Read(above)), "layer 4 reaches level 5 of cells, which has 5 levels"},
		{loop(cells, mat.Inc(triangle, triangle)), "of which triangle by triangle make 3 by 3, a local matrix of 3 by 3"},
		{loop(base, tall.Inc(corners, corners)), "corners leads from the layers of cells, the loop is not over an extruded set"},
		{loop(levels, tall.Inc(corners, corners)), "corners leads from the layers of cells, the loop is over those of levels"},
		{loop(cells, tall.Inc(wide, wide)), "layer 4 reaches level 6 of levels, which has 6 levels"},
		{loop(cells, tall.Inc(corners, above)), "layer 4 reaches level 5 of cells, which has 5 levels"},
		{loop(cells, tall.Inc(corners, self)), "self leads to cells, the columns of tall are levels"},
		{loop(op2.OnInteriorFacets(cells), tall.Inc(corners, corners)), "the sparsity tall"},
		{loop(cells, mat.Inc(triangle.Masked(few, "no component", 0), triangle)), "no component has rows of different lengths, or leaves out components, which loops over layers do not take"},
		{loop(cells, onGround.Inc(self, triangle.Masked(few, "no component", 0))), "maps that leave out components are not for loops over layers"},
		{op2.NewSparsity([]op2.MapPair{{Rows: corners, Cols: varying}}, 1, 1, "s").Err(), "pair 1: corners leads from the layers of cells, and one of the maps has rows of different lengths"},
		{op2.NewSparsity([]op2.MapPair{{Rows: corners, Cols: within}}, 1, 1, "s").Err(), "pair 1: corners leads from cells, within from short"},
		{tall.Mul(q, y), "Mul into q takes a dat on levels with dim 1, q is on cells and has dim 1"},
		{tall.ZeroRows(op2.OnInteriorFacets(levels), 1), "ZeroRows: interior facets are between elements"},
		{tall.ZeroRows(op2.OnBottom(points), 1), "OnBottom takes an extruded set"},
		{tall.ZeroRows(points, 1), "the rows are levels, elements of points were given"},
		{op2.NewDirichlet(op2.Fix(op2.OnInteriorFacets(levels), 0.0)).Err(), "condition 1 (interior facets of levels): interior facets are between elements"},
		{op2.NewDirichlet(op2.Fix(points, 0.0)).Apply(tall, y), "they are on points, tall is on levels"},
		{corners.Masked(few, "s").Err(), "corners leads to levels, few is a subset of points"},
		{loop(op2.OnInteriorFacets(cells), x.Read(corners)), "x holds 2 float64 for each of levels, corners leads to 12 of them"},
		{loop(op2.OnBottom(base), x.Read(corners)), "OnBottom takes an extruded set, or what OnColumns returns, and base is not extruded"},
		{loop(op2.OnInteriorFacets(op2.OnTop(cells)), x.Read(corners)), "OnInteriorFacets takes columns with all layers, not the top of cells"},
		{loop(op2.OnColumns(base, few), x.Read(corners)), "OnColumns takes an extruded set, and base is not extruded"},
		{loop(op2.OnTop(op2.OnColumns(cells, nil)), x.Read(corners)), "the subset of OnColumns is nil"},
		{loop(op2.OnColumns(cells, few), x.Read(corners)), "OnColumns takes a subset of base, the base set of cells, and few is one of points"},
		{loop(op2.OnInteriorFacets(cells), x.RW(corners)), "column 0 of cells reaches a level of column 0 of levels twice, through corners[3] and through corners[6]"},
		{op2.NewLoop(k.Func(rise), cells, q.RW(), q.RW(), q.RW()).Err(), "the kernel would change the same values twice"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %q", test.err, test.want)
		}
	}
}

// On ranks that declare shares, maps between columns that vary are those of the whole mesh, before it is distributed and after.
func TestExtrudedMapsOfShares(t *testing.T) {
	bounds := []int{0, 1, 0, 2, 1, 3, 2, 2, 0, 3, 1, 2}
	want := []int32{0, -1, -1, 3, 4, -1, -1, 7, 8, -1, -1, -1, 12, 13, 14, -1, 16, -1}
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		e0, e1 := 3*rt.Rank(), 3*rt.Rank()+3
		base := rt.NewSetShare(e1-e0, "base")
		cells := op2.NewVaryingExtrudedSet(base, 3, bounds[2*e0:2*e1], "cells")
		self := op2.NewExtrudedMap(cells, cells, nil, []int{0}, 1, "self")
		if err := rt.Err(); err != nil {
			return err
		}
		before := self.InDeclaredOrder()
		err := rt.Partition()
		if after := self.InDeclaredOrder(); !slices.Equal(before, want) || !slices.Equal(after, want) {
			err = errors.Join(err, fmt.Errorf("rank %d: %d before, %d after, want %d", rt.Rank(), before, after, want))
		}
		return err
	}, op2.WithBackend("go"), op2.WithLog(nil))
	if err != nil {
		t.Error(err)
	}
}
