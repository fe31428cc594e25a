package op2_test

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed varying_kernels_test.go
var varyingSource string

// rows are random rows of different lengths: some empty, one long; no element is twice in a row.
func rows(from, to int) (offsets, targets []int) {
	random := rand.New(rand.NewPCG(1, 2))
	offsets = []int{0}
	for e := range from {
		n := random.IntN(7)
		if e == from/2 {
			n = min(40, to)
		}
		targets = append(targets, random.Perm(to)[:n]...)
		offsets = append(offsets, len(targets))
	}
	return offsets, targets
}

// varying runs loops through a map with rows of different lengths, and compares what they leave with plain loops over its rows.
func varying(rt *op2.Runtime) error {
	const zones, points = 150, 200
	offsets, targets := rows(zones, points)
	zone, point, corner := rt.NewSet(zones, "zones"), rt.NewSet(points, "points"), rt.NewSet(len(targets), "corners")
	own := make([]int, len(targets))
	for i := range own {
		own[i] = i
	}
	z2p := op2.NewVaryingMap(zone, point, offsets, targets, "z2p")
	z2c := op2.NewVaryingMap(zone, corner, offsets, own, "z2c")
	xs, vs := make([]float64, points), make([]float64, 2*zones)
	for i := range xs {
		xs[i] = float64(i%7) + 0.5
	}
	for i := range vs {
		vs[i] = float64(i % 5)
	}
	x, v := op2.NewDat(point, 1, xs, "x"), op2.NewDat(zone, 2, vs, "v")
	sum, to := op2.NewDat[float64](zone, 1, nil, "sum"), op2.NewDat[float64](point, 2, nil, "to")
	n, marks, most := op2.NewDat[int32](zone, 1, nil, "n"), op2.NewDat[int32](corner, 1, nil, "marks"), op2.NewDat[int32](point, 1, nil, "most")
	mat := op2.NewMat[float64](op2.NewSquareSparsity(z2p, 1, "pattern"), "mat")
	if err := rt.Err(); err != nil {
		return err
	}
	k := op2.Kernels(varyingSource)
	for range 2 {
		if err := op2.ParLoop(k.Func(spread), zone, x.Read(z2p), sum.Inc(), v.Read(), to.Inc(z2p)); err != nil {
			return err
		}
	}
	if err := op2.ParLoop(k.Func(mark), zone, n.Write(), marks.Write(z2c)); err != nil {
		return err
	}
	if err := op2.ParLoop(k.Func(largest), zone, n.Read(), most.Max(z2p)); err != nil {
		return err
	}
	if err := op2.ParLoop(k.Func(outer), zone, x.Read(z2p), mat.Inc(z2p, z2p)); err != nil {
		return err
	}

	wantSum, wantTo, wantN := make([]float64, zones), make([]float64, 2*points), make([]float64, zones)
	wantMarks, wantMost := make([]float64, len(targets)), make([]float64, points)
	entries := map[[2]int]float64{}
	for e := range zones {
		row := targets[offsets[e]:offsets[e+1]]
		wantN[e] = float64(len(row))
		for i, p := range row {
			wantSum[e] += 2 * xs[p]
			wantTo[2*p] += 2 * vs[2*e] / float64(len(row))
			wantTo[2*p+1] += 2 * (vs[2*e+1] + xs[p]*float64(len(row)))
			wantMarks[offsets[e]+i] = float64(10*len(row) + i)
			wantMost[p] = max(wantMost[p], float64(len(row)))
			for j, q := range row {
				entries[[2]int{p, q}] += xs[p]*float64(len(row)) + float64(j)
			}
		}
	}
	ones, image := op2.NewDat(point, 1, xs, "ones"), op2.NewDat[float64](point, 1, nil, "image")
	if err := mat.Mul(image, ones); err != nil {
		return err
	}
	wantImage := make([]float64, points)
	for at, a := range entries {
		wantImage[at[0]] += a * xs[at[1]]
	}
	for _, err := range []error{same(sum, wantSum), same(to, wantTo), same(n, wantN), same(marks, wantMarks), same(most, wantMost), same(image, wantImage)} {
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

// Maps with rows of different lengths, on the backends of the host, alone and on ranks.
func TestVaryingMaps(t *testing.T) {
	for _, backend := range []string{"go", "sequential", "openmp"} {
		for _, ranks := range []int{1, 3} {
			t.Run(fmt.Sprint(backend, ranks), func(t *testing.T) {
				err := op2.RunRanks(ranks, func(rank op2.Option) error {
					rt, err := op2.Open(rank, op2.WithBackend(backend), op2.WithLog(nil), op2.WithDiags(ranks == 1))
					if err != nil {
						return err
					}
					defer rt.Close()
					return varying(rt)
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
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
	x := op2.NewDat[float64](to, 1, nil, "x")
	k := op2.Kernels(varyingSource)
	for _, test := range []struct {
		err  error
		want string
	}{
		{op2.NewLoop(k.Func(spread), from, x.Read(m.At(0))).Err(), "m has rows of different lengths"},
		{op2.NewLoop(k.Func(spread), from, x.Read(m)).Err(), "the kernel takes 4 arguments, 1 was given"},
		{m.SetValues([]int32{-1, 2, 1, -1}), "element 0 has a target after a negative value"},
		{m.SetValues([]int32{2, -1, -1, -1}), ""},
	} {
		if (test.err == nil) != (test.want == "") || test.err != nil && !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %q", test.err, test.want)
		}
	}
}
