package solver_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
	"gonum.org/v1/gonum/mat"
)

// meanSystem is a pure Neumann problem on the unit square, whose solution has a given mean value: the constraint's multiplier
// is a dat on a set of one element, to which all cells lead.
type meanSystem struct {
	rt   *op2.Runtime
	m    *mesh.Declared
	one  *op2.Set
	both *op2.MixedMap     // from cells to nodes, and to the multiplier
	a    *op2.Mat[float64] // without a block of the multiplier with itself
	full *op2.Mat[float64] // with one, of a zero
	x, b *op2.MixedDat[float64]
}

// newMeanSystem declares and assembles the problem on n by n squares.
func newMeanSystem(rt *op2.Runtime, n int) (*meanSystem, error) {
	square, err := mesh.Rectangle(mesh.Triangle, n, n, 1, 1)
	if err != nil {
		return nil, err
	}
	s := &meanSystem{rt: rt, m: square.Declare(rt), one: rt.NewSet(1, "one")}
	s.both = op2.NewMixedMap([]*op2.Map{s.m.CellNodes, op2.NewMap(s.m.Cells, s.one, 1, make([]int, square.Cells()), "cell2one")}, "both")
	vector := func(name string) *op2.MixedDat[float64] {
		return op2.NewMixedDat([]*op2.Dat[float64]{op2.NewDat[float64](s.m.Nodes, 1, nil, name+"u"), op2.NewDat[float64](s.one, 1, nil, name+"m")}, name)
	}
	s.x, s.b = vector("x"), vector("b")
	s.a = op2.NewMat[float64](op2.NewSquareSparsity(s.both, []int{1, 1}, "a", [2]int{1, 1}), "a")
	s.full = op2.NewMat[float64](op2.NewSquareSparsity(s.both, []int{1, 1}, "full"), "full")
	if err := rt.Err(); err != nil {
		return nil, err
	}
	assemble := func(a *op2.Mat[float64], b *op2.MixedDat[float64]) error {
		return op2.ParLoop(op2.Kernels(testSource).Func(meanValue), s.m.Cells, a.Inc(s.both, s.both), b.Inc(s.both), s.m.X.Read(s.m.CellNodes))
	}
	return s, errors.Join(assemble(s.a, s.b), assemble(s.full, s.b.Duplicate("other")))
}

// solve solves, and returns the root of the mean square of the error at the nodes.
func (s *meanSystem) solve(of solver.Operator, options ...solver.Option) (rms float64, err error) {
	system := solver.New(of, append(slices.Clone(options), solver.WithRTol(1e-11))...)
	defer system.Close()
	if _, err := system.Solve(s.x, s.b); err != nil {
		return 0, err
	}
	sum := op2.NewGlobal(s.rt, []float64{0}, "sum")
	if err := op2.ParLoop(op2.Kernels(testSource).Func(meanError), s.m.Nodes, s.m.X.Read(), s.x.Parts()[0].Read(), sum.Inc()); err != nil {
		return 0, err
	}
	square, err := sum.Value()
	return math.Sqrt(square / float64(s.m.Nodes.Size())), err
}

// matrixFree returns the same operator without a dense row: what the multiplier and the nodes have to do with each other goes
// through globals.
func (s *meanSystem) matrixFree() (*solver.FuncOperator, error) {
	k, rt := op2.Kernels(testSource), s.rt
	c := op2.NewDat[float64](s.m.Nodes, 1, nil, "c")
	multiplier, sum := op2.NewGlobal(rt, []float64{0}, "multiplier"), op2.NewGlobal(rt, []float64{0}, "sum")
	if err := rt.Err(); err != nil {
		return nil, err
	}
	apply := func(y, x *op2.MixedDat[float64]) error {
		xs, ys := x.Parts(), y.Parts()
		return errors.Join(multiplier.Set(0), sum.Set(0), s.a.Block(0, 0).Mul(ys[0], xs[0]),
			op2.ParLoop(k.Func(publish), s.one, xs[1].Read(), multiplier.Inc()),
			op2.ParLoop(k.Func(border), s.m.Nodes, c.Read(), xs[0].Read(), ys[0].Inc(), multiplier.Read(), sum.Inc()),
			op2.ParLoop(k.Func(conclude), s.one, sum.Read(), ys[1].Write()))
	}
	return solver.NewOperator([]*op2.Set{s.m.Nodes, s.one}, []int{1, 1}, apply, nil, "a without the constraint's row"),
		op2.ParLoop(k.Func(integrals), s.m.Cells, c.Inc(s.m.CellNodes), s.m.X.Read(s.m.CellNodes))
}

