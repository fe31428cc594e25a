package op2_test

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed varying_kernels_test.go
var varyingSource string

// rows are random rows of different lengths: some empty, one of the longest; no element is twice in a row.
func rows(from, to, longest int) (offsets, targets []int) {
	random := rand.New(rand.NewPCG(1, 2))
	offsets = []int{0}
	for e := range from {
		n := random.IntN(min(7, longest))
		if e == from/2 {
			n = longest
		}
		targets = append(targets, random.Perm(to)[:n]...)
		offsets = append(offsets, len(targets))
	}
	return offsets, targets
}

// varied is a program with loops through maps with rows of different lengths, which it compares with plain loops over the rows.
type varied struct {
	shares, renumber, chain, late bool
	longest                       int    // of the rows; 0: 40
	restart                       string // a folder
	how                           string // what Stats say of the first loop; "": anything
}

func (c varied) run(rt *op2.Runtime) error {
	const zones, points = 150, 200
	offsets, targets := rows(zones, points, cmp.Or(c.longest, 40))
	own, xs, vs := make([]int, len(targets)), make([]float64, points), make([]float64, 2*zones)
	for i := range own {
		own[i] = i
	}
	for i := range xs {
		xs[i] = float64(i%7) + 0.5
	}
	for i := range vs {
		vs[i] = float64(i % 5)
	}
	// What this rank declares.
	newSet, e0, e1, p0, p1 := rt.NewSet, 0, zones, 0, points
	if c.shares {
		r, n := rt.Rank(), rt.Ranks()
		newSet, e0, e1, p0, p1 = rt.NewSetShare, r*zones/n, (r+1)*zones/n, r*points/n, (r+1)*points/n
	}
	from := make([]int, e1-e0+1)
	for i := range from {
		from[i] = offsets[e0+i] - offsets[e0]
	}
	c0, c1 := offsets[e0], offsets[e1]
	zone, point, corner := newSet(e1-e0, "zones"), newSet(p1-p0, "points"), newSet(c1-c0, "corners")
	var few []int
	for e := e0; e < e1; e += 2 {
		few = append(few, e)
	}
	some := op2.NewSubset(zone, few, "some")
	if c.late {
		op2.NewVaryingMap(zone, point, from, targets[c0:c1], "before")
		op2.NewVaryingMap(zone, corner, from, own[c0:c1], "corners before")
		if err := rt.Partition(); err != nil {
			return err
		}
	}
	z2p := op2.NewVaryingMap(zone, point, from, targets[c0:c1], "z2p")
	z2c := op2.NewVaryingMap(zone, corner, from, own[c0:c1], "z2c")
	x, v := op2.NewDat(point, 1, xs[p0:p1], "x"), op2.NewDat(zone, 2, vs[2*e0:2*e1], "v")
	sum, to := op2.NewDat[float64](zone, 1, nil, "sum"), op2.NewDat[float64](point, 2, nil, "to")
	n, marks := op2.NewDat[int32](zone, 1, nil, "n"), op2.NewDat[int32](corner, 1, nil, "marks")
	most, bits := op2.NewDat[int32](point, 1, nil, "most"), op2.NewDat[int32](point, 1, nil, "bits")
	least := op2.NewDat(point, 1, slices.Repeat([]int32{100}, p1-p0), "least")
	ones, image := op2.NewDat(point, 1, xs[p0:p1], "ones"), op2.NewDat[float64](point, 1, nil, "image")
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return err
		}
	}
	if c.shares {
		if err := rt.Partition(); err != nil {
			return err
		}
	}
	mat := op2.NewMat[float64](op2.NewSquareSparsity(z2p, 1, "pattern"), "mat")
	if err := rt.Err(); err != nil {
		return err
	}
	k := op2.Kernels(varyingSource)
	loops := []*op2.Loop{
		op2.NewLoop(k.Func(spread), zone, x.Read(z2p), sum.Inc(), v.Read(), to.Inc(z2p)),
		op2.NewLoop(k.Func(spread), some, x.Read(z2p), sum.Inc(), v.Read(), to.Inc(z2p)),
		op2.NewLoop(k.Func(mark), zone, n.Write(), marks.Write(z2c)),
		op2.NewLoop(k.Func(bounds), zone, n.Read(), most.Max(z2p), least.Min(z2p), bits.Reduce(k.Func(either), 0, z2p), marks.RW(z2c)),
		op2.NewLoop(k.Func(outer), zone, x.Read(z2p), mat.Inc(z2p, z2p)),
	}
	compute := func(loops ...*op2.Loop) error {
		for _, l := range loops {
			if err := l.Compute(); err != nil {
				return err
			}
		}
		return nil
	}
	if c.chain {
		compute = func(loops ...*op2.Loop) error { return op2.NewChain(loops...).Compute() }
	}
	if err := compute(loops[:3]...); err != nil {
		return err
	}
	if c.restart != "" { // what the first loops computed is what the first run left
		if err := rt.Checkpoint(c.restart); err != nil {
			return err
		}
	}
	if err := compute(loops[3:]...); err != nil {
		return err
	}
	if how := loops[0].Stats().How; c.how != "" && how != c.how {
		return fmt.Errorf("ran %q, want %q", how, c.how)
	}

	wantSum, wantTo, wantN := make([]float64, zones), make([]float64, 2*points), make([]float64, zones)
	wantMarks, wantMost := make([]float64, len(targets)), make([]float64, points)
	wantLeast, wantBits := slices.Repeat([]float64{100}, points), make([]float64, points)
	entries := map[[2]int]float64{}
	for e := range zones {
		row := targets[offsets[e]:offsets[e+1]]
		wantN[e] = float64(len(row))
		times := float64(1 + (e+1)%2)
		for i, p := range row {
			wantSum[e] += times * xs[p]
			wantTo[2*p] += times * vs[2*e] / float64(len(row))
			wantTo[2*p+1] += times * (vs[2*e+1] + xs[p]*float64(len(row)))
			wantMarks[offsets[e]+i] = 2 * float64(10*len(row)+i)
			wantMost[p], wantLeast[p] = max(wantMost[p], float64(len(row))), min(wantLeast[p], float64(len(row)))
			wantBits[p] = float64(int(wantBits[p]) | len(row))
			for j, q := range row {
				entries[[2]int{p, q}] += xs[p]*float64(len(row)) + float64(j)
			}
		}
	}
	if err := mat.Mul(image, ones); err != nil {
		return err
	}
	wantImage := make([]float64, points)
	for at, a := range entries {
		wantImage[at[0]] += a * xs[at[1]]
	}
	for _, err := range []error{same(sum, wantSum), same(to, wantTo), same(n, wantN), same(marks, wantMarks), same(most, wantMost), same(least, wantLeast), same(bits, wantBits), same(image, wantImage)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// same compares the values of a dat in declared order.
func same[T int32 | float64](d *op2.Dat[T], want []float64) error {
	values, err := d.InDeclaredOrder()
	if err != nil {
		return err
	}
	for i, w := range want {
		if math.Abs(float64(values[i])-w) > 1e-9*(1+math.Abs(w)) {
			return fmt.Errorf("%s: value %d is %v, want %v", d.Name(), i, values[i], w)
		}
	}
	return nil
}

// Maps with rows of different lengths, on the backends of the host, alone and on ranks, in what else a program may do.
func TestVaryingMaps(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct {
		name    string
		program varied
		ranks   int
		options []op2.Option
	}{
		{"go", varied{}, 1, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"go on ranks", varied{}, 3, []op2.Option{op2.WithBackend("go")}},
		{"sequential", varied{}, 1, []op2.Option{op2.WithBackend("sequential")}},
		{"sequential on ranks, renumbered", varied{renumber: true}, 3, []op2.Option{op2.WithBackend("sequential")}},
		{"openmp", varied{}, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithDiags(true)}},
		{"openmp on ranks, in a chain", varied{chain: true}, 3, []op2.Option{op2.WithBackend("openmp")}},
		{"renumbered", varied{renumber: true}, 1, []op2.Option{op2.WithBackend("go")}},
		{"lazy", varied{}, 1, []op2.Option{op2.WithBackend("go"), op2.WithLazy(true)}},
		{"shares", varied{shares: true}, 3, []op2.Option{op2.WithBackend("go")}},
		{"declared when distributed", varied{late: true}, 3, []op2.Option{op2.WithBackend("go")}},
		{"chain", varied{chain: true}, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithChains(op2.Tile)}},
		{"same bits", varied{}, 3, []op2.Option{op2.WithBackend("go"), op2.WithSameBits(true)}},
		{"checkpoint", varied{restart: folder}, 1, []op2.Option{op2.WithBackend("go")}},
		{"restart", varied{restart: folder, renumber: true}, 3, []op2.Option{op2.WithBackend("go"), op2.WithRestart(folder)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := optest.OnRanks(test.ranks, test.program.run, append(test.options, op2.WithLog(nil))...); err != nil {
				t.Error(err)
			}
		})
	}
}

