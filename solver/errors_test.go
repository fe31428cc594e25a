package solver_test

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// solverFixture holds what the errors of solvers are about.
type solverFixture struct {
	t                  *testing.T
	rt                 *op2.Runtime
	nodes, cells       *op2.Set
	x, b, x2, onCells  *op2.Dat[float64]
	applied, undivided *solver.FuncOperator // with a diagonal, and without
	failure            error                // of applied
}

func newSolverFixture(t *testing.T) *solverFixture {
	f := &solverFixture{t: t, rt: optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))}
	t.Cleanup(func() { f.rt.Close() })
	f.nodes, f.cells = optest.NewSet(t, f.rt, 2, "nodes"), optest.NewSet(t, f.rt, 2, "cells")
	f.x, f.b = optest.NewDat(t, f.nodes, 1, []float64{7, 7}, "x"), optest.NewDat(t, f.nodes, 1, []float64{1, -1}, "b")
	f.x2, f.onCells = optest.NewDat[float64](t, f.nodes, 2, nil, "x2"), optest.NewDat[float64](t, f.cells, 1, nil, "c")
	diagonal := optest.NewDat(t, f.nodes, 1, []float64{1, 1}, "diagonal")
	apply := func(y, x *op2.Dat[float64]) error {
		if f.failure != nil {
			return f.failure
		}
		return y.Copy(x)
	}
	f.applied = solver.NewOperator(f.nodes, 1, apply, diagonal, "applied")
	f.undivided = solver.NewOperator(f.nodes, 1, apply, nil, "undivided")
	return f
}

// copied is the identity.
func copied(y, x *op2.Dat[float64]) error { return y.Copy(x) }

// matrix returns a full matrix on the nodes, given row by row.
func (f *solverFixture) matrix(values ...float64) *op2.Mat[float64] {
	f.t.Helper()
	nonzeros := optest.NewSet(f.t, f.rt, 4, "nonzeros")
	row := optest.NewMap(f.t, nonzeros, f.nodes, 1, []int32{0, 0, 1, 1}, "row")
	col := optest.NewMap(f.t, nonzeros, f.nodes, 1, []int32{0, 1, 0, 1}, "col")
	return optest.NewMatrix(f.t, row, col, 1, values, "m")
}

// make returns the error of a solver that cannot be created.
func (f *solverFixture) make(a solver.Operator, options ...solver.Option) error {
	return solver.New(a, options...).Err()
}

// solve returns the error of a solve.
func (f *solverFixture) solve(a solver.Operator, options ...solver.Option) error {
	f.t.Helper()
	return optest.Last(optest.NewSolver(f.t, a, options...).Solve(f.x, f.b))
}

var identity = []float64{1, 0, 0, 1}

