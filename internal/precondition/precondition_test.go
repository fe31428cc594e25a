package precondition

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// sparse returns a block matrix with the given nonzeros of a dense one.
func sparse(a [][]float64, dim int, nonzero func(r, c int) bool) *Matrix {
	m := &Matrix{Dim: dim, RowPtr: []int32{0}}
	rows := len(a) / dim
	for r := range rows {
		for c := range rows {
			if !nonzero(r, c) {
				continue
			}
			m.ColIdx = append(m.ColIdx, int32(c))
			for j := range dim {
				for i := range dim {
					m.Values = append(m.Values, a[r*dim+i][c*dim+j])
				}
			}
		}
		m.RowPtr = append(m.RowPtr, int32(len(m.ColIdx)))
	}
	return m
}

func random(n int) ([][]float64, []float64) {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	a, x := make([][]float64, n), make([]float64, n)
	for i := range a {
		for range n {
			a[i] = append(a[i], r.NormFloat64())
		}
		a[i][i] += 2 * float64(n)
		x[i] = r.NormFloat64()
	}
	return a, x
}

// times returns A x restricted to the nonzeros that keep selects.
func times(a [][]float64, x []float64, keep func(r, c int) bool) []float64 {
	y := make([]float64, len(x))
	for i := range a {
		for j := range a {
			if keep(i, j) {
				y[i] += a[i][j] * x[j]
			}
		}
	}
	return y
}

func everywhere(int, int) bool { return true }
func tridiagonal(r, c int) bool {
	return -1 <= r-c && r-c <= 1
}

func expect(t *testing.T, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-10 {
			t.Fatalf("z[%d] = %g, want %g", i, got[i], want[i])
		}
	}
}

// apply updates and applies, twice, so that leftovers of the first time show.
func apply(t *testing.T, p Preconditioner, r []float64) []float64 {
	t.Helper()
	z := make([]float64, len(r))
	for range 2 {
		if err := p.Update(); err != nil {
			t.Fatal(err)
		}
		for i := range z {
			z[i] = math.NaN()
		}
		p.Apply(z, r)
	}
	return z
}

// Without fill-in, ILU is the exact factorization, and applying it solves the system.
func TestILU(t *testing.T) {
	for n := range 20 {
		a, x := random(n)
		for _, pattern := range []func(r, c int) bool{everywhere, tridiagonal} {
			p, err := NewILU(sparse(a, 1, pattern))
			if err != nil {
				t.Fatal(err)
			}
			expect(t, apply(t, p, times(a, x, pattern)), x)
		}
	}
}

