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

	"gonum.org/v1/gonum/mat"

	"github.com/go-op2/op2"
)

//go:embed solver_kernels_test.go
var solverTestSource string

// system is a linear system: a random sparse matrix on a set with a dim, with its right-hand side
// and solution.
type system struct {
	n, dim int
	dense  *mat.Dense
	x, b   []float64 // the solution by a dense direct solver, and the right-hand side
	rows   []int32   // the nonzero blocks
	cols   []int32
	blocks []float64 // [nonzeros][dim][dim]
}

// newSystem returns a system, symmetric and positive definite or unsymmetric, that iterations
// solve.
func newSystem(n, dim int, symmetric bool) *system {
	random := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	s := &system{n: n, dim: dim}
	size := n * dim
	if size == 0 {
		return s
	}
	s.dense = mat.NewDense(size, size, nil)
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
			s.dense.Set(i, j, v)
			if symmetric && j < i {
				s.dense.Set(i, j, s.dense.At(j, i))
			}
		}
	}
	for i := range size {
		sum := 1 + random.Float64()
		for j := range size {
			sum += math.Abs(s.dense.At(i, j))
		}
		s.dense.Set(i, i, sum)
	}
	for r := range n {
		for c := range n {
			if !there[r*n+c] {
				continue
			}
			s.rows, s.cols = append(s.rows, int32(r)), append(s.cols, int32(c))
			for i := range dim {
				for j := range dim {
					s.blocks = append(s.blocks, s.dense.At(r*dim+i, c*dim+j))
				}
			}
		}
	}
	s.b = make([]float64, size)
	for i := range s.b {
		s.b[i] = random.NormFloat64()
	}
	var x mat.VecDense
	if err := x.SolveVec(s.dense, mat.NewVecDense(size, s.b)); err != nil {
		panic(err)
	}
	s.x = slices.Clone(x.RawVector().Data)
	return s
}

// declared is a system in a runtime.
type declared struct {
	set      *op2.Set
	matrix   *op2.Mat[float64]
	operator *op2.FuncOperator // the same, by loops over the matrix's blocks
	x, b     *op2.Dat[float64]
}

// declare declares the system.
func (s *system) declare(t testing.TB, rt *op2.Runtime) *declared {
	t.Helper()
	d := &declared{set: newSet(t, rt, s.n, "nodes")}
	entries := newSet(t, rt, len(s.rows), "entries")
	row, col := newMap(t, entries, d.set, 1, s.rows, "row"), newMap(t, entries, d.set, 1, s.cols, "col")
	a := newDat(t, entries, s.dim*s.dim, s.blocks, "blocks")
	d.x, d.b = newDat[float64](t, d.set, s.dim, nil, "x"), newDat(t, d.set, s.dim, s.b, "b")
	source := op2.Kernels(solverTestSource)
	clearKernel, entryKernel := source.Func(clear1), source.Func(entry1)
	if s.dim == 2 {
		clearKernel, entryKernel = source.Func(clear2), source.Func(entry2)
	}
	diagonal := newDat[float64](t, d.set, s.dim, nil, "diagonal")
	values := op2.Must(diagonal.Data())
	for i := range values {
		values[i] = s.dense.At(i, i)
	}
	var err error
	d.operator, err = op2.NewOperator(d.set, s.dim, func(y, x *op2.Dat[float64]) error {
		if err := op2.ParLoop(clearKernel, d.set, y.Write()); err != nil {
			return err
		}
		return op2.ParLoop(entryKernel, entries, a.Read(), x.Read(col.At(0)), y.Inc(row.At(0)))
	}, diagonal, "operator")
	if err != nil {
		t.Fatal(err)
	}
	d.matrix = newMatrix(t, row, col, s.dim, s.blocks, "matrix")
	return d
}

