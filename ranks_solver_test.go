package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

//go:embed ranks_solver_kernels_test.go
var ranksSolverSource string

// found is what a program has found, by what it is: values of the whole mesh, texts, and
// numbers of iterations.
type found struct {
	values     map[string][]float64
	texts      map[string]string
	iterations map[string]int
	quick      bool // ranks compile, so that not all cases are worth their time
}

// record adds values; a dat is given by all ranks in declared order.
func (f *found) record(name string, values []float64, err error) error {
	f.values[name] = slices.Clone(values)
	return err
}

func (f *found) dat(name string, d *op2.Dat[float64]) error {
	values, err := d.InDeclaredOrder()
	return f.record(name, values, err)
}

func (f *found) number(name string, v float64, err error) error {
	return f.record(name, []float64{v}, err)
}

// onRanks compares what a program finds on several ranks with what it finds on one: values to 1e-12
// of the largest, texts exactly, numbers of iterations, which depend on rounding, to two. Ranks take turns with backends joined by +.
func onRanks(t *testing.T, backends []string, program func(rt *op2.Runtime, f *found) error) {
	alikeOnRanks(t, backends, 1e-12, program, op2.WithThreads(2))
}

// alikeOnRanks compares values to a tolerance relative to the largest.
func alikeOnRanks(t *testing.T, backends []string, tolerance float64, program func(rt *op2.Runtime, f *found) error, options ...op2.Option) {
	for _, backend := range backends {
		t.Run(backend, func(t *testing.T) {
			names := strings.Split(backend, "+")
			run := func(n int) (*found, error) {
				results := make([]*found, n)
				var mu sync.Mutex
				var turn atomic.Int32
				err := op2.RunRanks(n, func(rank op2.Option) error {
					name := names[int(turn.Add(1)-1)%len(names)]
					rt, err := op2.Open(append([]op2.Option{rank, op2.WithBackend(name), op2.WithLog(nil), op2.WithDiags(names[0] == "go")}, options...)...)
					if err != nil {
						return err
					}
					defer rt.Close()
					f := &found{values: map[string][]float64{}, texts: map[string]string{}, iterations: map[string]int{}, quick: backend != "go"}
					if err := program(rt, f); err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					results[rt.Rank()] = f
					return nil
				})
				return results[0], err
			}
			want, err := run(1)
			if err != nil {
				t.Fatal(err)
			}
			many := []int{3}
			if heavy.On() {
				many = []int{2, 3, 4}
			}
			for _, n := range many {
				got, err := run(n)
				if err != nil {
					t.Errorf("%d ranks: %v", n, err)
					continue
				}
				for name, w := range want.values {
					g := got.values[name]
					if len(g) != len(w) {
						t.Errorf("%d ranks: %s: %d values, want %d", n, name, len(g), len(w))
						continue
					}
					size, d := 0.0, 0.0
					for i := range w {
						size, d = max(size, math.Abs(w[i])), max(d, math.Abs(g[i]-w[i]))
					}
					if !(d <= tolerance*size) {
						t.Errorf("%d ranks: %s: %g off\ngot  %v\nwant %v", n, name, d, g, w)
					}
				}
				for name, w := range want.iterations {
					if g := got.iterations[name]; g < w-2 || g > w+2 {
						t.Errorf("%d ranks: %s: %d iterations, want %d", n, name, g, w)
					}
				}
				for name, w := range want.texts {
					if g := got.texts[name]; g != w {
						t.Errorf("%d ranks: %s:\ngot  %s\nwant %s", n, name, g, w)
					}
				}
			}
		})
	}
}

