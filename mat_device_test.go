package op2_test

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
)

// Rows and the diagonal are set where the matrix is.
func TestMatRowsOnDevice(t *testing.T) {
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t, op2.WithLayout(op2.SoA))
		for _, dim := range []int{1, 3} {
			s := optest.NewSystem(30, dim, true)
			d := s.Declare(t, rt)
			d.X = optest.NewDat(t, d.Set, dim, optest.Some[float64](optest.NewTopology(1, 1).Random, 30*dim), "diagonal")
			y := optest.NewDat[float64](t, d.Set, dim, nil, "y")
			some := op2.NewSubset(d.Set, []int{3, 7, 20}, "some")
			optest.OK(t, d.Matrix.Mul(y, d.B)) // transfers the matrix
			want := s.Dense
			zero := func(rows []int, diagonal float64, component int) {
				for _, r := range rows {
					for i := range dim {
						if component >= 0 && i != component {
							continue
						}
						for j := range 30 * dim {
							want.Set(r*dim+i, j, 0)
						}
						want.Set(r*dim+i, r*dim+i, diagonal)
					}
				}
			}
			check := func(what string) {
				t.Helper()
				if moved := rt.Transfers(); moved.BytesToHost > 0 || moved.BytesToDevice > 100+int64(8*30*dim) {
					t.Errorf("%s: moved %+v", what, moved)
				}
				for i := range 30 * dim {
					for j := range 30 * dim {
						if got := optest.Must(d.Matrix.At(i, j)); got != want.At(i, j) {
							t.Fatalf("%s: [%d, %d] is %g, want %g", what, i, j, got, want.At(i, j))
						}
					}
				}
				optest.OK(t, d.Matrix.Mul(y, d.B))
				rt.ResetStats()
			}
			rt.ResetStats()
			optest.OK(t, d.Matrix.ZeroRows(some, 0, dim-1))
			zero([]int{3, 7, 20}, 0, dim-1)
			check("a component")
			for diagonal := range 3 {
				optest.OK(t, d.Matrix.ZeroRows(some, float64(diagonal)))
				zero([]int{3, 7, 20}, float64(diagonal), -1)
				check("rows")
			}
			optest.OK(t, d.Matrix.AddToDiagonal(d.X))
			values := optest.Must(d.X.InDeclaredOrder())
			rt.ResetStats()
			optest.OK(t, d.Matrix.AddToDiagonal(d.X))
			optest.OK(t, d.Matrix.Diagonal(y))
			for i, v := range values {
				want.Set(i, i, want.At(i, i)+v)
				want.Set(i, i, want.At(i, i)+v)
			}
			check("added")
			optest.OK(t, d.Matrix.SetDiagonal(d.X))
			for i, v := range values {
				want.Set(i, i, v)
			}
			check("set")
			optest.OK(t, d.Matrix.Mul(y, d.B))
			optest.OK(t, d.Matrix.Diagonal(y))
			optest.Expect(t, y, values)
		}
	})
}
