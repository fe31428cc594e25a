package solve

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/registry"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/run"
)

// The loops of pbjacobi compute what package precondition computes, for blocks of all dims that
// they are for, well and badly conditioned, and find the same first singular block.
func TestPoints(t *testing.T) {
	name, b, err := registry.Open("sequential", backend.Config{Warn: func(s string) { t.Log(s) }}, func(backend.Backend) error { return nil })
	if errors.Is(err, backend.ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	rt := run.Open(name, b, entity.Config{})
	defer rt.Close()
	const rows = 200
	for dim := 1; dim <= largestPoint; dim++ {
		for _, singular := range []int{-1, 17, 0} {
			t.Run(fmt.Sprint(dim, singular), func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(dim), uint64(singular+1)))
				values := make([]float64, rows*dim*dim)
				for i := range values {
					values[i] = math.Ldexp(random.Float64()-0.5, random.IntN(20))
				}
				if singular >= 0 {
					for _, row := range []int{singular, rows - 1} { // its last column is zero
						clear(values[(row+1)*dim*dim-dim : (row+1)*dim*dim])
					}
				}
				set, err := rt.NewSet(halo.All(rows), "rows")
				if err != nil {
					t.Fatal(err)
				}
				self := make([]int32, rows)
				for i := range self {
					self[i] = int32(i)
				}
				m, err := entity.NewMap(set, set, 1, self, "self", false)
				if err != nil {
					t.Fatal(err)
				}
				sparsity, err := entity.NewSparsity([][2]*entity.Map{{m, m}}, dim, dim, "blocks")
				if err != nil {
					t.Fatal(err)
				}
				matrix, err := algebra.NewMatrix(sparsity, loop.Float64, "a")
				if err != nil {
					t.Fatal(err)
				}
				copy(valuesOf(matrix), values)
				s, err := New(Operator{Name: "a", Parts: []Part{{Set: set, Dim: dim}}, Matrix: algebra.NewBlock(matrix)}, Config{Engine: "native", Method: "cg", Preconditioner: "none"})
				if err != nil {
					t.Fatal(err)
				}
				e := s.engine.(*native)
				loops, err := e.newPoints(0, matrix)
				if err != nil {
					t.Fatal(err)
				}
				nonzeros, err := nonzerosOf(matrix)
				if err != nil {
					t.Fatal(err)
				}
				twin := precondition.NewPoints(nonzeros, 1)
				var pivot *badPivot
				var wantPivot *precondition.PivotError
				got, want := loops.update(false), twin.Update()
				if singular >= 0 {
					if !errors.As(got, &pivot) || !errors.As(want, &wantPivot) || pivot.Error() != e.found(0, want).Error() || wantPivot.Row/dim != singular {
						t.Fatalf("pivots: %v, %v, the first singular block is %d", got, want, singular)
					}
					return
				}
				if got != nil || want != nil {
					t.Fatal(got, want)
				}
				r, z := make([]float64, rows*dim), make([]float64, rows*dim)
				for i := range r {
					r[i] = random.Float64() - 0.5
				}
				vectors := [2]krylov.Vector{}
				for i := range vectors {
					if vectors[i] = e.New(); e.err != nil {
						t.Fatal(e.err)
					}
				}
				copy(entity.Overwriting[float64](e.dats(vectors[0])[0].Data), r)
				if err := loops.apply(vectors[1], vectors[0]); err != nil {
					t.Fatal(err)
				}
				twin.Apply(z, r)
				for i, v := range entity.Host[float64](e.dats(vectors[1])[0].Data) {
					if math.Abs(v-z[i]) > 1e-9*max(1, math.Abs(z[i])) {
						t.Fatalf("value %d is %v, want %v", i, v, z[i])
					}
				}
			})
		}
	}
}