// Mistakes in the rows of maps, and in their use.
func TestVaryingMapErrors(t *testing.T) {
	for _, test := range []struct {
		offsets, targets []int
		want             string
	}{
		{[]int{0, 1}, []int{0}, "3 offsets are needed"},
		{[]int{1, 1, 1}, nil, "offset 0 is 1"},
		{[]int{0, 2, 1}, []int{0, 1}, "row 1 ends at 1"},
		{[]int{0, 1, 2}, []int{0}, "the last row ends at 2, 1 targets were given"},
		{[]int{0, 1, 2}, []int{0, -1}, "target 1 is -1"},
		{[]int{0, 1, 2}, []int{0, 4}, "value 4"},
	} {
		rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
		from, to := rt.NewSet(2, "from"), rt.NewSet(4, "to")
		m := op2.NewVaryingMap(from, to, test.offsets, test.targets, "m")
		if err := m.Err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v %v: error %v, want %q", test.offsets, test.targets, err, test.want)
		}
		rt.Close()
	}
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	from, to := rt.NewSet(2, "from"), rt.NewSet(4, "to")
	m := op2.NewVaryingMap(from, to, []int{0, 0, 2}, []int{3, 1}, "m")
	x, marks := op2.NewDat[float64](to, 1, nil, "x"), op2.NewDat[int32](to, 2, nil, "marks")
	n := op2.NewDat[int32](from, 1, nil, "n")
	k := op2.Kernels(varyingSource)
	for _, test := range []struct {
		err  error
		want string
	}{
		{op2.NewLoop(k.Func(spread), from, x.Read(m.At(0))).Err(), "m has rows of different lengths"},
		{op2.NewLoop(k.Func(spread), from, x.Read(m)).Err(), "the kernel takes 4 arguments, 1 was given"},
		{op2.NewLoop(k.Func(mark), from, n.Write(), marks.Write(m)).Err(), "as [][]int32"},
		{m.SetValues([]int32{-1, 2, 1, -1}), "element 0 has a target after a negative value"},
		{m.SetValues([]int32{2, -1, -1, -1}), ""},
	} {
		if (test.err == nil) != (test.want == "") || test.err != nil && !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %q", test.err, test.want)
		}
	}
}

