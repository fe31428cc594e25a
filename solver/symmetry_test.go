package solver_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

// sheet is an elastic sheet with planes of symmetry on the left and below, pulled on the
// right: its strain is constant, and so linear elements have the exact solution.
type sheet struct {
	rt                 *op2.Runtime
	nodes              *op2.Set
	left, below, right *op2.Subset
	k                  *op2.Mat[float64]
	x, u, b            *op2.Dat[float64]
	exact              []float64
	pulled             *op2.Condition[float64]
	strain             float64
}

func newSheet(t testing.TB, rt *op2.Runtime, n int) *sheet {
	t.Helper()
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 2*n, n, 2, 1))
	s := &sheet{rt: rt, nodes: optest.NewSet(t, rt, m.Nodes(), "nodes"), strain: 0.01}
	cells := optest.NewSet(t, rt, m.Cells(), "cells")
	cell2node := optest.NewMap(t, cells, s.nodes, 3, m.Blocks[0].Nodes, "cell2node")
	s.x, s.u, s.b = optest.NewDat(t, s.nodes, 2, m.Points, "x"), optest.NewDat[float64](t, s.nodes, 2, nil, "u"), optest.NewDat[float64](t, s.nodes, 2, nil, "b")
	var left, below, right []int
	for i := range m.Nodes() {
		x, y := m.Points[2*i], m.Points[2*i+1]
		if x < 1e-9 {
			left = append(left, i)
		}
		if y < 1e-9 {
			below = append(below, i)
		}
		if x > 2-1e-9 {
			right = append(right, i)
		}
		s.exact = append(s.exact, s.strain*x, -0.3*s.strain*y)
	}
	s.left, s.below = op2.NewSubset(s.nodes, left, "left"), op2.NewSubset(s.nodes, below, "below")
	s.right = op2.NewSubset(s.nodes, right, "right")
	s.pulled = op2.Fix(s.right, 2*s.strain).Components(0)
	s.k = op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: cell2node, Cols: cell2node}}, 2, 2, "pattern"), "k")
	optest.Run(t, op2.Kernels(testSource).Func(plane3), cells, s.k.Inc(cell2node, cell2node), s.x.Read(cell2node))
	return s
}

// conditions returns the symmetric conditions.
func (s *sheet) conditions() *op2.Dirichlet[float64] {
	return op2.NewDirichlet(op2.Fix(s.left, 0.0).Components(0), op2.Fix(s.below, 0.0).Components(1), s.pulled)
}

// zeroRows fixes the same values by rows alone.
func (s *sheet) zeroRows(t testing.TB) {
	t.Helper()
	optest.OK(t, s.conditions().ApplyTo(s.b))
	optest.OK(t, s.k.ZeroRows(s.left, 1, 0))
	optest.OK(t, s.k.ZeroRows(s.below, 1, 1))
	optest.OK(t, s.k.ZeroRows(s.right, 1, 0))
}

// Conjugate gradients with every preconditioner solve systems with Dirichlet conditions.
func TestElasticity(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithLog(nil), op2.WithDiags(true)))
	defer rt.Close()
	s := newSheet(t, rt, 12)
	optest.OK(t, s.conditions().Apply(s.k, s.b))
	for _, preconditioner := range []string{"none", "jacobi", "pbjacobi", "bjacobi", "ilu", "ssor"} {
		optest.OK(t, optest.Last(optest.NewSolver(t, s.k, solver.Preconditioner(preconditioner), solver.WithRTol(1e-11)).Solve(s.u, s.b)))
		optest.Within(t, s.u, s.exact, 1e-9)
	}
}