// meanSolvers are ways to solve a problem with a constraint.
var meanSolvers = []struct {
	name    string
	kind    string // of the operator: "" is a
	options []solver.Option
}{
	{"minres + none", "", []solver.Option{solver.MINRES, solver.None}},
	{"minres + additive", "", []solver.Option{solver.MINRES, solver.Additive, solver.WithSplit(1, solver.None)}},
	{"gmres + none", "", []solver.Option{solver.GMRES, solver.None, solver.WithRestart(100)}},
	{"fgmres + additive", "", []solver.Option{solver.FGMRES, solver.Additive, solver.WithSplit(1, solver.None), solver.WithRestart(100)}},
	{"fgmres + ilu", "full", []solver.Option{solver.FGMRES, solver.ILU}},
	{"minres without the row", "free", []solver.Option{solver.MINRES, solver.None}},
	{"gmres without the row", "free", []solver.Option{solver.GMRES, solver.None, solver.WithRestart(100)}},
}

// solveMean solves a problem of n by n squares in all ways, and compares each solution with the wanted one: nil stands for that of
// dense elimination.
func solveMean(rt *op2.Runtime, n int, want []float64, more ...solver.Option) error {
	s, err := newMeanSystem(rt, n)
	if err != nil {
		return err
	}
	free, err := s.matrixFree()
	if err != nil {
		return err
	}
	if want == nil {
		if want, err = s.eliminate(); err != nil {
			return err
		}
	}
	operators := map[string]solver.Operator{"": s.a, "full": s.full, "free": free}
	for _, way := range meanSolvers {
		_, err := s.solve(operators[way.kind], append(slices.Clone(way.options), more...)...)
		if err == nil {
			err = s.fits(want)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
	}
	return nil
}

// fits compares a solution with the wanted one, and its multiplier with the mean of f.
func (s *meanSystem) fits(want []float64) error {
	got := optest.DeclaredValues(s.x)
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= 1e-8) {
			return fmt.Errorf("value %d is %v, want %v", i, v, want[i])
		}
	}
	if m := got[len(got)-1]; !(math.Abs(m-3) <= 1e-8) {
		return fmt.Errorf("the multiplier is %v, the mean of f 3", m)
	}
	return nil
}

// eliminate returns the solution by dense elimination.
func (s *meanSystem) eliminate() ([]float64, error) {
	n := s.a.Rows()
	dense := mat.NewDense(n, n, optest.Must(s.a.Values()))
	for i := range n - 1 {
		if v := dense.At(n-1, i); v <= 0 || math.Abs(v-dense.At(i, n-1)) > 1e-15 {
			return nil, fmt.Errorf("the constraint has %v for node %d, and the multiplier %v", v, i, dense.At(i, n-1))
		}
	}
	var x mat.VecDense
	err := x.SolveVec(dense, mat.NewVecDense(n, optest.DeclaredValues(s.b)))
	return x.RawVector().Data, err
}

// A constraint is solved for on every backend, in every way.
func TestMeanValue(t *testing.T) {
	optest.NotShort(t)
	for _, backend := range []string{"go", "sequential", "openmp"} {
		t.Run(backend, func(t *testing.T) {
			optest.OK(t, solveMean(optest.OpenBackend(t, backend, op2.WithThreads(2)), 7, nil))
		})
	}
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) { optest.OK(t, solveMean(open(t), 7, nil)) })
}

