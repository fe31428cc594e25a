package solver_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed kernels_test.go
var testSource string

// Both engines agree with a dense direct solver and, with the same method and preconditioner, with
// each other iteration by iteration.
func TestSolversAgree(t *testing.T) {
	optest.NotShort(t)
	rt := optest.OpenPETSc(t)
	for _, shape := range [][2]int{{60, 1}, {35, 2}} {
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			s := optest.NewSystem(shape[0], shape[1], method == "cg")
			d := s.Declare(t, rt)
			for _, preconditioner := range []string{"none", "jacobi", "pbjacobi", "ilu", "ssor", "bjacobi"} {
				for _, guess := range []bool{false, true} {
					for _, a := range []solver.Operator{d.Matrix, d.Operator} {
						if a == d.Operator && preconditioner != "none" && preconditioner != "jacobi" {
							continue
						}
						var results []solver.Convergence
						for _, engine := range []string{"native", "petsc"} {
							system := optest.NewSolver(t, a, solver.Engine(engine), solver.Method(method), solver.Preconditioner(preconditioner),
								solver.WithRTol(1e-10), solver.WithRestart(7), solver.WithBlocks(1), solver.WithInitialGuess(guess))
							if err := d.X.Fill(0.5); err != nil {
								t.Fatal(err)
							}
							c, err := system.Solve(d.X, d.B)
							if err != nil {
								t.Fatal(err)
							}
							optest.Within(t, d.X, s.X, 1e-7)
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
func compareResiduals(t *testing.T, what string, native, petsc solver.Convergence) {
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
	for _, b := range optest.Must(op2.Backends()) {
		if !b.Available || b.Name != "go" && b.Name != "openmp" {
			continue
		}
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			var first []float64
			for _, threads := range []int{1, 2, 3} {
				rt := optest.Must(op2.Open(op2.WithBackend(b.Name), op2.WithThreads(threads), op2.WithBlockSize(16), op2.WithLog(nil)))
				s := optest.NewSystem(150, 1, method == "cg")
				d := s.Declare(t, rt)
				c, err := optest.NewSolver(t, d.Matrix, solver.Method(method)).Solve(d.X, d.B)
				if err != nil {
					t.Fatal(err)
				}
				x := append(slices.Clone(optest.Must(d.X.DataRO())), c.Residuals...)
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
			rt = optest.OpenPETSc(t)
		} else {
			rt = optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
			defer rt.Close()
		}
		for _, dim := range []int{1, 2} {
			for _, preconditioner := range []string{"jacobi", "pbjacobi", "ilu", "bjacobi", "ssor"} {
				s := optest.NewSystem(40, dim, true)
				d := s.Declare(t, rt)
				system := optest.NewSolver(t, d.Matrix, solver.Engine(engine), solver.Preconditioner(preconditioner), solver.WithRTol(1e-11))
				x2 := optest.NewDat[float64](t, d.Set, dim, nil, "x2")
				b2 := optest.NewDat[float64](t, d.Set, dim, nil, "b2")
				twice := optest.Must(b2.Data())
				want2 := slices.Clone(s.X)
				for i, v := range s.B {
					twice[i], want2[i] = 2*v, 2*s.X[i]
				}
				solve := func(x, b *op2.Dat[float64], want []float64) solver.Convergence {
					t.Helper()
					c, err := system.Solve(x, b)
					if err != nil {
						t.Fatal(err)
					}
					optest.Within(t, x, want, 1e-8)
					return c
				}
				solve(d.X, d.B, s.X)
				solve(x2, b2, want2)
				before := solve(x2, d.B, s.X)
				solve(d.X, b2, want2)

				// Twice the matrix and twice the right-hand side.
				csr := optest.Must(d.Matrix.CSR())
				for i := range csr.Values {
					csr.Values[i] *= 2
				}
				after := solve(d.X, b2, s.X)
				if math.Abs(after.Residuals[0]/before.Residuals[0]-1) > 1e-12 {
					t.Errorf("%s, %s: the first residual is %g, with twice everything %g", engine, preconditioner, before.Residuals[0], after.Residuals[0])
				}
				system.ReusePreconditioner(true)
				solve(d.X, b2, s.X)
				for i := range csr.Values {
					csr.Values[i] *= 2
				}
				kept := solve(d.X, d.B, halves(s.X, 2))
				ratio := 0.5 // the old preconditioner, half the right-hand side
				if preconditioner == "ssor" {
					ratio = 0.25
				}
				if math.Abs(kept.Residuals[0]/after.Residuals[0]-ratio) > 1e-12 {
					t.Errorf("%s, %s: the first residual is %g, with the kept preconditioner %g", engine, preconditioner, after.Residuals[0], kept.Residuals[0])
				}
				system.ReusePreconditioner(false)
				if c := solve(d.X, d.B, halves(s.X, 2)); math.Abs(c.Residuals[0]/after.Residuals[0]-0.25) > 1e-12 {
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
	optest.OpenPETSc(t)
	var log strings.Builder
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(&log)))
	defer rt.Close()
	s := optest.NewSystem(30, 2, false)
	d := s.Declare(t, rt)
	system := optest.NewSolver(t, d.Matrix, solver.PETSc, solver.WithPETScOptions("-ksp_type preonly -pc_type lu -ksp_typo 3"))
	plain := optest.NewSolver(t, d.Matrix, solver.PETSc, solver.GMRES)
	for range 2 {
		c, err := system.Solve(d.X, d.B)
		if err != nil || c.Iterations != 1 {
			t.Errorf("%+v, %v", c, err)
		}
		optest.Within(t, d.X, s.X, 1e-12)
	}
	if want := "op2: warning: solver petsc preonly + lu of matrix: PETSc does not use the options -ksp_typo\n"; log.String() != want {
		t.Errorf("%q, want once %s", log.String(), want)
	}
	if c, err := plain.Solve(d.X, d.B); err != nil || c.Iterations < 3 {
		t.Errorf("another solver has the options: %+v, %v", c, err)
	}
}

// A solve that does not converge is reported in addition to its error, or alone.
func TestSolverUnconverged(t *testing.T) {
	for _, engine := range []string{"native", "petsc"} {
		rt := optest.OpenPETSc(t)
		s := optest.NewSystem(60, 1, true)
		d := s.Declare(t, rt)
		options := []solver.Option{solver.Engine(engine), solver.WithMaxIterations(2), solver.None}
		c, err := optest.NewSolver(t, d.Matrix, options...).Solve(d.X, d.B)
		var failed *solver.Error
		if !errors.As(err, &failed) || c.Reason != "DIVERGED_ITS" || c.Iterations != 2 || len(c.Residuals) != 3 || failed.Iterations != 2 {
			t.Errorf("%+v, %v", c, err)
		}
		c, err = optest.NewSolver(t, d.Matrix, append(options, solver.WithErrorIfNotConverged(false))...).Solve(d.X, d.B)
		if err != nil || c.Reason != "DIVERGED_ITS" || c.Reason.Converged() {
			t.Errorf("%+v, %v", c, err)
		}
		// The result so far is a start for further iterations.
		more := optest.NewSolver(t, d.Matrix, solver.Engine(engine), solver.WithInitialGuess(true), solver.WithRTol(1e-12))
		if _, err := more.Solve(d.X, d.B); err != nil {
			t.Error(err)
		}
		optest.Within(t, d.X, s.X, 1e-9)
	}
}

// twice is an operator of a program: a matrix times two.
type twice struct {
	*op2.Mat[float64]
	measured int // calls of Diagonal
}

func (o *twice) Mul(y, x op2.Vector[float64]) error {
	if err := o.Mat.Mul(y, x); err != nil {
		return err
	}
	return y.(*op2.Dat[float64]).Scale(2)
}

func (o *twice) Diagonal(to op2.Vector[float64]) error {
	o.measured++
	if err := o.Mat.Diagonal(to); err != nil {
		return err
	}
	return to.(*op2.Dat[float64]).Scale(2)
}

// A type of the program's own is an operator, whose diagonal is measured for each new
// preconditioner.
func TestOwnOperator(t *testing.T) {
	for _, engine := range []string{"native", "petsc"} {
		for _, dim := range []int{1, 2} {
			t.Run(fmt.Sprint(engine, dim), func(t *testing.T) {
				rt := optest.Open(t)
				if engine == "petsc" {
					rt = optest.OpenPETSc(t)
				}
				s := optest.NewSystem(40, dim, true)
				d := s.Declare(t, rt)
				operator := &twice{Mat: d.Matrix}
				system := optest.NewSolver(t, operator, solver.Engine(engine), solver.WithRTol(1e-12))
				for range 2 {
					if _, err := system.Solve(d.X, d.B); err != nil {
						t.Fatal(err)
					}
					optest.Within(t, d.X, halves(s.X, 1), 1e-8)
				}
				system.ReusePreconditioner(true)
				if _, err := system.Solve(d.X, d.B); err != nil {
					t.Fatal(err)
				}
				if operator.measured != 2 {
					t.Errorf("the diagonal was measured %d times, want 2", operator.measured)
				}
			})
		}
	}
}

// After a preconditioner that could not be built there is none to keep: the next solve builds it.
func TestReuseAfterFailure(t *testing.T) {
	rt := optest.Open(t)
	for _, preconditioner := range []string{"jacobi", "pbjacobi", "ilu", "bjacobi"} {
		s := optest.NewSystem(20, 2, true)
		d := s.Declare(t, rt)
		system := optest.NewSolver(t, d.Matrix, solver.Preconditioner(preconditioner), solver.WithRTol(1e-10))
		first := optest.Must(system.Solve(d.X, d.B))
		csr := optest.Must(d.Matrix.CSR())
		whole := slices.Clone(csr.Values)
		for k := csr.RowPtr[7] * 4; k < csr.RowPtr[8]*4; k++ {
			csr.Values[k] = 0
		}
		if _, err := system.Solve(d.X, d.B); err == nil || !strings.Contains(err.Error(), "DIVERGED_PC_FAILED") {
			t.Errorf("%s: a row of zeros: %v", preconditioner, err)
		}
		system.ReusePreconditioner(true)
		copy(optest.Must(d.Matrix.CSR()).Values, whole)
		again, err := system.Solve(d.X, d.B)
		if err != nil || again.Iterations != first.Iterations {
			t.Errorf("%s: %d iterations after the failure, %d before; %v", preconditioner, again.Iterations, first.Iterations, err)
		}
	}
}