// Multigrid takes few iterations with the body's rigid modes, and direct solvers are right.
func TestElasticityPETSc(t *testing.T) {
	optest.OpenPETSc(t)
	rt := optest.Must(op2.Open(op2.WithLog(nil), op2.WithBackend("go")))
	defer rt.Close()
	s := newSheet(t, rt, 40)
	optest.OK(t, s.conditions().Apply(s.k, s.b))
	modes := solver.RigidBodyModes(s.x)
	iterations := map[string]int{}
	for _, test := range []struct {
		name, method, preconditioner string
		nearNull                     []op2.Vector[float64]
	}{
		{"gamg", "cg", "gamg", nil}, {"modes", "cg", "gamg", modes}, {"icc", "cg", "icc", nil}, {"cholesky", "preonly", "cholesky", nil},
		{"dependent", "cg", "gamg", append(modes, modes[2])},
	} {
		system := optest.NewSolver(t, s.k, solver.PETSc, solver.Method(test.method), solver.Preconditioner(test.preconditioner),
			solver.WithRTol(1e-10), solver.WithNearNullSpace(test.nearNull...))
		c, err := system.Solve(s.u, s.b)
		optest.OK(t, err)
		optest.Within(t, s.u, s.exact, 1e-8)
		iterations[test.name] = c.Iterations
	}
	if n := iterations["modes"]; n > 25 || n >= iterations["gamg"] || n != iterations["dependent"] {
		t.Errorf("iterations: %v", iterations)
	}
}

// A body that is held nowhere: its rigid modes are the null space.
func TestNullSpace(t *testing.T) {
	optest.NotShort(t)
	rt := optest.Must(op2.Open(op2.WithLog(nil), op2.WithBackend("go")))
	defer rt.Close()
	s := newSheet(t, rt, 6)
	modes := solver.RigidBodyModes(s.x)
	stretch, b := optest.NewDat(t, s.nodes, 2, s.exact, "stretch"), s.b
	optest.OK(t, s.k.Mul(b, stretch))
	for _, mode := range modes { // the only solution without rigid motion
		mode := mode.(*op2.Dat[float64])
		along, size := optest.Must(stretch.Inner(mode)), optest.Must(mode.Inner(mode))
		optest.OK(t, stretch.AXPY(-along/size, mode))
	}
	want := optest.Must(stretch.Data())
	optest.OK(t, b.AXPY(1e-3, modes[1].(*op2.Dat[float64]))) // cannot be balanced by any displacement
	for name, options := range map[string][]solver.Option{
		"jacobi": nil, "ssor": {solver.SSOR}, "gmres": {solver.GMRES}, "fgmres": {solver.FGMRES},
		"petsc": {solver.PETSc}, "petsc gmres": {solver.PETSc, solver.GMRES},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "petsc") {
				optest.OpenPETSc(t)
			}
			options = append(options, solver.WithNullSpace(append(modes, modes[0])...), solver.WithRTol(1e-11))
			system := optest.NewSolver(t, s.k, options...)
			for range 2 {
				optest.OK(t, optest.Last(system.Solve(s.u, b)))
				optest.Within(t, s.u, want, 1e-9)
			}
		})
	}

	// A membrane that is held nowhere: constants.
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 7, 5, 1, 1))
	nodes, cells := optest.NewSet(t, rt, m.Nodes(), "nodes"), optest.NewSet(t, rt, m.Cells(), "cells")
	cell2node := optest.NewMap(t, cells, nodes, 3, m.Blocks[0].Nodes, "cell2node")
	x, load := optest.NewDat(t, nodes, 2, m.Points, "x"), optest.NewDat[float64](t, nodes, 1, nil, "load")
	k := op2.NewMat[float64](op2.NewSquareSparsity(cell2node, 1, "pattern"), "k")
	optest.Run(t, op2.Kernels(testSource).Func(stiffness3), cells, k.Inc(cell2node, cell2node), load.Inc(cell2node), x.Read(cell2node))
	u, force := optest.NewDat[float64](t, nodes, 1, nil, "u"), optest.NewDat[float64](t, nodes, 1, nil, "force")
	exact, mean := make([]float64, m.Nodes()), 0.0
	for i := range exact {
		exact[i] = m.Points[2*i] * m.Points[2*i]
		mean += exact[i] / float64(m.Nodes())
	}
	for i := range exact {
		exact[i] -= mean
	}
	optest.OK(t, k.Mul(force, optest.NewDat(t, nodes, 1, exact, "exact")))
	for _, method := range []string{"cg", "gmres", "bicgstab"} {
		optest.OK(t, optest.Last(optest.NewSolver(t, k, solver.Method(method), solver.WithNullSpace(), solver.WithRTol(1e-11)).Solve(u, force)))
		optest.Within(t, u, exact, 1e-8)
	}
	testNullSpaceOfOneSide(t, rt)
}