// Elements that share a row of one element, but no column, run at the same time.
func TestMeanRowColors(t *testing.T) {
	s, err := newMeanSystem(optest.Open(t, op2.WithBackend("go"), op2.WithThreads(2), op2.WithBlockSize(100)), 20)
	optest.OK(t, err)
	optest.OK(t, s.a.Zero())
	l := op2.NewLoop(op2.Kernels(testSource).Func(share), s.m.Cells, s.a.Inc(s.both, s.both))
	optest.OK(t, l.Compute())
	if p := l.Plan(); p.Blocks < 8 || p.Colors > 3 {
		t.Errorf("%d blocks have %d colors", p.Blocks, p.Colors)
	}
	want := make([]float64, s.m.Nodes.Size())
	for _, node := range s.m.CellNodes.Values() {
		want[node] += 0.25
	}
	if row := optest.Must(s.a.Block(1, 0).Values()); !slices.Equal(row, want) {
		t.Errorf("the row is %v, want %v", row, want)
	}
}

// The error decreases with the square of the size of the triangles.
func TestMeanValueSecondOrder(t *testing.T) {
	var errs []float64
	for _, n := range []int{8, 16, 32} {
		s, err := newMeanSystem(optest.Open(t), n)
		optest.OK(t, err)
		rms, err := s.solve(s.a, meanSolvers[1].options...)
		optest.OK(t, err)
		errs = append(errs, rms)
	}
	for i, e := range errs[1:] {
		if order := math.Log2(errs[i] / e); !(order > 1.9) {
			t.Errorf("errors %v: order %.2f", errs, order)
		}
	}
}

// On ranks, of which some may have no cells, it is solved for as on one process.
func TestMeanValueOnRanks(t *testing.T) {
	for _, n := range []int{1, 7} {
		if testing.Short() && n > 1 {
			break
		}
		s, err := newMeanSystem(optest.Open(t, op2.WithBackend("go")), n)
		optest.OK(t, err)
		want, err := s.eliminate()
		optest.OK(t, err)
		for _, backend := range []string{"go", "openmp"} {
			optest.OK(t, optest.OnRanks(3, func(rt *op2.Runtime) error { return solveMean(rt, n, want) }, op2.WithBackend(backend)))
		}
	}
}

// PETSc solves for it, by a factorization, too.
func TestMeanValueOfPETSc(t *testing.T) {
	rt := optest.OpenPETSc(t)
	optest.OK(t, solveMean(rt, 7, nil, solver.PETSc))
	s, err := newMeanSystem(rt, 7)
	optest.OK(t, err)
	want, err := s.eliminate()
	optest.OK(t, err)
	for _, a := range []*op2.Mat[float64]{s.a, s.full} {
		optest.OK(t, optest.Last(s.solve(a, solver.PETSc, solver.PreOnly, solver.Preconditioner("lu"))))
		optest.OK(t, s.fits(want))
	}
}

// PETSc's ranks do, with a factorization of all ranks.
func TestMeanValueOfPETScRanks(t *testing.T) {
	optest.NotShort(t)
	if !mpitest.Inside() {
		optest.OpenPETSc(t)
		mpitest.Run(t, mpitest.OpenMPI, 3, "TestMeanValueOfPETScRanks")
		return
	}
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	s, err := newMeanSystem(rt, 16)
	optest.OK(t, err)
	for _, options := range [][]solver.Option{
		{solver.MINRES, solver.None},
		{solver.PreOnly, solver.WithPETScOptions("-pc_type lu -pc_factor_mat_solver_type mumps")},
	} {
		rms, err := s.solve(s.a, append(options, solver.PETSc)...)
		optest.OK(t, err)
		if !(rms < 4e-3) {
			t.Errorf("the error is %v", rms)
		}
	}
}