// newMatrix creates a block matrix from blocks given row by row in the order of the maps' elements.
func newMatrix(t testing.TB, row, col *op2.Map, dim int, blocks []float64, name string) *op2.Mat[float64] {
	t.Helper()
	sparsity, err := op2.NewSparsity([]op2.MapPair{{Rows: row, Cols: col}}, dim, dim, name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := op2.NewMat[float64](sparsity, name)
	if err != nil {
		t.Fatal(err)
	}
	csr := op2.Must(m.CSR())
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

// newSolver creates a solver and closes it when the test ends.
func newSolver(t testing.TB, a op2.Operator, options ...op2.SolverOption) *op2.Solver {
	t.Helper()
	s, err := op2.NewSolver(a, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// within fails the test if a dat differs by more than the tolerance.
func within(t testing.TB, d *op2.Dat[float64], want []float64, tolerance float64) {
	t.Helper()
	got, err := d.DataRO()
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance) {
			t.Fatalf("%s[%d] = %g, want %g to %g", d.Name(), i, got[i], w, tolerance)
		}
	}
}

// conformSolvers compares the native methods, with every preconditioner, on matrices and on
// matrix-free operators, with a dense direct solver.
func conformSolvers(t *testing.T, open opener) {
	rt := open(t)
	for _, shape := range [][2]int{{0, 1}, {1, 1}, {2, 1}, {70, 1}, {1, 2}, {40, 2}} {
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			s := newSystem(shape[0], shape[1], method == "cg")
			d := s.declare(t, rt)
			for _, preconditioner := range []string{"none", "jacobi", "pbjacobi", "bjacobi", "ilu", "ssor"} {
				operators := []op2.Operator{d.matrix}
				if preconditioner == "none" || preconditioner == "jacobi" {
					operators = append(operators, d.operator)
				}
				for _, a := range operators {
					solver := newSolver(t, a, op2.WithMethod(method), op2.WithPreconditioner(preconditioner),
						op2.WithRTol(1e-12), op2.WithRestart(9), op2.WithBlocks(3))
					for range 2 {
						c, err := solver.Solve(d.x, d.b)
						if err != nil {
							t.Fatal(err)
						}
						if len(c.Residuals) != c.Iterations+1 {
							t.Errorf("%d residuals of %d iterations", len(c.Residuals), c.Iterations)
						}
						within(t, d.x, s.x, 1e-9)
					}
				}
			}
		}
	}
}

// openPETSc opens a runtime for tests that need PETSc; without it they are skipped.
func openPETSc(t testing.TB) *op2.Runtime {
	t.Helper()
	rt := op2.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	t.Cleanup(func() { rt.Close() })
	nodes := newSet(t, rt, 1, "nodes")
	identity := op2.Must(op2.NewOperator(nodes, 1, func(y, x *op2.Dat[float64]) error { return y.Copy(x) }, nil, "identity"))
	solver, err := op2.NewSolver(identity, op2.WithEngine("petsc"), op2.WithPreconditioner("none"))
	missing := ""
	if errors.Is(err, op2.ErrUnavailable) {
		missing = err.Error()
	} else if err != nil {
		t.Fatalf("%+v", err)
	}
	require(t, "petsc", missing)
	solver.Close()
	return rt
}

// Both engines agree with a dense direct solver and, with the same method and preconditioner, with
// each other iteration by iteration.
func TestSolversAgree(t *testing.T) {
	rt := openPETSc(t)
	for _, shape := range [][2]int{{60, 1}, {35, 2}} {
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			s := newSystem(shape[0], shape[1], method == "cg")
			d := s.declare(t, rt)
			for _, preconditioner := range []string{"none", "jacobi", "pbjacobi", "ilu", "ssor", "bjacobi"} {
				for _, guess := range []bool{false, true} {
					for _, a := range []op2.Operator{d.matrix, d.operator} {
						if a == d.operator && preconditioner != "none" && preconditioner != "jacobi" {
							continue
						}
						var results []op2.Convergence
						for _, engine := range []string{"native", "petsc"} {
							solver := newSolver(t, a, op2.WithEngine(engine), op2.WithMethod(method), op2.WithPreconditioner(preconditioner),
								op2.WithRTol(1e-10), op2.WithRestart(7), op2.WithBlocks(1), op2.WithInitialGuess(guess))
							if err := d.x.Fill(0.5); err != nil {
								t.Fatal(err)
							}
							c, err := solver.Solve(d.x, d.b)
							if err != nil {
								t.Fatal(err)
							}
							within(t, d.x, s.x, 1e-7)
							results = append(results, c)
						}
						if shape[1] > 1 && preconditioner == "ssor" {
							continue // PETSc sweeps over blocks of rows with the same columns
						}
						compareResiduals(t, fmt.Sprintf("%d×%d, %s + %s of %s, guess: %v", shape[0], shape[1], method, preconditioner, a.Name(), guess), results[0], results[1])
					}
				}
			}
		}
	}
}