// Where the transposed matrix does not make the null space zero, all of the right-hand side counts.
func testNullSpaceOfOneSide(t *testing.T, rt *op2.Runtime) {
	ends, bar := optest.NewSet(t, rt, 2, "ends"), optest.NewSet(t, rt, 1, "bar")
	both := optest.NewMap(t, bar, ends, 2, []int32{0, 1}, "both")
	k := op2.NewMat[float64](op2.NewSquareSparsity(both, 1, "pattern"), "k")
	for i, row := range [][]float64{{1, -1}, {2, -2}} {
		for j, v := range row {
			optest.OK(t, k.Set(i, j, v))
		}
	}
	u, b := optest.NewDat[float64](t, ends, 1, nil, "u"), optest.NewDat(t, ends, 1, []float64{1, 2}, "b")
	for _, method := range []string{"gmres", "fgmres"} {
		optest.OK(t, optest.Last(optest.NewSolver(t, k, solver.Method(method), solver.None, solver.WithNullSpace()).Solve(u, b)))
		optest.Within(t, u, []float64{0.5, -0.5}, 1e-12)
	}
}

const asymmetric = `row 0, column 2 is 0 and row 2, column 0 is -0.549451`

// An unsymmetric matrix for a solver that needs a symmetric one is found.
func TestAsymmetry(t *testing.T) {
	optest.NotShort(t)
	var log bytes.Buffer
	open := func(options ...op2.Option) *sheet {
		log.Reset()
		rt := optest.Must(op2.Open(append([]op2.Option{op2.WithBackend("go"), op2.WithLog(&log)}, options...)...))
		t.Cleanup(func() { rt.Close() })
		s := newSheet(t, rt, 2)
		s.zeroRows(t)
		return s
	}
	const hint = "\n  hint: ZeroRows leaves the columns of fixed values, op2.NewDirichlet does not; gmres and bicgstab, with ilu or lu, take any matrix"

	// Without diagnostics it is a warning, once, which is also in errors.
	s := open()
	system := optest.NewSolver(t, s.k, solver.WithErrorIfNotConverged(false))
	for range 2 {
		optest.OK(t, optest.Last(system.Solve(s.u, s.b)))
	}
	if got, want := log.String(), "op2: warning: solver cg + jacobi of k: cg needs a symmetric matrix, but "+asymmetric+hint+"\n"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	optest.ExpectError(t, optest.Last(optest.NewSolver(t, s.k, solver.WithMaxIterations(1)).Solve(s.u, s.b)),
		"op2: solver cg + jacobi of k: no convergence after 1 iteration: DIVERGED_ITS: cg needs a symmetric matrix, but "+asymmetric+hint)
	optest.OK(t, optest.Last(optest.NewSolver(t, s.k, solver.GMRES).Solve(s.u, s.b)))
	optest.Within(t, s.u, s.exact, 1e-6)

	s = open(op2.WithDiags(true))
	optest.ExpectError(t, optest.Last(optest.NewSolver(t, s.k).Solve(s.u, s.b)), "op2: solver cg + jacobi of k: cg needs a symmetric matrix, but "+asymmetric+hint)
	optest.OK(t, optest.Last(optest.NewSolver(t, s.k, solver.GMRES).Solve(s.u, s.b)))
	if log.Len() > 0 {
		t.Errorf("a warning: %s", log.String())
	}

	optest.OpenPETSc(t)
	s = open()
	for _, preconditioner := range []string{"cholesky", "icc"} {
		err := optest.Last(optest.NewSolver(t, s.k, solver.PETSc, solver.PreOnly, solver.WithPETScOptions("-pc_type "+preconditioner)).Solve(s.u, s.b))
		optest.ExpectError(t, err, "op2: solver petsc preonly + "+preconditioner+" of k: "+preconditioner+" needs a symmetric matrix, but "+asymmetric+hint)
	}
	optest.OK(t, optest.Last(optest.NewSolver(t, s.k, solver.PETSc, solver.WithErrorIfNotConverged(false)).Solve(s.u, s.b)))
	if !strings.Contains(log.String(), "solver petsc cg + jacobi of k: cg needs a symmetric matrix, but "+asymmetric) {
		t.Errorf("the log is %q", log.String())
	}
}