// Operations on matrices mean the same on several ranks as on one.
func TestMatRanks(t *testing.T) {
	onRanks(t, []string{"go", "sequential", "openmp", "test+sequential", "go+test"}, func(rt *op2.Runtime, f *found) error {
		k := op2.Kernels(solverTestSource, ranksSolverSource)
		rectangle, err := mesh.Rectangle(mesh.Triangle, 7, 5, 1, 1)
		if err != nil {
			return err
		}
		steps := optest.Steps(rt)
		m := rectangle.Declare(rt)
		cells := m.Cells.Size()
		itself := make([]int32, cells)
		number := make([]float64, cells)
		for i := range itself {
			itself[i], number[i] = int32(i), float64((i*7)%cells)
		}
		self := op2.NewMap(m.Cells, m.Cells, 1, itself, "self")
		numbers := op2.NewDat(m.Cells, 1, number, "number")
		u, v := op2.NewDat[float64](m.Nodes, 1, nil, "u"), op2.NewDat[float64](m.Nodes, 1, nil, "v")
		u2, v2 := op2.NewDat[float64](m.Nodes, 2, nil, "u2"), op2.NewDat[float64](m.Nodes, 2, nil, "v2")
		w := op2.NewDat[float64](m.Cells, 1, nil, "w")
		left := m.NodesOf("left")
		masked := m.CellNodes.Masked(left, "masked")
		err1 := masked.Err()
		half := m.CellNodes.Masked(left, "half", 1)
		err2 := half.Err()
		steps.Check(errors.Join(err1, err2))
		a := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "square"), "a")
		block := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 2, "blocks"), "block")
		wide := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: m.CellNodes, Cols: self}}, 1, 1, "wide"), "wide")
		b := op2.NewDat[float64](m.Nodes, 1, nil, "b")
		steps.Check(op2.ParLoop(k.Func(ramp), m.Nodes, u.Write(), op2.Index()))
		steps.Check(op2.ParLoop(k.Func(ramp2), m.Nodes, u2.Write(), op2.Index()))
		steps.Check(op2.ParLoop(k.Func(ramp), m.Cells, w.Write(), op2.Index()))
		steps.Check(op2.ParLoop(k.Func(stiffness3), m.Cells, a.Inc(m.CellNodes, m.CellNodes), b.Inc(m.CellNodes), m.X.Read(m.CellNodes)))
		steps.Check(op2.ParLoop(k.Func(plane3), m.Cells, block.Inc(half, half), m.X.Read(m.CellNodes)))
		steps.Check(op2.ParLoop(k.Func(couple3x1), m.Cells, wide.Inc(m.CellNodes, self), m.X.Read(m.CellNodes)))
		if err := steps.Err(); err != nil {
			return err
		}
		check := func(name string, a *op2.Mat[float64], y, x *op2.Dat[float64]) {
			steps.Check(a.Mul(y, x))
			steps.Check(f.dat(name+" times", y))
			steps.Check(a.MulTranspose(x, y))
			steps.Check(f.dat(name+" transposed", x))
			values, err := a.Values()
			steps.Check(f.record(name, values, err))
			norm, err := a.Norm()
			steps.Check(f.number(name+" norm", norm, err))
			at, err := a.At(3, 4)
			steps.Check(f.number(name+" at", at, err))
			var text strings.Builder
			steps.Check(a.WriteMatrixMarket(&text))
			f.texts[name+" market"] = strings.Join(strings.SplitN(text.String(), "\n", 4)[:min(2, text.Len())], "\n")
			whole, err := a.Gather(0)
			steps.Check(err)
			f.texts[name+" pattern"] = fmt.Sprint(whole.Rows, whole.Cols, whole.RowDim, whole.ColDim, whole.RowPtr, whole.ColIdx)
			f.values[name+" gathered"] = whole.Values
		}
		check("a", a, v, u)
		check("block", block, v2, u2)
		check("wide", wide, v, w)

		steps.Check(a.Diagonal(v))
		steps.Check(f.dat("diagonal", v))
		steps.Check(a.AddToDiagonal(u))
		steps.Check(a.ZeroRows(left, 3))
		steps.Check(a.Set(9, 9, 5))
		steps.Check(a.Add(10, 10, 5))
		steps.Check(block.ZeroRows(left, 2, 1))
		check("a changed", a, v, u)
		check("block changed", block, v2, u2)

		steps.Check(a.Zero())
		steps.Check(op2.ParLoop(k.Func(order3x3), m.Cells, a.Write(m.CellNodes, m.CellNodes), numbers.Read()))
		steps.Check(op2.ParLoop(k.Func(order3x1), m.Cells, wide.Write(m.CellNodes, self), numbers.Read()))
		values, err := a.Values()
		steps.Check(f.record("written", values, err))
		steps.Check(op2.ParLoop(k.Func(order3x3), m.Cells, a.Inc(masked, masked), numbers.Read()))
		values, err = a.Values()
		steps.Check(f.record("masked", values, err))
		if err := a.Set(0, 40, 1); err == nil {
			return fmt.Errorf("a value that the pattern lacks was set")
		} else {
			f.texts["lacking"] = err.Error()
		}
		return steps.Err()
	})
}

// Solvers find the same solutions on several ranks, and with preconditioners that do not depend on
// the ranks in as many iterations.
func TestSolverRanks(t *testing.T) {
	backends := []string{"go", "openmp", "test+sequential"}
	if testing.Short() {
		backends = backends[1:2]
	}
	onRanks(t, backends, solveSystems([]string{"none", "jacobi", "pbjacobi", "bjacobi", "ilu", "ssor"}))
}

// On a reproducible runtime, solutions are the same bit for bit.
func TestReproducibleSolverRanks(t *testing.T) {
	backends := []string{"openmp", "go"}
	if testing.Short() {
		backends = backends[:1]
	}
	alikeOnRanks(t, backends, 0, solveSystems([]string{"jacobi"}), op2.WithSameBits(true), op2.WithThreads(2), op2.WithBlockSize(11))
}