var solverErrorTexts = []struct {
	name string
	call func(f *solverFixture) error
	want string
}{
	// Options.
	{"no operator", func(f *solverFixture) error { return f.make(nil) },
		`op2: solver.New: there is no operator`},
	{"nil matrix", func(f *solverFixture) error { return f.make((*op2.Mat[float64])(nil)) },
		`op2: solver.New: there is no operator`},
	{"nil function", func(f *solverFixture) error { return f.make((*solver.FuncOperator)(nil)) },
		`op2: solver.New: there is no operator`},
	{"engine", func(f *solverFixture) error { return f.make(f.applied, solver.Engine("pestc")) },
		`op2: there is no solver engine "pestc" (did you mean "petsc"?)
  hint: there are native, petsc`},
	{"direct method", func(f *solverFixture) error { return f.make(f.applied, solver.Method("lu")) },
		`op2: there is no native method "lu"
  hint: there are cg, bicgstab, minres, gmres, fgmres, preonly; the engine petsc has more, and factorizes matrices: solver.PETSc, solver.PreOnly, solver.Preconditioner("lu")`},
	{"method", func(f *solverFixture) error { return f.make(f.applied, solver.Method("gmers")) },
		`op2: there is no native method "gmers" (did you mean "gmres"?)
  hint: there are cg, bicgstab, minres, gmres, fgmres, preonly; the engine petsc has more`},
	{"preconditioner", func(f *solverFixture) error { return f.make(f.applied, solver.Preconditioner("gamg")) },
		`op2: there is no native preconditioner "gamg"
  hint: there are none, jacobi, pbjacobi, bjacobi, ilu, ssor, fieldsplit; the engine petsc has more`},
	{"rtol", func(f *solverFixture) error { return f.make(f.applied, solver.WithRTol(-1)) },
		`op2: solver: the relative tolerance is -1: a number from 0 is needed`},
	{"rtol of one", func(f *solverFixture) error { return f.make(f.applied, solver.WithRTol(1)) },
		`op2: solver: the relative tolerance is 1: a number below 1 is needed`},
	{"atol", func(f *solverFixture) error { return f.make(f.applied, solver.WithATol(math.NaN())) },
		`op2: solver: the absolute tolerance is NaN: a number from 0 is needed`},
	{"iterations", func(f *solverFixture) error { return f.make(f.applied, solver.WithMaxIterations(-1)) },
		`op2: solver: at most -1 iterations: a number from 0 is needed`},
	{"restart", func(f *solverFixture) error { return f.make(f.applied, solver.WithRestart(0)) },
		`op2: solver: a restart after 0 directions: at least 1 is needed`},
	{"blocks", func(f *solverFixture) error { return f.make(f.applied, solver.WithBlocks(0)) },
		`op2: solver: 0 blocks: at least 1 is needed`},
	{"options of PETSc", func(f *solverFixture) error { return f.make(f.applied, solver.WithPETScOptions("-pc_type lu")) },
		`op2: solver: options of PETSc are for the engine petsc, this one is native
  hint: solver.PETSc`},

	// Operators.
	{"operator without a set", func(f *solverFixture) error {
		return solver.NewOperator((*op2.Set)(nil), 1, copied, nil, "a").Err()
	}, `op2: operator a: there is no set`},
	{"operator without a function", func(f *solverFixture) error {
		return solver.NewOperator[*op2.Dat[float64]](f.nodes, 1, nil, nil, "a").Err()
	},
		`op2: operator a: there is no function`},
	{"operator dim", func(f *solverFixture) error {
		return solver.NewOperator(f.nodes, 0, copied, nil, "a").Err()
	}, `op2: operator a: a dim of at least 1 is needed, 0 was given`},
	{"operator diagonal", func(f *solverFixture) error {
		return solver.NewOperator(f.nodes, 1, copied, f.onCells, "a").Err()
	}, `op2: operator a: the diagonal takes a dat on nodes with dim 1, c is on cells and has dim 1`},
	{"operator on the wrong dat", func(f *solverFixture) error { return f.applied.Mul(f.x2, f.x) },
		`op2: operator applied: Mul takes a dat on nodes with dim 1, x2 is on nodes and has dim 2`},
	{"operator on nil", func(f *solverFixture) error { return f.applied.Mul(f.x, nil) },
		`op2: operator applied: Mul: the dat is nil`},
	{"operator in place", func(f *solverFixture) error { return f.applied.Mul(f.x, f.x) },
		`op2: operator applied: Mul: x is both the factor and the product`},
	{"matrix that is not square", func(f *solverFixture) error {
		nonzeros := optest.NewSet(f.t, f.rt, 1, "nonzeros")
		to := optest.NewMap(f.t, nonzeros, f.nodes, 1, []int32{0}, "to")
		sparsity := op2.NewSparsity([]op2.MapPair{{Rows: to, Cols: to}}, 2, 1, "s")
		return f.make(op2.NewMat[float64](sparsity, "m"))
	}, `op2: mat m: a solver takes a square matrix, this one has rows on nodes with dim 2, and columns on nodes with dim 1`},
	{"jacobi of the program's own operator", func(f *solverFixture) error { return f.make(struct{ *solver.FuncOperator }{f.applied}) },
		`op2: solver of applied: the preconditioner jacobi needs the diagonal of applied
  hint: give it to NewOperator, or the operator a method Diagonal, or solve with solver.None`},
	{"preconditioner of an operator", func(f *solverFixture) error { return f.make(f.applied, solver.ILU) },
		`op2: solver of applied: the preconditioner ilu needs a matrix, applied is only applied
  hint: jacobi needs its diagonal, none needs nothing`},
	{"jacobi of an operator", func(f *solverFixture) error { return f.make(f.undivided) },
		`op2: solver of undivided: the preconditioner jacobi needs the diagonal of undivided
  hint: give it to NewOperator, or the operator a method Diagonal, or solve with solver.None`},
	{"static", func(f *solverFixture) error {
		rt := optest.Must(op2.Open(op2.Static(), op2.WithBackend("go")))
		defer rt.Close()
		return f.make(solver.NewOperator(optest.NewSet(f.t, rt, 2, "nodes"), 1, copied, nil, "a"))
	}, `op2: solver of a: the runtime is static: it generates code and has no data`},

	// Solutions.
	{"wrong set", func(f *solverFixture) error {
		return optest.Last(optest.NewSolver(f.t, f.applied).Solve(f.x, f.onCells))
	},
		`op2: solver cg + jacobi of applied: Solve takes a dat on nodes with dim 1, c is on cells and has dim 1`},
	{"wrong dim", func(f *solverFixture) error { return optest.Last(optest.NewSolver(f.t, f.applied).Solve(f.x2, f.b)) },
		`op2: solver cg + jacobi of applied: Solve takes a dat on nodes with dim 1, x2 is on nodes and has dim 2`},
	{"nil", func(f *solverFixture) error { return optest.Last(optest.NewSolver(f.t, f.applied).Solve(nil, f.b)) },
		`op2: solver cg + jacobi of applied: Solve: the dat is nil`},
	{"no solver", func(f *solverFixture) error {
		var none *solver.Solver
		return errors.Join(none.Close(), new(solver.Solver).Close(), optest.Last(none.Solve(f.x, f.b)))
	}, `op2: the solver is nil, or was not made by solver.New`},
	{"undeclared operator", func(f *solverFixture) error { return f.make(new(solver.FuncOperator)) },
		`op2: solver.New: there is no operator`},
	{"undeclared mat", func(f *solverFixture) error { return f.make(new(op2.Mat[float64])) },
		`op2: solver.New: there is no operator`},
	{"product with an undeclared operator", func(f *solverFixture) error { return new(solver.FuncOperator).Mul(f.x, f.b) },
		`op2: the operator is nil, or was not made by solver.NewOperator`},
	{"near null space", func(f *solverFixture) error { return f.make(f.applied, solver.WithNearNullSpace(f.x)) },
		"op2: solver: near null spaces are for the engine petsc, this one is native\n  hint: solver.PETSc"},
	{"NaN on the right, from a guess", func(f *solverFixture) error {
		optest.Must(f.b.Data())[1] = math.NaN()
		return f.solve(f.matrix(2, 1, 1, 2), solver.WithInitialGuess(true), solver.None)
	}, `op2: solver cg + none of m: no convergence after 0 iterations: DIVERGED_NANORINF: the right-hand side b holds NaN, at element 1 of nodes`},
	{"in place", func(f *solverFixture) error { return optest.Last(optest.NewSolver(f.t, f.applied).Solve(f.b, f.b)) },
		`op2: solver cg + jacobi of applied: Solve: b is both the right-hand side and the solution`},
	{"empty names leave the defaults", func(f *solverFixture) error {
		return optest.Last(optest.NewSolver(f.t, f.applied, solver.Engine(""), solver.Method(""), solver.Preconditioner("")).Solve(f.b, f.b))
	}, `op2: solver cg + jacobi of applied: Solve: b is both the right-hand side and the solution`},
	{"closed", func(f *solverFixture) error {
		s := optest.NewSolver(f.t, f.applied)
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			return err
		}
		return optest.Last(s.Solve(f.x, f.b))
	}, `op2: solver cg + jacobi of applied: the solver is closed`},
	{"operator fails", func(f *solverFixture) error {
		f.failure = errors.New("no luck")
		return f.solve(f.applied)
	}, `op2: solver cg + jacobi of applied: no luck`},
	{"operator on the wrong set", func(f *solverFixture) error {
		wrong := solver.NewOperator(f.nodes, 1, func(y, x *op2.Dat[float64]) error { return f.onCells.Copy(x) }, nil, "wrong")
		return f.solve(wrong, solver.None)
	}, `op2: solver cg + none of wrong: dat c on cells: Copy takes a dat on cells with dim 1, solver4 is on nodes and has dim 1`},
	{"monitor", func(f *solverFixture) error {
		return f.solve(f.applied, solver.WithMonitor(func(int, float64) error { return errors.New("enough") }))
	}, `op2: solver cg + jacobi of applied: enough`},
	{"iterations used up", func(f *solverFixture) error {
		return f.solve(f.matrix(3, 0, 0, 1), solver.WithMaxIterations(1), solver.None)
	}, `op2: solver cg + none of m: no convergence after 1 iteration: DIVERGED_ITS: the norm of the residual is 0.707, it was 1.41 at first
  hint: allow more of them, or take another preconditioner or method`},
	{"indefinite", func(f *solverFixture) error { return f.solve(f.matrix(1, 1, 1, 1)) },
		`op2: solver cg + jacobi of m: no convergence after 0 iterations: DIVERGED_INDEFINITE_MAT: the norm of the residual is 1.41
  hint: cg needs a symmetric positive definite operator: check the boundary conditions, name the null space of a singular one by WithNullSpace, or take gmres or bicgstab`},
	{"singular, bicgstab", func(f *solverFixture) error { return f.solve(f.matrix(1, 1, 1, 1), solver.BiCGStab) },
		`op2: solver bicgstab + jacobi of m: no convergence after 0 iterations: DIVERGED_BREAKDOWN: the norm of the residual is 1.41
  hint: the operator may be singular: WithNullSpace names what it makes zero`},
	{"singular, gmres", func(f *solverFixture) error { return f.solve(f.matrix(1, 1, 1, 1), solver.GMRES) },
		`op2: solver gmres + jacobi of m: no convergence after 0 iterations: DIVERGED_BREAKDOWN: the norm of the residual is 1.41
  hint: the operator may be singular: WithNullSpace names what it makes zero`},
	{"null space of a regular operator", func(f *solverFixture) error {
		return f.solve(f.applied, solver.WithNullSpace())
	}, `op2: solver cg + jacobi of applied: WithNullSpace: the operator does not make constants zero: the product has 1 times the norm of the vector, that with a random vector 1 times
  hint: boundary conditions and terms without derivatives make an operator regular; such a one is solved without WithNullSpace`},
	{"null space of zeros", func(f *solverFixture) error {
		zeros := optest.NewDat[float64](f.t, f.nodes, 1, nil, "zeros")
		return f.make(f.matrix(1, -1, -1, 1), solver.WithNullSpace(zeros, zeros))
	}, `op2: solver of m: WithNullSpace: all vectors are zero: without vectors it is the constants`},
	{"null space that is not finite", func(f *solverFixture) error {
		return f.make(f.matrix(1, -1, -1, 1), solver.WithNullSpace(optest.NewDat(f.t, f.nodes, 1, []float64{1, math.NaN()}, "unset")))
	}, `op2: solver of m: WithNullSpace: unset holds NaN`},
	{"null space that is another", func(f *solverFixture) error {
		return f.solve(f.matrix(1, -1, -1, 1), solver.WithNullSpace(optest.NewDat(f.t, f.nodes, 1, []float64{1, 1}, "even"), optest.NewDat(f.t, f.nodes, 1, []float64{1, 1.000001}, "odd")))
	}, `op2: solver cg + jacobi of m: WithNullSpace: the operator does not make odd zero: the product has 1e-06 times the norm of the vector, that with a random vector 1.7 times
  hint: boundary conditions and terms without derivatives make an operator regular; such a one is solved without WithNullSpace`},
	{"zero on the diagonal", func(f *solverFixture) error { return f.solve(f.matrix(1, 1, 1, 0)) },
		`op2: solver cg + jacobi of m: no convergence after 0 iterations: DIVERGED_PC_FAILED: the preconditioner jacobi has a pivot of zero at element 1 of nodes
  hint: check that the matrix is assembled, and that boundary conditions determine the solution`},
	{"zero pivot", func(f *solverFixture) error { return f.solve(f.matrix(1, 1, 1, 1), solver.ILU) },
		`op2: solver cg + ilu of m: no convergence after 0 iterations: DIVERGED_PC_FAILED: the preconditioner ilu has a pivot of zero at element 1 of nodes
  hint: check that the matrix is assembled, and that boundary conditions determine the solution`},
	{"NaN on the right", func(f *solverFixture) error {
		optest.Must(f.b.Data())[1] = math.NaN()
		return f.solve(f.matrix(identity...))
	}, `op2: solver cg + jacobi of m: no convergence after 0 iterations: DIVERGED_NANORINF: the right-hand side b holds NaN, at element 1 of nodes`},
	{"infinite guess", func(f *solverFixture) error {
		optest.Must(f.x.Data())[0] = math.Inf(-1)
		return f.solve(f.matrix(identity...), solver.WithInitialGuess(true), solver.GMRES)
	}, `op2: solver gmres + jacobi of m: no convergence after 0 iterations: DIVERGED_NANORINF: the first guess x holds -Inf, at element 0 of nodes`},
	{"NaN in the matrix", func(f *solverFixture) error {
		return f.solve(f.matrix(1, math.NaN(), 0, 1), solver.BiCGStab)
	}, `op2: solver bicgstab + jacobi of m: no convergence after 0 iterations: DIVERGED_NANORINF: the matrix m holds NaN, at row 0, column 1 of nodes`},
	{"overflow", func(f *solverFixture) error {
		optest.Must(f.b.Data())[0] = 1e300
		return f.solve(f.matrix(identity...))
	}, `op2: solver cg + jacobi of m: no convergence after 0 iterations: DIVERGED_NANORINF: the norm of the residual is +Inf`},
}