// With fill-in, L U equals A at A's nonzeros.
func TestILUNonzeros(t *testing.T) {
	const n = 30
	a, _ := random(n)
	pattern := func(r, c int) bool { return r == c || (r*7+c*5)%6 == 0 }
	m := sparse(a, 1, pattern)
	p, err := NewILU(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Update(); err != nil {
		t.Fatal(err)
	}
	var lower, upper [n][n]float64
	for r := range n {
		lower[r][r] = 1
		for e := p.rowPtr[r]; e < p.rowPtr[r+1]; e++ {
			switch c := p.colIdx[e]; {
			case int(c) < r:
				lower[r][c] = p.values[e]
			case int(c) == r:
				upper[r][c] = 1 / p.values[e]
			default:
				upper[r][c] = p.values[e]
			}
		}
	}
	for r := range n {
		for c := range n {
			sum := 0.0
			for k := range n {
				sum += lower[r][k] * upper[k][c]
			}
			if pattern(r, c) && math.Abs(sum-a[r][c]) > 1e-12 {
				t.Errorf("(L U)[%d][%d] = %g, A has %g", r, c, sum, a[r][c])
			}
		}
	}
}

// If the ILU of each block is exact, block Jacobi inverts the blocks.
func TestBlocks(t *testing.T) {
	for _, n := range []int{0, 1, 5, 23} {
		for _, blocks := range []int{1, 2, 4, 100} {
			for _, workers := range []int{1, 3} {
				t.Run(fmt.Sprint(n, blocks, workers), func(t *testing.T) {
					a, x := random(n)
					p, err := NewBlocks(sparse(a, 1, everywhere), blocks, workers)
					if err != nil {
						t.Fatal(err)
					}
					count := max(1, min(blocks, n))
					block := func(r int) int {
						b := 0
						for (b+1)*n/count <= r {
							b++
						}
						return b
					}
					within := func(r, c int) bool { return block(r) == block(c) }
					expect(t, apply(t, p, times(a, x, within)), x)
				})
			}
		}
	}
}

// Multiplying by the factors of SSOR recovers the input.
func TestSSOR(t *testing.T) {
	for n := range 12 {
		a, x := random(n)
		p, err := NewSSOR(sparse(a, 1, everywhere))
		if err != nil {
			t.Fatal(err)
		}
		sweep := func(v []float64, side func(r, c int) bool) []float64 {
			y := times(a, v, side)
			for i := range y {
				y[i] += a[i][i] * v[i]
			}
			return y
		}
		y := sweep(x, func(r, c int) bool { return c > r })
		for i := range y {
			y[i] /= a[i][i]
		}
		expect(t, apply(t, p, sweep(y, func(r, c int) bool { return c < r })), x)
	}
}

func TestPoints(t *testing.T) {
	for dim := 1; dim < 6; dim++ {
		const rows = 9
		a, x := random(rows * dim)
		// A small value in place of the first pivot.
		a[0][0] = 1e-30
		m := sparse(a, dim, tridiagonal)
		within := func(r, c int) bool { return r/dim == c/dim }
		z := apply(t, NewPoints(m, 2), times(a, x, within))
		expect(t, z, x)
	}
}

// The rows of one rank give the same preconditioners as the matrix without the columns of others.
func TestRank(t *testing.T) {
	const rows, own = 9, 5
	a, _ := random(rows)
	whole := sparse(a, 1, tridiagonal)
	m := &Matrix{Dim: 1, RowPtr: whole.RowPtr[:own+1], ColIdx: whole.ColIdx, Values: whole.Values}
	alone := sparse(a, 1, func(r, c int) bool { return tridiagonal(r, c) && r < own && c < own })
	alone.RowPtr = alone.RowPtr[:own+1]
	r := times(a, make([]float64, rows), everywhere)[:own]
	for i := range r {
		r[i] = float64(i%3) - 0.7
	}
	for name, make := range map[string]func(m *Matrix) (Preconditioner, error){
		"ilu":     func(m *Matrix) (Preconditioner, error) { return NewILU(m) },
		"bjacobi": func(m *Matrix) (Preconditioner, error) { return NewBlocks(m, 2, 1) },
		"ssor":    func(m *Matrix) (Preconditioner, error) { return NewSSOR(m) },
	} {
		p, err := make(m)
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := make(alone)
		if err != nil {
			t.Fatal(name, err)
		}
		expect(t, apply(t, p, r), apply(t, want, r))
	}
}

func TestPivots(t *testing.T) {
	a := [][]float64{{1, 1, 0}, {1, 1, 0}, {0, 0, 1}} // singular: the pivot of row 1 is zero
	hollow := [][]float64{{1, 1, 0}, {1, 0, 1}, {0, 1, 1}}
	noDiagonal := func(r, c int) bool { return r != 2 || c != 2 }
	full := func(a [][]float64, nonzero func(r, c int) bool) *Matrix { return sparse(a, 1, nonzero) }
	for _, test := range []struct {
		name string
		make func() (Preconditioner, error)
		want string
	}{
		{"ilu", func() (Preconditioner, error) { return NewILU(full(a, everywhere)) }, "the pivot of row 1 is zero"},
		{"ilu", func() (Preconditioner, error) { return NewILU(full(a, noDiagonal)) }, "row 2 has no nonzero on the diagonal"},
		{"blocks", func() (Preconditioner, error) { return NewBlocks(full(hollow, everywhere), 3, 2) }, "the pivot of row 1 is zero"},
		{"blocks", func() (Preconditioner, error) { return NewBlocks(full(a, noDiagonal), 2, 2) }, "row 2 has no nonzero on the diagonal"},
		{"ssor", func() (Preconditioner, error) { return NewSSOR(full(hollow, everywhere)) }, "the pivot of row 1 is zero"},
		{"ssor", func() (Preconditioner, error) { return NewSSOR(full(a, noDiagonal)) }, "row 2 has no nonzero on the diagonal"},
		{"points", func() (Preconditioner, error) { return NewPoints(full(hollow, everywhere), 1), nil }, "the pivot of row 1 is zero"},
		{"points", func() (Preconditioner, error) { return NewPoints(full(a, noDiagonal), 1), nil }, "row 2 has no nonzero on the diagonal"},
		{"points of 3", func() (Preconditioner, error) { return NewPoints(sparse(a, 3, everywhere), 1), nil }, "the pivot of row 1 is zero"},
	} {
		p, err := test.make()
		if err == nil {
			err = p.Update()
		}
		var pivot *PivotError
		if !errors.As(err, &pivot) || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	inverse := make([]float64, 3)
	for _, test := range []struct {
		m    *Matrix
		want string
	}{{full(hollow, everywhere), "the pivot of row 1 is zero"}, {full(a, noDiagonal), "row 2 has no nonzero on the diagonal"}} {
		if err := test.m.Diagonal(inverse); err == nil || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}
