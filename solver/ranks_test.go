package solver_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

// Solvers find the same solutions on several ranks, and with preconditioners that do not depend on
// the ranks in as many iterations.
func TestSolverRanks(t *testing.T) {
	backends := []string{"go", "openmp", "test+sequential"}
	if testing.Short() {
		backends = backends[1:2]
	}
	optest.ResultsOnRanks(t, backends, solveSystems([]string{"none", "jacobi", "pbjacobi", "bjacobi", "ilu", "ssor"}))
}

// Solvers, and conditions that have been applied, go on after elements have moved to other ranks.
func TestSolversRebalance(t *testing.T) {
	backends, preconditioners := []string{"go", "test+sequential"}, []string{"none", "jacobi", "pbjacobi", "ilu"}
	if testing.Short() {
		backends, preconditioners = backends[:1], preconditioners[3:]
	}
	optest.ShakenOnRanks(t, backends, 1e-12, solveSystems(preconditioners), op2.WithThreads(2))
	if testing.Short() { // the race detector takes long for the rest
		return
	}
	optest.ShakenOnRanks(t, []string{"sequential"}, 0, solveSystems([]string{"jacobi"}), op2.WithThreads(2), op2.WithSameBits(true))
}

// The same on devices, and from a device to the host, which is the same for all devices: with the fastest to compile for.
func TestSolversRebalanceOnDevices(t *testing.T) {
	optest.NotShort(t)
	for name, backends := range map[string][]string{"opencl": {"opencl"}, gputest.Standin: {gputest.Standin, gputest.Standin + "+sequential"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gputest.Require(t, name)
			optest.ShakenOnRanks(t, backends, 1e-12, solveSystems([]string{"jacobi", "pbjacobi", "ilu"}), optest.Unoptimized())
		})
	}
}