// Errors have exactly these texts, and leave the solution's values finite.
func TestSolverErrors(t *testing.T) {
	for _, test := range solverErrorTexts {
		t.Run(test.name, func(t *testing.T) {
			f := newSolverFixture(t)
			optest.ExpectError(t, test.call(f), test.want)
			for _, v := range optest.Must(f.x.DataRO()) {
				if math.IsNaN(v) {
					t.Errorf("x holds %v", optest.Must(f.x.DataRO()))
				}
			}
			// The runtime still works.
			f.failure = nil
			if err := errors.Join(f.b.Fill(2), f.solve(f.applied)); err != nil {
				t.Error(err)
			}
			optest.Within(t, f.x, []float64{2, 2}, 1e-12)
		})
	}
}

var petscErrorTexts = []struct {
	name string
	call func(f *solverFixture) error
	want string
}{
	{"method", func(f *solverFixture) error { return f.make(f.applied, solver.Method("nonsense")) },
		`Unable to find requested KSP type nonsense (PETSc error 86 in KSPSetType)`},
	{"options", func(f *solverFixture) error { return f.make(f.applied, solver.WithPETScOptions("-pc_type nonsense")) },
		`Unable to find requested PC type nonsense (PETSc error 86 in PCSetType)`},
	{"preconditioner of an operator", func(f *solverFixture) error { return f.solve(f.applied, solver.Preconditioner("lu")) },
		`op2: solver petsc cg + lu of applied: PETSc: `},
	{"operator fails", func(f *solverFixture) error {
		f.failure = errors.New("no luck")
		return f.solve(f.applied)
	}, `op2: solver petsc cg + jacobi of applied: no luck`},
	{"monitor", func(f *solverFixture) error {
		return f.solve(f.applied, solver.WithMonitor(func(int, float64) error { return errors.New("enough") }))
	}, `op2: solver petsc cg + jacobi of applied: enough`},
	{"closed", func(f *solverFixture) error {
		s := optest.NewSolver(f.t, f.applied)
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			return err
		}
		return optest.Last(s.Solve(f.x, f.b))
	}, `op2: solver petsc cg + jacobi of applied: the solver is closed`},
	{"null space of a regular matrix", func(f *solverFixture) error {
		return f.solve(f.matrix(2, -1, -1, 2), solver.WithNullSpace())
	}, `op2: solver petsc cg + jacobi of m: WithNullSpace: the operator does not make constants zero`},
	{"no iterations", func(f *solverFixture) error {
		defer func() { optest.Within(f.t, f.x, []float64{0, 0}, 0) }()
		return f.solve(f.matrix(3, 0, 0, 1), solver.WithMaxIterations(0), solver.None)
	}, `op2: solver petsc cg + none of m: no convergence after 0 iterations: DIVERGED_ITS: the norm of the residual is 1.41
  hint: allow more of them`},
	{"near null space on the wrong set", func(f *solverFixture) error { return f.make(f.applied, solver.WithNearNullSpace(f.onCells)) },
		`op2: solver of applied: WithNearNullSpace takes a dat on nodes with dim 1, c is on cells and has dim 1`},
	{"wrong set", func(f *solverFixture) error {
		return optest.Last(optest.NewSolver(f.t, f.applied).Solve(f.x, f.onCells))
	},
		`op2: solver petsc cg + jacobi of applied: Solve takes a dat on nodes with dim 1, c is on cells and has dim 1`},
	{"indefinite", func(f *solverFixture) error { return f.solve(f.matrix(1, 1, 1, 1)) },
		`op2: solver petsc cg + jacobi of m: no convergence after 1 iteration: DIVERGED_INDEFINITE_MAT: `},
	{"singular", func(f *solverFixture) error { return f.solve(f.matrix(1, 1, 1, 1), solver.Preconditioner("lu")) },
		`op2: solver petsc cg + lu of m: no convergence after 0 iterations: DIVERGED_PC_FAILED: FACTOR_NUMERIC_ZEROPIVOT
  hint: check that the matrix is assembled, and that boundary conditions determine the solution`},
	{"NaN on the right of a direct method", func(f *solverFixture) error {
		optest.Must(f.b.Data())[1] = math.NaN()
		return f.solve(f.matrix(identity...), solver.PreOnly, solver.Preconditioner("lu"))
	}, `op2: solver petsc preonly + lu of m: no convergence after 1 iteration: DIVERGED_NANORINF: the right-hand side b holds NaN, at element 1 of nodes`},
	{"NaN on the right", func(f *solverFixture) error {
		optest.Must(f.b.Data())[1] = math.NaN()
		return f.solve(f.matrix(identity...))
	}, `op2: solver petsc cg + jacobi of m: no convergence after 0 iterations: DIVERGED_NANORINF: the right-hand side b holds NaN, at element 1 of nodes`},
	{"NaN in the matrix", func(f *solverFixture) error {
		return f.solve(f.matrix(1, math.NaN(), 0, 1), solver.GMRES)
	}, `DIVERGED_NANORINF: the matrix m holds NaN, at row 0, column 1 of nodes`},
}