// compareResiduals fails the test if two histories differ by more than growing rounding errors.
func compareResiduals(t *testing.T, what string, native, petsc op2.Convergence) {
	t.Helper()
	if n, p := native.Iterations, petsc.Iterations; n < p-1 || n > p+1 || native.Reason != petsc.Reason {
		t.Errorf("%s: native %s after %d, PETSc %s after %d", what, native.Reason, n, petsc.Reason, p)
	}
	for i := range min(len(native.Residuals), len(petsc.Residuals)) {
		n, p := native.Residuals[i], petsc.Residuals[i]
		if math.Abs(n-p) > 1e-5*p+1e-11*petsc.Residuals[0] {
			t.Errorf("%s: residual %d is %g, with PETSc %g", what, i, n, p)
			return
		}
	}
}

// The result is the same, bit for bit, for any number of threads.
func TestSolverThreads(t *testing.T) {
	infos := op2.Must(op2.Backends())
	for _, b := range infos {
		if !b.Available || b.Name == "sequential" {
			continue
		}
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			var first []float64
			for _, threads := range []int{1, 2, 3} {
				rt := op2.Must(op2.Open(op2.WithBackend(b.Name), op2.WithThreads(threads), op2.WithBlockSize(16), op2.WithLog(nil)))
				s := newSystem(150, 1, method == "cg")
				d := s.declare(t, rt)
				c, err := newSolver(t, d.matrix, op2.WithMethod(method)).Solve(d.x, d.b)
				if err != nil {
					t.Fatal(err)
				}
				x := append(slices.Clone(op2.Must(d.x.DataRO())), c.Residuals...)
				if first == nil {
					first = x
				} else if !slices.Equal(first, x) {
					t.Errorf("%s, %s: %d threads give another result than one", b.Name, method, threads)
				}
				rt.Close()
			}
		}
	}
}

// A solver is used for several right-hand sides and solutions, in turn, and uses changed values of
// the matrix; a preconditioner that should be kept is kept.
func TestSolverAgain(t *testing.T) {
	engines := []string{"native", "petsc"}
	for _, engine := range engines {
		var rt *op2.Runtime
		if engine == "petsc" {
			rt = openPETSc(t)
		} else {
			rt = op2.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
			defer rt.Close()
		}
		for _, dim := range []int{1, 2} {
			for _, preconditioner := range []string{"jacobi", "pbjacobi", "ilu", "bjacobi", "ssor"} {
				s := newSystem(40, dim, true)
				d := s.declare(t, rt)
				solver := newSolver(t, d.matrix, op2.WithEngine(engine), op2.WithPreconditioner(preconditioner), op2.WithRTol(1e-11))
				x2 := newDat[float64](t, d.set, dim, nil, "x2")
				b2 := newDat[float64](t, d.set, dim, nil, "b2")
				twice := op2.Must(b2.Data())
				want2 := slices.Clone(s.x)
				for i, v := range s.b {
					twice[i], want2[i] = 2*v, 2*s.x[i]
				}
				solve := func(x, b *op2.Dat[float64], want []float64) op2.Convergence {
					t.Helper()
					c, err := solver.Solve(x, b)
					if err != nil {
						t.Fatal(err)
					}
					within(t, x, want, 1e-8)
					return c
				}
				solve(d.x, d.b, s.x)
				solve(x2, b2, want2)
				before := solve(x2, d.b, s.x)
				solve(d.x, b2, want2)

				// Twice the matrix and twice the right-hand side.
				csr := op2.Must(d.matrix.CSR())
				for i := range csr.Values {
					csr.Values[i] *= 2
				}
				after := solve(d.x, b2, s.x)
				if math.Abs(after.Residuals[0]/before.Residuals[0]-1) > 1e-12 {
					t.Errorf("%s, %s: the first residual is %g, with twice everything %g", engine, preconditioner, before.Residuals[0], after.Residuals[0])
				}
				solver.ReusePreconditioner(true)
				solve(d.x, b2, s.x)
				for i := range csr.Values {
					csr.Values[i] *= 2
				}
				kept := solve(d.x, d.b, halves(s.x, 2))
				ratio := 0.5 // the old preconditioner, half the right-hand side
				if preconditioner == "ssor" {
					ratio = 0.25
				}
				if math.Abs(kept.Residuals[0]/after.Residuals[0]-ratio) > 1e-12 {
					t.Errorf("%s, %s: the first residual is %g, with the kept preconditioner %g", engine, preconditioner, after.Residuals[0], kept.Residuals[0])
				}
				solver.ReusePreconditioner(false)
				if c := solve(d.x, d.b, halves(s.x, 2)); math.Abs(c.Residuals[0]/after.Residuals[0]-0.25) > 1e-12 {
					t.Errorf("%s, %s: the preconditioner is still the old one", engine, preconditioner)
				}
			}
		}
	}
}

