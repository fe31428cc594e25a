package optest

import (
	_ "embed"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/solver"
	"gonum.org/v1/gonum/mat"
)

//go:embed systemkernels.go
var systemSource string

// System is a linear system: a random sparse matrix on a set with a dim, with its right-hand side
// and solution.
type System struct {
	N, Dim int
	Dense  *mat.Dense
	X, B   []float64 // the solution by a dense direct solver, and the right-hand side
	Rows   []int32   // the nonzero blocks
	Cols   []int32
	Blocks []float64 // [nonzeros][dim][dim]
}

// NewSystem returns a system, symmetric and positive definite or unsymmetric, that iterations
// solve.
func NewSystem(n, dim int, symmetric bool) *System {
	random := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	s := &System{N: n, Dim: dim}
	size := n * dim
	if size == 0 {
		return s
	}
	s.Dense = mat.NewDense(size, size, nil)
	there := make([]bool, n*n)
	for r := range n {
		for _, c := range append(random.Perm(n)[:min(n, 3)], r) {
			there[r*n+c], there[c*n+r] = true, true
		}
	}
	for i := range size {
		for j := range size {
			v := random.NormFloat64()
			if !there[i/dim*n+j/dim] {
				continue
			}
			s.Dense.Set(i, j, v)
			if symmetric && j < i {
				s.Dense.Set(i, j, s.Dense.At(j, i))
			}
		}
	}
	for i := range size {
		sum := 1 + random.Float64()
		for j := range size {
			sum += math.Abs(s.Dense.At(i, j))
		}
		s.Dense.Set(i, i, sum)
	}
	for r := range n {
		for c := range n {
			if !there[r*n+c] {
				continue
			}
			s.Rows, s.Cols = append(s.Rows, int32(r)), append(s.Cols, int32(c))
			for i := range dim {
				for j := range dim {
					s.Blocks = append(s.Blocks, s.Dense.At(r*dim+i, c*dim+j))
				}
			}
		}
	}
	s.B = make([]float64, size)
	for i := range s.B {
		s.B[i] = random.NormFloat64()
	}
	var x mat.VecDense
	if err := x.SolveVec(s.Dense, mat.NewVecDense(size, s.B)); err != nil {
		panic(err)
	}
	s.X = slices.Clone(x.RawVector().Data)
	return s
}

// Declared is a system in a runtime.
type Declared struct {
	Set      *op2.Set
	Matrix   *op2.Mat[float64]
	Operator *solver.FuncOperator // the same, by loops over the matrix's blocks
	X, B     *op2.Dat[float64]
}

// Declare declares the system.
func (s *System) Declare(t testing.TB, rt *op2.Runtime) *Declared {
	t.Helper()
	d := &Declared{Set: NewSet(t, rt, s.N, "nodes")}
	nonzeros := NewSet(t, rt, len(s.Rows), "nonzeros")
	row, col := NewMap(t, nonzeros, d.Set, 1, s.Rows, "row"), NewMap(t, nonzeros, d.Set, 1, s.Cols, "col")
	a := NewDat(t, nonzeros, s.Dim*s.Dim, s.Blocks, "blocks")
	d.X, d.B = NewDat[float64](t, d.Set, s.Dim, nil, "x"), NewDat(t, d.Set, s.Dim, s.B, "b")
	source := op2.Kernels(systemSource)
	clearKernel, nonzeroKernel := source.Func(clear1), source.Func(nonzero1)
	if s.Dim == 2 {
		clearKernel, nonzeroKernel = source.Func(clear2), source.Func(nonzero2)
	}
	diagonal := NewDat[float64](t, d.Set, s.Dim, nil, "diagonal")
	values := Must(diagonal.Data())
	for i := range values {
		values[i] = s.Dense.At(i, i)
	}
	d.Operator = solver.NewOperator(d.Set, s.Dim, func(y, x *op2.Dat[float64]) error {
		if err := op2.ParLoop(clearKernel, d.Set, y.Write()); err != nil {
			return err
		}
		return op2.ParLoop(nonzeroKernel, nonzeros, a.Read(), x.Read(col.At(0)), y.Inc(row.At(0)))
	}, diagonal, "operator")
	d.Matrix = NewMatrix(t, row, col, s.Dim, s.Blocks, "matrix")
	return d
}

// NewMatrix creates a block matrix from blocks given row by row in the order of the maps' elements.
func NewMatrix(t testing.TB, row, col *op2.Map, dim int, blocks []float64, name string) *op2.Mat[float64] {
	t.Helper()
	sparsity := op2.NewSparsity([]op2.MapPair{{Rows: row, Cols: col}}, dim, dim, name)
	m := op2.NewMat[float64](sparsity, name)
	csr := Must(m.CSR())
	cols := col.Values()
	for e, r := range row.Values() {
		k := csr.RowPtr[r]
		for csr.ColIdx[k] != cols[e] {
			k++
		}
		for i := range dim {
			for j := range dim {
				csr.Values[(int(k)*dim+j)*dim+i] = blocks[(e*dim+i)*dim+j]
			}
		}
	}
	return m
}

// NewSolver creates a solver and closes it when the test ends.
func NewSolver(t testing.TB, a solver.Operator, options ...solver.Option) *solver.Solver {
	t.Helper()
	s := solver.New(a, options...)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