// A failure in PETSc is returned with PETSc's message.
func TestPETScErrors(t *testing.T) {
	optest.OpenPETSc(t)
	t.Setenv("OP2_SOLVER", "petsc")
	for _, test := range petscErrorTexts {
		t.Run(test.name, func(t *testing.T) {
			f := newSolverFixture(t)
			err := test.call(f)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got:\n%v\nwant:\n%s", err, test.want)
			}
			f.failure = nil
			if err := errors.Join(f.b.Fill(2), f.solve(f.applied)); err != nil {
				t.Error(err)
			}
			optest.Within(t, f.x, []float64{2, 2}, 1e-12)
		})
	}
}

// Without PETSc the engine is unavailable, and says where it was searched for.
func TestPETScMissing(t *testing.T) {
	const nowhere = "/nowhere/petsc"
	if os.Getenv("PETSC_DIR") != nowhere { // in a process of its own, since a process has only one PETSc
		cmd := exec.Command(os.Args[0], "-test.run=^TestPETScMissing$", "-test.v")
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PETSC_") })
		cmd.Env = append(cmd.Env, "PETSC_DIR="+nowhere)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestPETScMissing") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	f := newSolverFixture(t)
	err := f.make(f.applied, solver.PETSc)
	if !errors.Is(err, op2.ErrUnavailable) {
		t.Errorf("%v is not ErrUnavailable", err)
	}
	optest.ExpectError(t, err, `op2: solver of applied: engine petsc: not available: no PETSc: looked for lib/petsc/conf/petscvariables in /nowhere/petsc
  hint: apt install petsc-dev (Debian, Ubuntu), or set PETSC_DIR, and PETSC_ARCH where the installation has one`)
}

// Diagnostics name the program's input, rather than a loop of the solver that spreads it.
func TestSolverDiags(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil), op2.WithDiags(true)))
	defer rt.Close()
	nodes := optest.NewSet(t, rt, 3, "nodes")
	x, b := optest.NewDat[float64](t, nodes, 1, nil, "x"), optest.NewDat(t, nodes, 1, []float64{1, 2, math.NaN()}, "b")
	identity := solver.NewOperator(nodes, 1, copied, nil, "identity")
	optest.ExpectError(t, optest.Last(optest.NewSolver(t, identity, solver.None).Solve(x, b)),
		"op2: solver cg + none of identity: no convergence after 0 iterations: DIVERGED_NANORINF: the right-hand side b holds NaN, at element 2 of nodes")
	c, err := optest.NewSolver(t, identity, solver.None, solver.WithErrorIfNotConverged(false)).Solve(x, b)
	if err != nil || c.Reason != "DIVERGED_NANORINF" {
		t.Errorf("%+v, %v", c, err)
	}
}

// Statistics include what runs outside loops.
func TestSolverStats(t *testing.T) {
	f := newSolverFixture(t)
	m := f.matrix(3, 0, 0, 1)
	for _, test := range []struct {
		option solver.Option
		want   []string
	}{
		{solver.ILU, []string{"product of m Go", "ilu set-up of m ", "ilu of m "}},
		{solver.PETSc, []string{"petsc set-up of m cg + jacobi", "petsc solution of m cg + jacobi"}},
	} {
		if strings.HasPrefix(test.want[0], "petsc") {
			optest.OpenPETSc(t)
		}
		f.rt.ResetStats()
		optest.OK(t, optest.Last(optest.NewSolver(t, m, test.option).Solve(f.x, f.b)))
		var got []string
		for _, s := range f.rt.Stats() {
			how, _, _ := strings.Cut(s.How, ",")
			got = append(got, s.Kernel+" "+how)
		}
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("there is no %q in %q", want, got)
			}
		}
	}
}