// solveSystems returns a program that solves systems with all methods and the preconditioners.
func solveSystems(preconditioners []string) func(rt *op2.Runtime, f *found) error {
	return func(rt *op2.Runtime, f *found) error {
		k := op2.Kernels(solverTestSource, ranksSolverSource)
		rectangle, err := mesh.Rectangle(mesh.Triangle, 9, 6, 1, 1)
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
		steps.Check(f.dat("lifted", b))
		steps.Check(fixed.ApplyRHS(a, b)) // again
		steps.Check(f.dat("lifted again", b))
		steps.Check(f.dat("lifted sheet", b2))
		values, err := a.Values()
		steps.Check(f.record("constrained", values, err))

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
					f.iterations[what] = c.Iterations
				}
				steps.Check(system.Close())
			}
			steps.Check(f.dat(what, x))
		}
		operator := solver.NewOperator(m.Nodes, 1, func(y, x *op2.Dat[float64]) error { return a.Mul(y, x) }, nil, "operator")
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			for _, preconditioner := range preconditioners {
				if f.quick && !slices.Contains([]string{"cg jacobi", "cg pbjacobi", "gmres ilu"}, method+" "+preconditioner) ||
					method == "bicgstab" && preconditioner != "jacobi" {
					continue // the loops are the same
				}
				alike := slices.Contains([]string{"none", "jacobi", "pbjacobi"}, preconditioner) && method != "bicgstab" // whose counts depend on rounding
				with := []solver.Option{solver.Method(method), solver.Preconditioner(preconditioner), solver.WithBlocks(2)}
				solve(method+" "+preconditioner, a, x, b, alike, with...)
				solve(method+" "+preconditioner+" sheet", sheet, x2, b2, alike && method == "cg", with...)
			}
			solve(method+" operator", operator, x, b, method == "cg", solver.Method(method), solver.None)
		}

		// New values, and a new right-hand side of the same matrix.
		steps.Check(wave.Set(-1.0))
		steps.Check(b.Zero())
		steps.Check(op2.ParLoop(k.Func(ramp), m.Nodes, b.Write(), op2.Index()))
		steps.Check(fixed.ApplyRHS(a, b))
		solve("wave", a, x, b, true)
		steps.Check(fixed.ApplyTo(x))
		steps.Check(f.dat("applied", x))

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
	onRanks(t, []string{"go", "test"}, func(rt *op2.Runtime, f *found) error {
		k := op2.Kernels(solverTestSource, ranksSolverSource)
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
			f.texts[what] = err.Error()
		}
		for _, preconditioner := range []string{"jacobi", "pbjacobi", "ilu", "ssor"} {
			_, err := solver.New(a, solver.GMRES, solver.Preconditioner(preconditioner)).Solve(x, b)
			expect(preconditioner, err)
		}
		steps.Check(a.ZeroRows(corner, 1))
		steps.Check(one.ApplyMat(a))
		expect("overlap", two.ApplyMat(a))
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
		f.texts["null space"] = fmt.Sprint(err != nil && strings.Contains(err.Error(), "does not make constants zero"))
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
			steps.Check(op2.ParLoop(op2.Kernels(solverTestSource).Func(plane3), m.Cells, k.Inc(m.CellNodes, m.CellNodes), m.X.Read(m.CellNodes)))
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
		with := func(elements ...int32) []op2.Neighbor {
			return []op2.Neighbor{{Rank: 1 - rt.Rank(), Elements: elements}}
		}
		// A ring of six nodes and six edges, of which each rank owns three that follow each other.
		nodes := rt.NewLocalSet([]op2.LocalSet{
			{Core: 3, Owned: 3, Halo: []op2.HaloLayer{{ReadOnly: 3}}, Numbers: []int64{0, 1, 2, 5, 4, 3}, Sends: with(0, 2, 1), Receives: with(5, 4, 3)},
			{Core: 3, Owned: 3, Halo: []op2.HaloLayer{{ReadOnly: 3}}, Numbers: []int64{3, 4, 5, 0, 1, 2}, Sends: with(0, 1, 2), Receives: with(3, 5, 4)},
		}[rt.Rank()], "nodes")
		edges := rt.NewLocalSet([]op2.LocalSet{
			{Core: 2, Owned: 3, Halo: []op2.HaloLayer{{Executed: 1}}, Numbers: []int64{0, 1, 2, 5}, Sends: with(2), Receives: with(3)},
			{Core: 2, Owned: 3, Halo: []op2.HaloLayer{{Executed: 1}}, Numbers: []int64{3, 4, 5, 2}, Sends: with(2), Receives: with(3)},
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
