package solver_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

// PETSc solves systems of several ranks of its own MPI, as the native engine does.
func TestPETScRanks(t *testing.T) {
	optest.NotShort(t)
	if !mpitest.Inside() {
		optest.OpenPETSc(t)
		mpitest.Run(t, mpitest.OpenMPI, 3, "TestPETScRanks")
		return
	}
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	if rt.Ranks() < 2 {
		t.Fatalf("%d ranks", rt.Ranks())
	}
	k := op2.Kernels(testSource)
	steps := optest.Steps(rt)
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 9, 6, 1, 1)).Declare(rt)
	left := m.NodesOf("left")
	a := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "scalars"), "a")
	sheet := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 2, "blocks"), "sheet")
	vectors := func(dim int) (x, y, b *op2.Dat[float64]) {
		dat := func(name string) *op2.Dat[float64] { return op2.NewDat[float64](m.Nodes, dim, nil, name) }
		return dat("x"), dat("y"), dat("b")
	}
	x, y, b := vectors(1)
	x2, y2, b2 := vectors(2)
	steps.Check(op2.ParLoop(k.Func(stiffness3), m.Cells, a.Inc(m.CellNodes, m.CellNodes), b.Inc(m.CellNodes), m.X.Read(m.CellNodes)))
	steps.Check(op2.ParLoop(k.Func(plane3), m.Cells, sheet.Inc(m.CellNodes, m.CellNodes), m.X.Read(m.CellNodes)))
	steps.Check(op2.ParLoop(k.Func(ramp2), m.Nodes, b2.Write(), op2.Index()))
	steps.Check(op2.NewDirichlet(op2.Fix(left, 0.5)).Apply(a, b))
	steps.Check(op2.NewDirichlet(op2.Fix(left, 0.0)).Apply(sheet, b2))
	modes := solver.RigidBodyModes(m.X)
	if err := steps.Err(); err != nil {
		t.Fatal(err)
	}
	draws := rand.New(rand.NewPCG(1, 2))
	var moved int64
	operator := solver.NewOperator(m.Nodes, 1, func(y, x *op2.Dat[float64]) error { return a.Mul(y, x) }, nil, "operator")
	solve := func(a solver.Operator, x, b *op2.Dat[float64], options ...solver.Option) solver.Convergence {
		t.Helper()
		system := solver.New(a, append(options, solver.WithRTol(1e-11))...)
		defer system.Close()
		c, err := system.Solve(x, b)
		if err != nil {
			t.Fatal(err)
		}
		steps.Check(x.Zero())
		r, err := optest.Shake(rt, draws)
		if err != nil {
			t.Fatal(err)
		}
		moved += r.Moved
		if _, err := system.Solve(x, b); err != nil { // after elements have moved
			t.Fatal(err)
		}
		return c
	}
	petsc := solver.PETSc
	for _, test := range []struct {
		a       solver.Operator
		x, y, b *op2.Dat[float64]
		native  string // a preconditioner of the native engine
		alike   bool   // that takes as many iterations
		options []solver.Option
	}{
		{a, x, y, b, "jacobi", true, nil},
		{sheet, x2, y2, b2, "jacobi", true, nil},
		{sheet, x2, y2, b2, "pbjacobi", true, []solver.Option{solver.PBJacobi}},
		{sheet, x2, y2, b2, "pbjacobi", true, []solver.Option{solver.WithPETScOptions("-pc_type pbjacobi -mat_type aij")}},
		{sheet, x2, y2, b2, "jacobi", false, []solver.Option{solver.GMRES, solver.BJacobi}},
		{sheet, x2, y2, b2, "jacobi", false, []solver.Option{solver.WithPETScOptions("-pc_type bjacobi -sub_pc_type icc")}},
		{sheet, x2, y2, b2, "jacobi", false, []solver.Option{solver.GMRES, solver.Preconditioner("asm")}},
		{operator, x, y, b, "none", false, []solver.Option{solver.None}},
		{a, x, y, b, "jacobi", false, []solver.Option{solver.GMRES, solver.BJacobi}},
		{a, x, y, b, "jacobi", false, []solver.Option{solver.Preconditioner("gamg")}},
		{sheet, x2, y2, b2, "jacobi", false, []solver.Option{solver.Preconditioner("gamg"), solver.WithNearNullSpace(modes...)}},
		{a, x, y, b, "jacobi", false, []solver.Option{solver.WithPETScOptions("-pc_type asm -ksp_type bcgs")}},
	} {
		native := solve(test.a, test.x, test.b, solver.Preconditioner(test.native))
		c := solve(test.a, test.y, test.b, append(test.options, petsc)...)
		if test.alike && (c.Iterations < native.Iterations-1 || c.Iterations > native.Iterations+1) {
			t.Errorf("%s: %d iterations, natively %d", test.a.Name(), c.Iterations, native.Iterations)
		}
		size := optest.Must(test.x.Norm())
		if err := test.y.Sub(test.x); err != nil {
			t.Fatal(err)
		}
		if off := optest.Must(test.y.Norm()); !(off <= 1e-8*size) {
			t.Errorf("%s, after %d iterations: %g off, of %g", test.a.Name(), c.Iterations, off, size)
		}
	}
	if moved == 0 {
		t.Error("no elements have moved")
	}
	system := solver.New(a, petsc, solver.WithMonitor(func(i int, _ float64) error {
		if i == 1 && rt.Rank() == 1 {
			return errors.New("enough")
		}
		return nil
	}))
	for range 2 { // the solver can be used again
		if _, err := system.Solve(y, b); err == nil || !strings.Contains(err.Error(), "enough") {
			t.Errorf("the monitor of rank 1 returned enough, Solve: %v", err)
		}
	}
	if err := system.Close(); err != nil {
		t.Error(err)
	}
	if math.IsNaN(optest.Must(y.Norm())) {
		t.Error("NaN")
	}
}