// halves returns the values, halved n times.
func halves(x []float64, n int) []float64 {
	h := slices.Clone(x)
	for i := range h {
		h[i] = math.Ldexp(h[i], -n)
	}
	return h
}

// PETSc's options select the method, and unused ones are reported.
func TestPETScOptions(t *testing.T) {
	openPETSc(t)
	var log strings.Builder
	rt := op2.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(&log)))
	defer rt.Close()
	s := newSystem(30, 2, false)
	d := s.declare(t, rt)
	solver := newSolver(t, d.matrix, op2.WithEngine("petsc"), op2.WithPETScOptions("-ksp_type preonly -pc_type lu -ksp_typo 3"))
	plain := newSolver(t, d.matrix, op2.WithEngine("petsc"), op2.WithMethod("gmres"))
	for range 2 {
		c, err := solver.Solve(d.x, d.b)
		if err != nil || c.Iterations != 1 {
			t.Errorf("%+v, %v", c, err)
		}
		within(t, d.x, s.x, 1e-12)
	}
	if want := "op2: warning: solver petsc preonly + lu of matrix: PETSc has no use for the options -ksp_typo\n"; log.String() != want {
		t.Errorf("%q, want once %s", log.String(), want)
	}
	if c, err := plain.Solve(d.x, d.b); err != nil || c.Iterations < 3 {
		t.Errorf("another solver has the options: %+v, %v", c, err)
	}
}

// A solve that does not converge is reported in addition to its error, or alone.
func TestSolverUnconverged(t *testing.T) {
	for _, engine := range []string{"native", "petsc"} {
		rt := openPETSc(t)
		s := newSystem(60, 1, true)
		d := s.declare(t, rt)
		options := []op2.SolverOption{op2.WithEngine(engine), op2.WithMaxIterations(2), op2.WithPreconditioner("none")}
		c, err := newSolver(t, d.matrix, options...).Solve(d.x, d.b)
		var failed *op2.SolverError
		if !errors.As(err, &failed) || c.Reason != "DIVERGED_ITS" || c.Iterations != 2 || len(c.Residuals) != 3 || failed.Iterations != 2 {
			t.Errorf("%+v, %v", c, err)
		}
		c, err = newSolver(t, d.matrix, append(options, op2.WithErrorIfNotConverged(false))...).Solve(d.x, d.b)
		if err != nil || c.Reason != "DIVERGED_ITS" || c.Reason.Converged() {
			t.Errorf("%+v, %v", c, err)
		}
		// The result so far is a start for further iterations.
		more := newSolver(t, d.matrix, op2.WithEngine(engine), op2.WithInitialGuess(true), op2.WithRTol(1e-12))
		if _, err := more.Solve(d.x, d.b); err != nil {
			t.Error(err)
		}
		within(t, d.x, s.x, 1e-9)
	}
}
