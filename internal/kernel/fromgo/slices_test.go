package fromgo

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
)

// Slices are lowered for the lengths of a kernel's parameters: as pointers to arrays.
func TestSlices(t *testing.T) {
	for _, test := range []struct {
		name, source string
		lengths      [][]int
		want         string
	}{
		{"len, range and subscripts", `
func k(x, y []float64, z *float64) {
	for i, v := range x {
		y[i] = v * float64(len(y))
	}
	for i := range y {
		*z += y[i] - x[len(x)-1-i]
	}
}
`, [][]int{{3}, {2}}, `
func k(x *[3]float64, y *[2]float64, z *float64) {
	loop1: for var i int64 = 0; (i < 3); i += 1 {
		var v float64 = x[i]
		y[i] = (v * float64(2))
	}
	loop2: for var i2 int64 = 0; (i2 < 2); i2 += 1 {
		*z += (y[i2] - x[((3 - 1) - i2)])
	}
}
`},
		{"rows", `
func k(x [][]float64, sum []float64) {
	for i, row := range x {
		row[0] += float64(i)
		for j := range row {
			sum[j] += row[j] * x[i][j]
		}
	}
	for _, row := range x {
		i := 1
		row[i] = 0
	}
	for i, row := range x {
		i = 1
		row[0] = float64(i)
	}
	n := 1
	last, first := x[n], x[0]
	n = 0
	again := last
	again[n], first[1] = first[n], again[1]
	if row := x[len(x)-1]; len(row) > 1 {
		row[1]++
	}
}
`, [][]int{{2, 3}, {3}}, `
func k(x *[2][3]float64, sum *[3]float64) {
	loop1: for var i int64 = 0; (i < 2); i += 1 {
		x[i][0] += float64(i)
		loop2: for var j int64 = 0; (j < 3); j += 1 {
			sum[j] += (x[i][j] * x[i][j])
		}
	}
	loop3: for var i2 int64 = 0; (i2 < 2); i2 += 1 {
		var i3 int64 = 1
		x[i2][i3] = 0.0
	}
	loop4: for var i4 int64 = 0; (i4 < 2); i4 += 1 {
		var i5 int64 = i4
		i5 = 1
		x[i4][0] = float64(i5)
	}
	var n int64 = 1
	var i6 int64 = n
	n = 0
	var i7 int64 = i6
	var t float64 = x[0][n]
	var t2 float64 = x[i7][1]
	x[i7][n] = t
	x[0][1] = t2
	{
		var i8 int64 = (2 - 1)
		if (3 > 1) {
			x[i8][1] += 1.0
		}
	}
}
`},
		{"functions for some lengths", `
func k(x [][]float64, y []float64, p *[4]float64, w [][2]float64) {
	var a [2]float64
	for i := range x {
		a[i%2] += dot(x[i], y) + dot(a[:], (p[:]))
	}
	fill(y, dot(p[:], p[:]))
	square(w)
	rows(x)
}
func dot(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}
func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}
func dot_2() {}
func square(w [][2]float64) { w[0][1] *= w[0][1] }
func rows(x [][]float64) { fill(x[1], 1) }
`, [][]int{{3, 2}, {2}, nil, {3}}, `
func dot(x *[2]float64, y *[2]float64) (float64) {
	var s float64
	loop1: for var i int64 = 0; (i < 2); i += 1 {
		s += (x[i] * y[i])
	}
	return s
}
func dot_3(x *[2]float64, y *[4]float64) (float64) {
	var s float64
	loop1: for var i int64 = 0; (i < 2); i += 1 {
		s += (x[i] * y[i])
	}
	return s
}
func fill(x *[2]float64, v float64) {
	loop1: for var i int64 = 0; (i < 2); i += 1 {
		x[i] = v
	}
}
func dot_4(x *[4]float64, y *[4]float64) (float64) {
	var s float64
	loop1: for var i int64 = 0; (i < 4); i += 1 {
		s += (x[i] * y[i])
	}
	return s
}
func square(w *[3][2]float64) {
	w[0][1] *= w[0][1]
}
func rows(x *[3][2]float64) {
	do fill(&x[1], 1.0)
}
func k(x *[3][2]float64, y *[2]float64, p *[4]float64, w *[3][2]float64) {
	var a [2]float64
	loop1: for var i int64 = 0; (i < 3); i += 1 {
		a[(i % 2)] += (dot(&x[i], y) + dot_3(&a, p))
	}
	var r float64 = dot_4(p, p)
	do fill(y, r)
	do square(w)
	do rows(x)
}
`},
		{"copy and clear", `
type pair struct { a float64; on bool }
func k(x, y []float64, z [][]float64, w [][2]int32) {
	copy(x, y)
	copy(z[1], x)
	clear(y)
	clear(w)
	var p [3]pair
	clear(p[:])
}
`, [][]int{{3}, {2}, {2, 4}, {2}}, `
type pair struct{ a float64; on bool }
func k(x *[3]float64, y *[2]float64, z *[2][4]float64, w *[2][2]int32) {
	loop1: for var i int64 = 0; (i < 2); i += 1 {
		x[i] = y[i]
	}
	loop2: for var i2 int64 = 0; (i2 < 3); i2 += 1 {
		z[1][i2] = x[i2]
	}
	loop3: for var i3 int64 = 0; (i3 < 2); i3 += 1 {
		y[i3] = 0.0
	}
	loop4: for var i4 int64 = 0; (i4 < 2); i4 += 1 {
		w[i4] = [2]int32{zero, zero}
	}
	var p [3]pair
	loop5: for var i5 int64 = 0; (i5 < 3); i5 += 1 {
		p[i5] = pair{zero, zero}
	}
}
`},
		{"const arrays are copied", `
var weights [2]float64
func k(x []float64) { x[0] = first(weights[:]) + weights[:][1] }
func first(x []float64) float64 { return x[0] }
`, [][]int{{1}}, `
const weights [2]float64
func first(x *[2]float64) (float64) {
	return x[0]
}
func k(x *[1]float64) {
	var copy [2]float64 = weights
	x[0] = (first(&copy) + weights[1])
}
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, err := Parse("package p\n"+test.source).Kernel("k", "k.go", 0, fixed(test.lengths)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := dump(k); got != strings.TrimPrefix(test.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, test.want)
			}
		})
	}
}

// fixed returns lengths that do not vary.
func fixed(lengths [][]int) [][]kernel.Length {
	list := make([][]kernel.Length, len(lengths))
	for i, of := range lengths {
		for _, n := range of {
			list[i] = append(list[i], kernel.Length{Most: n})
		}
	}
	return list
}