// A process that mpirun has started by itself ends as mpirun expects, though PETSc is never finalized.
func TestPETScOfOneRank(t *testing.T) {
	if !mpitest.Inside() {
		optest.OpenPETSc(t)
		mpitest.Run(t, mpitest.OpenMPI, 1, "TestPETScOfOneRank")
		return
	}
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))

	m := optest.Must(mesh.Rectangle(mesh.Triangle, 3, 3, 1, 1)).Declare(rt)
	a := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "scalars"), "a")
	optest.OK(t, rt.Err())
	for range 2 {
		system := solver.New(a, solver.PETSc)
		optest.OK(t, system.Close())
	}
	optest.OK(t, rt.Close())
}

// PETSc refuses ranks that are not of its own MPI, with words.
func TestPETScOfOtherRanks(t *testing.T) {
	optest.NotShort(t)
	expect := func(rank op2.Option, want string) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithLog(nil))
		if err != nil {
			return err
		}
		defer rt.Close()
		m := optest.Must(mesh.Rectangle(mesh.Triangle, 3, 3, 1, 1)).Declare(rt)
		a := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "scalars"), "a")
		if rt.Err() != nil {
			return rt.Err()
		}
		if err := solver.New(a, solver.PETSc).Err(); err == nil || !strings.Contains(err.Error(), want) {
			return fmt.Errorf("%v, want %s", err, want)
		}
		return nil
	}
	if mpitest.Inside() {
		if err := expect(op2.WithThreads(1), "was built with Open MPI, the ranks use MPICH"); err != nil {
			t.Error(err)
		}
		return
	}
	optest.OpenPETSc(t)
	if err := op2.RunRanks(2, func(rank op2.Option) error {
		return expect(rank, "engine petsc: it needs ranks of MPI, these are goroutines")
	}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/usr/bin/mpirun.mpich"); err == nil {
		mpitest.Run(t, mpitest.MPICH, 2, "TestPETScOfOtherRanks")
	}
}

// PETSc solves mixed systems of several ranks of its own MPI.
func TestMixedPETScRanks(t *testing.T) {
	optest.NotShort(t)
	if !mpitest.Inside() {
		optest.OpenPETSc(t)
		mpitest.Run(t, mpitest.OpenMPI, 2, "TestMixedPETScRanks")
		return
	}
	schur, petsc := solver.Schur, solver.PETSc
	tight := solver.WithSplit(0, solver.CG, solver.WithRTol(1e-12))
	for _, saddle := range []bool{false, true} {
		rt := optest.Open(t, op2.WithBackend("go"))
		if rt.Ranks() != 2 {
			t.Fatalf("%d ranks", rt.Ranks())
		}
		s, err := optest.NewMixedSystem(rt, saddle)
		optest.OK(t, err)
		for _, test := range []struct {
			name    string
			saddle  bool
			alike   bool // takes as many iterations as the native engine
			options []solver.Option
		}{
			{"jacobi", false, true, []solver.Option{solver.Jacobi}},
			{"defaults", false, true, nil},
			{"additive", false, true, []solver.Option{solver.Additive, solver.CG}},
			{"symmetric_multiplicative", false, true, []solver.Option{solver.SymmetricMultiplicative}},
			{"one matrix", false, false, []solver.Option{solver.BJacobi}},
			{"schur, self", true, true, []solver.Option{schur, tight, solver.WithSplit(1, solver.None)}},
			{"schur, selfp", true, true, []solver.Option{schur, tight, solver.WithSelfP()}},
			{"schur, user", true, true, []solver.Option{solver.SchurUpper, tight, solver.WithSchurMatrix(s.Mass), solver.WithSplit(1, solver.PreOnly)}},
			{"schur, a11", false, false, []solver.Option{schur, solver.WithSplit(1, solver.BJacobi)}},
		} {
			if test.saddle != saddle {
				continue
			}
			native := s.Solve(t, test.options...)
			c := s.Solve(t, append(test.options, petsc)...)
			if n, p := native.Iterations, c.Iterations; test.alike && (n < p-1 || n > p+1) {
				t.Errorf("%s: %d iterations, %d with PETSc", test.name, n, p)
			}
		}
		s.Solve(t, petsc, solver.WithPETScOptions("-mat_type aij -pc_type fieldsplit -pc_fieldsplit_type schur -fieldsplit_0_pc_type bjacobi -fieldsplit_1_pc_type none"))
	}
}
