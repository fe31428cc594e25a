package conformance

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// conformArithmetic compares the arithmetic of dats with loops over slices. All numbers are small
// integers, or quotients of them, and so exact.
func conformArithmetic(t *testing.T, open optest.Opener) {
	rt := open(t)
	calculate[float64](t, rt, 3)
	if rt.Backend() != "openmp" { // the same C as sequential
		calculate[int8](t, open(t), 1)
	}
}

func calculate[T op2.Scalar](t *testing.T, rt *op2.Runtime, dim int) {
	t.Helper()
	const n = 300
	mesh := optest.NewTopology(n, dim)
	set := optest.NewSet(t, rt, n, "set")
	var values [6][]T
	var dats [6]*op2.Dat[T]
	for i := range dats {
		values[i] = optest.Some[T](mesh.Random, n*dim)
		for k, v := range values[i] {
			if v == 0 {
				values[i][k] = 1
			}
		}
		dats[i] = optest.NewDat(t, set, dim, values[i], fmt.Sprint("d", i))
	}
	want := slices.Clone(values[0])
	y := dats[0]
	check := func(what string, err error, f func(i int) T) {
		t.Helper()
		optest.OK(t, err)
		for i := range want {
			want[i] = f(i)
		}
		optest.Expect(t, y, want)
		if t.Failed() {
			t.Fatal(what)
		}
	}
	check("AXPY", y.AXPY(3, dats[1]), func(i int) T { return want[i] + 3*values[1][i] })
	check("MAXPY", y.MAXPY([]T{1, 2, 3, 4, 5}, dats[1:]...), func(i int) T {
		return want[i] + values[1][i] + 2*values[2][i] + 3*values[3][i] + 4*values[4][i] + 5*values[5][i]
	})
	check("MAXPY of nothing", y.MAXPY(nil), func(i int) T { return want[i] })
	check("Add", y.Add(dats[2]), func(i int) T { return want[i] + values[2][i] })
	check("Sub", y.Sub(dats[3]), func(i int) T { return want[i] - values[3][i] })
	check("Mul", y.Mul(dats[4]), func(i int) T { return want[i] * values[4][i] })
	check("Scale", y.Scale(5), func(i int) T { return want[i] * 5 })
	var zero T
	if _, ok := any(zero).(float64); ok {
		check("Div", y.Div(dats[4]), func(i int) T { return want[i] / values[4][i] })
	}
	elements := []int{1, 5, 299}
	part := op2.NewSubset(set, elements, "part")
	check("Copy over", y.Copy(dats[5], part), func(i int) T {
		if slices.Contains(elements, i/dim) {
			return values[5][i]
		}
		return want[i]
	})
	inner, square := 0.0, 0.0
	for i, v := range want {
		inner += float64(v) * float64(values[1][i])
		square += float64(v) * float64(v)
	}
	check("Scale by one", y.Scale(1), func(i int) T { return want[i] })
	optest.Near(t, optest.Must(y.Inner(dats[1])), inner, 1e-12)
	optest.Near(t, optest.Must(dats[1].Inner(y)), inner, 1e-12)
	optest.Near(t, optest.Must(y.Norm()), math.Sqrt(square), 1e-12)
	if got, size := y.NBytes(), int64(n*dim); got != size && got != 8*size {
		t.Errorf("%d bytes", got)
	}
}