// Parts of unknowns, and field splits, too.
func TestMixedSolversRebalance(t *testing.T) {
	for _, saddle := range []bool{false, true} {
		optest.OK(t, optest.OnRanks(3, func(rt *op2.Runtime) error {
			s, err := optest.NewMixedSystem(rt, saddle)
			if err != nil {
				return err
			}
			draws := rand.New(rand.NewPCG(1, 2))
			for i, test := range mixedSolvers {
				if test.saddle != saddle || testing.Short() && i%2 == 0 {
					continue
				}
				system := solver.New(s.M, append(test.options, solver.WithRTol(1e-11))...)
				for range 3 {
					if _, err := system.Solve(s.X, s.B); err != nil {
						return fmt.Errorf("%s: %w", test.name, err)
					}
					if far, err := optest.Off(s.X, s.Want); err != nil || !(far <= 1e-8) {
						return fmt.Errorf("%s: %g off, %v", test.name, far, err)
					}
					if r, err := optest.Shake(rt, draws); err != nil {
						return fmt.Errorf("%s: %+v: %w", test.name, r, err)
					}
					for _, x := range s.X.Parts() {
						if err := x.Zero(); err != nil {
							return err
						}
					}
				}
				if err := system.Close(); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// A function that a solver calls cannot move elements.
func TestSolverRefusesToMove(t *testing.T) {
	optest.OK(t, optest.OnRanks(2, func(rt *op2.Runtime) error {
		nodes := rt.NewSet(50, "nodes")
		x, b := op2.NewDat[float64](nodes, 1, nil, "x"), op2.NewDat(nodes, 1, slices.Repeat([]float64{1}, 50), "b")
		optest.Load(rt, func(rank int) float64 { return float64(rank) })
		system := solver.New(solver.NewOperator(nodes, 1, func(y, x *op2.Dat[float64]) error {
			if _, err := rt.Rebalance(); err == nil || !strings.Contains(err.Error(), "op2: Rebalance: solver cg + none of operator: it is solving: its own operator, diagonal or monitor calls it\n  hint: call Rebalance between solutions") {
				return fmt.Errorf("moved: %v", err)
			}
			return y.Copy(x)
		}, nil, "operator"), solver.CG, solver.None)
		if _, err := system.Solve(x, b); err != nil {
			return err
		}
		r, err := rt.Rebalance()
		if err != nil || r.Moved == 0 {
			return fmt.Errorf("%+v, %v", r, err)
		}
		return nil
	}))
}

// On a reproducible runtime, solutions are the same bit for bit.
func TestReproducibleSolverRanks(t *testing.T) {
	backends := []string{"openmp", "go"}
	if testing.Short() {
		backends = backends[:1]
	}
	optest.AlikeOnRanks(t, backends, 0, solveSystems([]string{"jacobi"}), op2.WithSameBits(true), op2.WithThreads(2), op2.WithBlockSize(11))
}

// solveSystems returns a program that solves systems with all methods and the preconditioners.
func solveSystems(preconditioners []string) func(rt *op2.Runtime, f *optest.Found) error {
	return func(rt *op2.Runtime, f *optest.Found) error {
		k := op2.Kernels(testSource)
		nx, ny := 9, 6
		if f.Quick {
			nx, ny = 5, 4
		}
		rectangle, err := mesh.Rectangle(mesh.Triangle, nx, ny, 1, 1)
		if err != nil {
			return err
		}
		steps := optest.Steps(rt)
		m := rectangle.Declare(rt)
		left, right, bottom := m.NodesOf("left"), m.NodesOf("right"), m.NodesOf("bottom")
		profile := op2.NewDat[float64](m.Nodes, 1, nil, "profile")
		a := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "scalars"), "a")
		sheet := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 2, "blocks"), "sheet")
		x, b := op2.NewDat[float64](m.Nodes, 1, nil, "x"), op2.NewDat[float64](m.Nodes, 1, nil, "b")
		x2, b2 := op2.NewDat[float64](m.Nodes, 2, nil, "x2"), op2.NewDat[float64](m.Nodes, 2, nil, "b2")
		wave := op2.Fix(bottom, 0.5)
		fixed := op2.NewDirichlet(op2.FixTo(left, profile), wave)
		clamped := op2.NewDirichlet(op2.Fix(left, 0.0), op2.Fix(right, 0.125).Components(1))
		steps.Check(op2.ParLoop(k.Func(ramp), m.Nodes, profile.Write(), op2.Index()))
		steps.Check(op2.ParLoop(k.Func(ramp2), m.Nodes, b2.Write(), op2.Index()))
		load := func() {
			steps.Check(b.Zero())
			steps.Check(op2.ParLoop(k.Func(stiffness3), m.Cells, a.Inc(m.CellNodes, m.CellNodes), b.Inc(m.CellNodes), m.X.Read(m.CellNodes)))
		}
		load()
		steps.Check(op2.ParLoop(k.Func(plane3), m.Cells, sheet.Inc(m.CellNodes, m.CellNodes), m.X.Read(m.CellNodes)))
		steps.Check(fixed.Apply(a, b))
		steps.Check(clamped.Apply(sheet, b2))
		steps.Check(f.Dat("lifted", b))
		steps.Check(fixed.ApplyRHS(a, b)) // again
		steps.Check(f.Dat("lifted again", b))
		steps.Check(f.Dat("lifted sheet", b2))
		values, err := a.Values()
		steps.Check(f.Record("constrained", values, err))

		solve := func(what string, a solver.Operator, x, b *op2.Dat[float64], alike bool, options ...solver.Option) {
			if steps.Err() != nil {
				return
			}
			tolerances := []float64{1e-14}
			if alike {
				tolerances = []float64{1e-7, 1e-14}
			}
			for _, rtol := range tolerances {
				system := solver.New(a, append(options, solver.WithRTol(rtol), solver.WithRestart(50))...)
				steps.Check(x.Zero())
				c, err := system.Solve(x, b)
				if err != nil {
					err = fmt.Errorf("%s: %w", what, err)
				}
				steps.Check(err)
				if alike && rtol == 1e-7 {
					f.Iterations[what] = c.Iterations
				}
				steps.Check(system.Close())
			}
			steps.Check(f.Dat(what, x))
		}
		operator := solver.NewOperator(m.Nodes, 1, func(y, x *op2.Dat[float64]) error { return a.Mul(y, x) }, nil, "operator")
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			for _, preconditioner := range preconditioners {
				if f.Quick && !slices.Contains([]string{"cg jacobi", "cg pbjacobi", "gmres ilu"}, method+" "+preconditioner) ||
					method == "bicgstab" && preconditioner != "jacobi" {
					continue // the loops are the same
				}
				alike := slices.Contains([]string{"none", "jacobi", "pbjacobi"}, preconditioner) && method != "bicgstab" // whose counts depend on rounding
				with := []solver.Option{solver.Method(method), solver.Preconditioner(preconditioner), solver.WithBlocks(2)}
				solve(method+" "+preconditioner, a, x, b, alike, with...)
				solve(method+" "+preconditioner+" sheet", sheet, x2, b2, alike && method == "cg", with...)
			}
			if !f.Quick || method == "cg" {
				solve(method+" operator", operator, x, b, method == "cg", solver.Method(method), solver.None)
			}
		}

		// New values, and a new right-hand side of the same matrix.
		steps.Check(wave.Set(-1.0))
		steps.Check(b.Zero())
		steps.Check(op2.ParLoop(k.Func(ramp), m.Nodes, b.Write(), op2.Index()))
		steps.Check(fixed.ApplyRHS(a, b))
		solve("wave", a, x, b, true)
		steps.Check(fixed.ApplyTo(x))
		steps.Check(f.Dat("applied", x))

		// A singular system.
		steps.Check(a.Zero())
		load()
		steps.Check(b.Zero())
		steps.Check(op2.ParLoop(k.Func(ramp), m.Nodes, b.Write(), op2.Index()))
		ones := op2.NewDat[float64](m.Nodes, 1, nil, "ones")
		steps.Check(ones.Fill(1))
		mean, err := b.Inner(ones)
		steps.Check(err)
		steps.Check(b.AXPY(-mean/float64(m.Nodes.Size()), ones))
		solve("singular", a, x, b, true, solver.WithNullSpace())
		solve("singular gmres", a, x, b, true, solver.WithNullSpace(ones), solver.GMRES)
		return steps.Err()
	}
}

// What ends a solve on one rank ends it on all, with the same words.
func TestSolverErrorsOnRanks(t *testing.T) {
	optest.ResultsOnRanks(t, []string{"go", "test"}, func(rt *op2.Runtime, f *optest.Found) error {
		k := op2.Kernels(testSource)
		rectangle, err := mesh.Rectangle(mesh.Triangle, 5, 4, 1, 1)
		if err != nil {
			return err
		}
		steps := optest.Steps(rt)
		m := rectangle.Declare(rt)
		corner := op2.NewSubset(m.Nodes, []int{17}, "corner")
		a := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "scalars"), "a")
		x, b := op2.NewDat[float64](m.Nodes, 1, nil, "x"), op2.NewDat[float64](m.Nodes, 1, nil, "b")
		one, two := op2.NewDirichlet(op2.Fix(corner, 0.0)), op2.NewDirichlet(op2.Fix(corner, 1.0))
		steps.Check(op2.ParLoop(k.Func(stiffness3), m.Cells, a.Inc(m.CellNodes, m.CellNodes), b.Inc(m.CellNodes), m.X.Read(m.CellNodes)))
		steps.Check(a.ZeroRows(corner, 0))
		if err := steps.Err(); err != nil {
			return err
		}
		expect := func(what string, err error) {
			if err == nil {
				err = errors.New("nothing")
			}
			f.Texts[what] = err.Error()
		}
		for _, preconditioner := range []string{"jacobi", "pbjacobi", "ilu", "ssor"} {
			_, err := solver.New(a, solver.GMRES, solver.Preconditioner(preconditioner)).Solve(x, b)
			expect(preconditioner, err)
		}
		steps.Check(a.ZeroRows(corner, 1))
		steps.Check(one.Apply(a, nil))
		expect("overlap", two.Apply(a, nil))
		system := solver.New(a, solver.WithMonitor(func(iteration int, _ float64) error {
			if iteration == 2 && rt.Rank() == rt.Ranks()-1 {
				return errors.New("enough")
			}
			return nil
		}))
		_, err = system.Solve(x, b)
		if err == nil || !strings.Contains(err.Error(), "enough") {
			return fmt.Errorf("the monitor returned enough, Solve: %v", err)
		}
		_, err = solver.New(a, solver.WithNullSpace()).Solve(x, b)
		f.Texts["null space"] = fmt.Sprint(err != nil && strings.Contains(err.Error(), "does not make constants zero"))
		steps.Check(a.Set(17, 17, math.NaN()))
		_, err = solver.New(a).Solve(x, b)
		expect("NaN", err)
		return steps.Err()
	})
}