// Devices copy the rows that there are, and have no tables of the targets of a block.
func TestVaryingMapsOnDevices(t *testing.T) {
	optest.NotShort(t)
	eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
		rt := open(t, op2.WithStrategy(op2.Staged), op2.WithLayout(op2.SoA))
		if err := (varied{longest: 4, how: "global-color, since rows of its maps differ in length"}).run(rt); err != nil {
			t.Error(err)
		}
	})
}

// Rows may all be empty, and there may be no rows: loops run, and the longest takes a value of memory.
func TestVaryingMapsWithoutTargets(t *testing.T) {
	for _, backend := range []string{"go", "sequential"} {
		rt := optest.Must(op2.Open(op2.WithBackend(backend), op2.WithLog(nil)))
		defer rt.Close()
		k := op2.Kernels(varyingSource)
		for _, zones := range []int{0, 3} {
			for _, points := range []int{0, 2} {
				zone, point := rt.NewSet(zones, "zones"), rt.NewSet(points, "points")
				m := op2.NewVaryingMap(zone, point, make([]int, zones+1), nil, "m")
				n := op2.NewDat(zone, 1, slices.Repeat([]int32{7}, zones), "n")
				if err := op2.ParLoop(k.Func(mark), zone, n.Write(), op2.NewDat[int32](point, 1, nil, "marks").Write(m)); err != nil {
					t.Fatal(err)
				}
				if err := same(n, make([]float64, zones)); err != nil || m.Arity() != 1 {
					t.Errorf("%s, %d zones, %d points: error %v, arity %d", backend, zones, points, err, m.Arity())
				}
			}
		}
	}
}