// A matrix that is not symmetric is found so wherever the two values are: both on one rank, or on two.
func TestAsymmetryOnRanks(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		if err := op2.RunRanks(ranks, func(rank op2.Option) error {
			rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithLog(nil), op2.WithDiags(true))
			if err != nil {
				return err
			}
			defer rt.Close()
			steps := optest.Steps(rt)
			m := optest.Must(mesh.Rectangle(mesh.Triangle, 4, 3, 1, 1)).Declare(rt)
			k := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 2, "blocks"), "k")
			x, b := op2.NewDat[float64](m.Nodes, 2, nil, "x"), op2.NewDat[float64](m.Nodes, 2, nil, "b")
			steps.Check(op2.ParLoop(op2.Kernels(testSource).Func(plane3), m.Cells, k.Inc(m.CellNodes, m.CellNodes), m.X.Read(m.CellNodes)))
			ones := op2.NewDat(m.Nodes, 2, slices.Repeat([]float64{1}, 2*m.Nodes.Size()), "ones")
			steps.Check(k.AddToDiagonal(ones))
			system := solver.New(k)
			if err := steps.Err(); err != nil {
				return err
			}
			if _, err := system.Solve(x, b); err != nil {
				return err
			}
			for row := range 2*m.Nodes.Size() - 3 { // a node and the next one on its line, or the next line
				col := row + 2 - row%2
				before, mirrored := optest.Must(k.At(row, col)), optest.Must(k.At(col, row))
				if before == 0 {
					continue
				}
				steps.Check(k.Add(col, row, 0.25))
				_, err := system.Solve(x, b)
				if want := fmt.Sprintf("row %d, column %d is %.6g and row %d, column %d is %.6g", row, col, before, col, row, mirrored+0.25); err == nil || !strings.Contains(err.Error(), want) {
					return fmt.Errorf("%v\nwant %s", err, want)
				}
				steps.Check(k.Set(col, row, mirrored))
			}
			return steps.Err()
		}); err != nil {
			t.Errorf("%d ranks: %v", ranks, err)
		}
	}
}

// The halo of a local set may be in any order. Partition leaves the set as it is, and a matrix that is
// not symmetric across ranks is found.
func TestAsymmetryOnLocalSets(t *testing.T) {
	err := op2.RunRanks(2, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithDiags(true))
		if err != nil {
			return err
		}
		defer rt.Close()
		steps := optest.Steps(rt)
		with := func(elements ...int32) map[int][]int32 {
			return map[int][]int32{1 - rt.Rank(): elements}
		}
		// A ring of six nodes and six edges, of which each rank owns three that follow each other.
		nodes := rt.NewLocalSet([]op2.LocalSet{
			{Core: 3, Owned: 3, ReadOnly: []int{3}, Numbers: []int64{0, 1, 2, 5, 4, 3}, Sends: with(0, 2, 1), Receives: with(5, 4, 3)},
			{Core: 3, Owned: 3, ReadOnly: []int{3}, Numbers: []int64{3, 4, 5, 0, 1, 2}, Sends: with(0, 1, 2), Receives: with(3, 5, 4)},
		}[rt.Rank()], "nodes")
		edges := rt.NewLocalSet([]op2.LocalSet{
			{Core: 2, Owned: 3, Executed: []int{1}, Numbers: []int64{0, 1, 2, 5}, Sends: with(2), Receives: with(3)},
			{Core: 2, Owned: 3, Executed: []int{1}, Numbers: []int64{3, 4, 5, 2}, Sends: with(2), Receives: with(3)},
		}[rt.Rank()], "edges")
		ends := op2.NewMap(edges, nodes, 2, [][]int32{{0, 1, 1, 2, 2, 5, 3, 0}, {0, 1, 1, 2, 2, 3, 5, 0}}[rt.Rank()], "ends")
		ones := op2.NewDat(nodes, 1, slices.Repeat([]float64{1}, 6), "ones")
		steps.Check(rt.Partition(ones))
		a := op2.NewMat[float64](op2.NewSquareSparsity(ends, 1, "ring"), "a")
		steps.Check(a.AddToDiagonal(ones))
		steps.Check(a.Set(3, 2, 0.25))
		system := solver.New(a)
		if err := steps.Err(); err != nil {
			return err
		}
		_, err = system.Solve(op2.NewDat[float64](nodes, 1, nil, "x"), ones)
		return err
	})
	optest.ExpectError(t, err, `op2: solver cg + jacobi of a: cg needs a symmetric matrix, but row 2, column 3 is 0 and row 3, column 2 is 0.25
  hint: ZeroRows leaves the columns of fixed values, op2.NewDirichlet does not; gmres and bicgstab, with ilu or lu, take any matrix`)
}
