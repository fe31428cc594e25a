package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/solver"
	"gonum.org/v1/gonum/mat"
)

// mixedSolvers are ways to solve systems: of a saddle point, or of one with all blocks.
var mixedSolvers = []struct {
	name    string
	saddle  bool
	options []solver.Option
}{
	{"gmres + none", false, []solver.Option{solver.GMRES, solver.None}},
	{"bicgstab + jacobi", false, []solver.Option{solver.BiCGStab, solver.Jacobi}},
	{"cg + jacobi", false, []solver.Option{solver.CG, solver.Jacobi}},
	{"gmres + pbjacobi", false, []solver.Option{solver.GMRES, solver.PBJacobi}},
	{"gmres + ilu", false, []solver.Option{solver.GMRES, solver.ILU}},
	{"gmres + bjacobi", false, []solver.Option{solver.GMRES, solver.BJacobi, solver.WithBlocks(1)}},
	{"gmres + ssor", false, []solver.Option{solver.GMRES, solver.SSOR}},
	{"minres + none", true, []solver.Option{solver.MINRES, solver.None}},
	{"defaults", false, nil},
	{"additive", false, []solver.Option{solver.Additive, solver.WithSplit(0, solver.ILU), solver.WithSplit(1, solver.PBJacobi)}},
	{"cg + additive", false, []solver.Option{solver.Additive, solver.CG}},
	{"multiplicative", false, []solver.Option{solver.Multiplicative, solver.WithSplit(0, solver.CG, solver.WithRTol(1e-3))}},
	{"symmetric_multiplicative", false, []solver.Option{solver.SymmetricMultiplicative, solver.GMRES, solver.WithSplit(0, solver.SSOR)}},
	{"reversed fields", false, []solver.Option{solver.Multiplicative, solver.WithFields([]int{1}, []int{0})}},
	{"schur of all blocks", false, []solver.Option{solver.Schur}},
	{"schur, self", true, []solver.Option{solver.Schur, solver.WithSplit(1, solver.None)}},
	{"schur, selfp, jacobi", true, []solver.Option{solver.Schur, solver.WithSelfP(), solver.WithSplit(1, solver.Jacobi)}},
	{"schur, selfp, ilu, upper", true, []solver.Option{solver.SchurUpper, solver.WithSelfP(),
		solver.WithSplit(1, solver.ILU, solver.PreOnly)}},
	{"schur, selfp, bjacobi, lower", true, []solver.Option{solver.SchurLower, solver.WithSelfP(),
		solver.WithSplit(1, solver.BJacobi, solver.WithBlocks(2), solver.PreOnly)}},
	{"schur of all blocks, selfp", false, []solver.Option{solver.Schur, solver.WithSelfP(), solver.WithSplit(1, solver.SSOR)}},
}

// The native engine solves mixed systems with every method and kind of field split, as dense
// elimination does.
func TestMixedSolvers(t *testing.T) {
	optest.NotShort(t)
	rt := optest.Open(t)
	for _, saddle := range []bool{false, true} {
		s, err := optest.NewMixedSystem(rt, saddle)
		optest.OK(t, err)
		for _, test := range mixedSolvers {
			if test.saddle != saddle {
				continue
			}
			t.Run(test.name, func(t *testing.T) { s.Solve(t, test.options...) })
		}
		if saddle {
			user := solver.WithSchurMatrix(s.Mass)
			for _, kind := range []solver.FieldSplit{solver.SchurDiag, solver.SchurLower, solver.SchurUpper, solver.Schur} {
				t.Run(string(kind)+", user", func(t *testing.T) {
					s.Solve(t, kind, user)
				})
			}
			t.Run("minres", func(t *testing.T) {
				s.Solve(t, solver.MINRES, solver.SchurDiag, user,
					solver.WithSplit(0, solver.PreOnly), solver.WithSplit(1, solver.PreOnly))
			})
		}
		t.Run(fmt.Sprintf("operator of functions, %v", saddle), func(t *testing.T) {
			o := solver.NewOperator(s.Sets, []int{2, 1}, func(y, x *op2.MixedDat[float64]) error { return s.M.Mul(y, x) }, nil, "o")
			s.SolveOf(t, o, solver.GMRES, solver.WithRestart(80))
		})
	}
}

// onDevices are those that devices solve each time: one of each kind, as the loops of the others are the same.
var onDevices = []string{"cg + jacobi", "gmres + ilu", "minres + none", "additive", "multiplicative", "schur of all blocks"}

// Devices solve mixed systems.
func TestMixedSolversOnDevices(t *testing.T) {
	optest.NotShort(t)
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, saddle := range []bool{false, true} {
			s, err := optest.NewMixedSystem(rt, saddle)
			optest.OK(t, err)
			for _, test := range mixedSolvers {
				if test.saddle == saddle && (heavy.On() || slices.Contains(onDevices, test.name)) {
					t.Run(test.name, func(t *testing.T) { s.Solve(t, test.options...) })
				}
			}
		}
	})
}

// An iteration on a device transfers scalars, whatever the splits.
func TestMixedIterationsMoveScalars(t *testing.T) {
	optest.NotShort(t)
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		s, err := optest.NewMixedSystem(rt, false)
		optest.OK(t, err)
		for _, kind := range []string{"additive", "multiplicative", "schur"} {
			var bytes [2]int64
			for i, iterations := range []int{5, 10} {
				system := solver.New(s.M, solver.FieldSplit(kind), solver.CG, solver.WithRTol(0), solver.WithSplit(0, solver.PreOnly),
					solver.WithSplit(1, solver.PreOnly), solver.WithMaxIterations(iterations), solver.WithErrorIfNotConverged(false))
				for range 2 { // the first time transfers the matrix
					rt.ResetStats()
					c, err := system.Solve(s.X, s.B)
					if err != nil || c.Iterations != iterations {
						t.Fatal(c, err)
					}
				}
				bytes[i] = rt.Transfers().BytesToDevice + rt.Transfers().BytesToHost
				optest.OK(t, system.Close())
			}
			if each := (bytes[1] - bytes[0]) / 5; each > 100 {
				t.Errorf("%s: an iteration transfers %d bytes", kind, each)
			}
		}
	})
}

// A matrix of blocks that is not symmetric is found so.
func TestMixedSymmetry(t *testing.T) {
	optest.NotShort(t)
	var log strings.Builder
	for _, diags := range []bool{false, true} {
		rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(&log), op2.WithDiags(diags)))
		defer rt.Close()
		s, err := optest.NewMixedSystem(rt, false)
		optest.OK(t, err)
		solve := func() error {
			system := solver.New(s.M, solver.CG, solver.Jacobi, solver.WithErrorIfNotConverged(false))
			defer system.Close()
			return optest.Last(system.Solve(s.X, s.B))
		}
		optest.OK(t, solve())
		if log.Len() > 0 {
			t.Errorf("symmetric: %s", log.String())
		}
		optest.OK(t, s.M.ZeroRows(op2.NewSubset(s.Sets[0], []int{4, 5}, "some"), 1))
		err = solve()
		said := log.String()
		if diags {
			said = fmt.Sprint(err)
		} else if err != nil {
			t.Error(err)
		}
		if want := "cg needs a symmetric matrix, but the product of a with one vector from the left and another from the right is "; !strings.Contains(said, want) {
			t.Errorf("diags %v: %q, want %s", diags, said, want)
		}
		log.Reset()
	}
}

// Mixed systems have the same solution bit for bit on any number of ranks, where that is asked for.
func TestMixedReproducible(t *testing.T) {
	optest.NotShort(t)
	var first []float64
	for _, ranks := range []int{1, 3} {
		if err := op2.RunRanks(ranks, func(rank op2.Option) error {
			rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithSameBits(true))
			if err != nil {
				return err
			}
			defer rt.Close()
			s, err := optest.NewMixedSystem(rt, true)
			if err != nil {
				return err
			}
			if err := solver.New(s.M, solver.Schur, solver.WithSelfP()).Err(); err == nil || !strings.Contains(err.Error(), "selfp depends on the partition") {
				return fmt.Errorf("selfp: %v", err)
			}
			if err := solver.New(s.M, solver.Schur, solver.WithSplit(0, solver.ILU)).Err(); err == nil || !strings.Contains(err.Error(), "ilu depends on the partition") {
				return fmt.Errorf("ilu: %v", err)
			}
			system := solver.New(s.M, solver.Schur, solver.WithSchurMatrix(s.Mass), solver.WithMaxIterations(3), solver.WithErrorIfNotConverged(false))
			defer system.Close()
			c, err := system.Solve(s.X, s.B)
			if err != nil {
				return err
			}
			all := append(optest.DeclaredValues(s.X), c.Residuals...)
			if ranks == 1 {
				first = all
			} else if !slices.Equal(all, first) {
				return fmt.Errorf("other values than on one process")
			}
			return nil
		}); err != nil {
			t.Errorf("%d ranks: %v", ranks, err)
		}
	}
}

// Ranks solve mixed systems.
func TestMixedSolversOnRanks(t *testing.T) {
	for _, saddle := range []bool{false, true} {
		if err := optest.OnRanks(3, func(rt *op2.Runtime) error {
			s, err := optest.NewMixedSystem(rt, saddle)
			if err != nil {
				return err
			}
			for _, test := range mixedSolvers {
				if test.saddle != saddle {
					continue
				}
				system := solver.New(s.M, append(test.options, solver.WithRTol(1e-11))...)
				if _, err := system.Solve(s.X, s.B); err != nil {
					return fmt.Errorf("%s: %w", test.name, err)
				}
				if far, err := optest.Off(s.X, s.Want); err != nil || !(far <= 1e-8) {
					return fmt.Errorf("%s: %g off, %v", test.name, far, err)
				}
				if err := system.Close(); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
}

// PETSc solves mixed systems as the native engine does, in as many iterations with the same field
// split.
func TestMixedSolversOfPETSc(t *testing.T) {
	optest.NotShort(t)
	rt := optest.OpenPETSc(t)
	for _, saddle := range []bool{false, true} {
		s, err := optest.NewMixedSystem(rt, saddle)
		optest.OK(t, err)
		for _, test := range mixedSolvers {
			if test.saddle != saddle {
				continue
			}
			t.Run(test.name, func(t *testing.T) {
				native := s.Solve(t, test.options...)
				c := s.Solve(t, append(slices.Clone(test.options), solver.PETSc)...)
				if n, p := native.Iterations, c.Iterations; n < p-1 || n > p+1 {
					t.Errorf("%d iterations, %d with PETSc", n, p)
				}
			})
		}
		for _, options := range []string{"-pc_type lu -pc_factor_shift_type nonzero", "-pc_type fieldsplit -pc_fieldsplit_type schur -fieldsplit_0_pc_type lu -fieldsplit_1_pc_type none", "-mat_type aij -pc_type fieldsplit -pc_fieldsplit_type schur -fieldsplit_0_pc_type lu -fieldsplit_1_pc_type none"} {
			t.Run(options, func(t *testing.T) { s.Solve(t, solver.PETSc, solver.WithPETScOptions(options)) })
		}
		if saddle {
			for _, kind := range []solver.FieldSplit{solver.SchurDiag, solver.SchurLower, solver.SchurUpper, solver.Schur} {
				t.Run(string(kind)+", user", func(t *testing.T) {
					options := []solver.Option{kind, solver.WithSchurMatrix(s.Mass), solver.WithSplit(0, solver.CG, solver.WithRTol(1e-12))}
					native, c := s.Solve(t, options...), s.Solve(t, append(options, solver.PETSc)...)
					if n, p := native.Iterations, c.Iterations; n < p-1 || n > p+1 {
						t.Errorf("%d iterations, %d with PETSc", n, p)
					}
				})
			}
		}
		t.Run("operator of functions", func(t *testing.T) {
			o := solver.NewOperator(s.Sets, []int{2, 1}, func(y, x *op2.MixedDat[float64]) error { return s.M.Mul(y, x) }, nil, "o")
			s.SolveOf(t, o, solver.PETSc, solver.GMRES, solver.WithRestart(80))
		})
	}
}

// A pressure that is fixed nowhere is determined up to constants: those of its part, or of its split,
// are named.
func TestMixedNullSpace(t *testing.T) {
	rt := optest.OpenPETSc(t)
	s, err := optest.NewMixedSystem(rt, true)
	optest.OK(t, err)
	n, u := s.M.Rows(), s.M.Block(0, 0).Rows()
	dense := mat.NewDense(n, n, optest.Must(s.M.Values()))
	there := optest.Nonzeros(s.M.Block(0, 1))
	for i := range u { // the gradient of a constant is zero
		sum, last := 0.0, -1
		for j := range n - u {
			if there[i*(n-u)+j] {
				sum, last = sum+dense.At(i, u+j), j
			}
		}
		if last >= 0 {
			dense.Set(i, u+last, dense.At(i, u+last)-sum)
		}
		for j := range n - u {
			dense.Set(u+j, i, dense.At(i, u+j))
		}
	}
	optest.OK(t, optest.SetBlock(s.M.Block(0, 1), dense, 0, u))
	optest.OK(t, optest.SetBlock(s.M.Block(1, 0), dense, u, 0))
	mean := 0.0
	for i := u; i < n; i++ {
		s.Want[i] = math.Sin(float64(i))
		mean += s.Want[i] / float64(n-u)
	}
	for i := u; i < n; i++ {
		s.Want[i] -= mean
	}
	optest.OK(t, optest.SetPart(s.X.Parts()[0], s.Want[:u]))
	optest.OK(t, optest.SetPart(s.X.Parts()[1], s.Want[u:]))
	optest.OK(t, s.M.Mul(s.B, s.X))
	ones := s.B.Duplicate("ones")
	optest.OK(t, ones.Parts()[0].Fill(0))
	optest.OK(t, ones.Parts()[1].Fill(1))
	for _, test := range []struct {
		name    string
		options []solver.Option
	}{
		{"minres", []solver.Option{solver.MINRES, solver.None, solver.WithPartNullSpace(1)}},
		{"gmres", []solver.Option{solver.GMRES, solver.None, solver.WithRestart(90), solver.WithPartNullSpace(1, ones.Parts()[1])}},
		{"schur", []solver.Option{solver.Schur, solver.WithSchurMatrix(s.Mass), solver.WithNullSpace(ones), solver.WithSplit(1, solver.WithNullSpace())}},
	} {
		for _, engine := range []string{"native", "petsc"} {
			t.Run(test.name+" "+engine, func(t *testing.T) {
				s.Solve(t, append(slices.Clone(test.options), solver.Engine(engine))...)
			})
		}
	}
	system := solver.New(s.M, solver.None, solver.WithPartNullSpace(0))
	defer system.Close()
	if _, err := system.Solve(s.X, s.B); err == nil || !strings.Contains(err.Error(), "does not make constants in component 0, in part 0 zero") {
		t.Errorf("the constants of the velocity: %v", err)
	}
}

// Splits of several parts are solved as one, also by a field split of their own; a set may have two of
// the parts.
func TestNestedFieldSplits(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	cells, nodes, corners := rt.NewSet(20, "cells"), rt.NewSet(15, "nodes"), rt.NewSet(8, "corners")
	random := rand.New(rand.NewPCG(3, 4))
	to := func(set *op2.Set, arity int, name string) *op2.Map {
		values := make([]int, 20*arity)
		for i := range values {
			values[i] = random.IntN(set.Size())
		}
		return op2.NewMap(cells, set, arity, values, name)
	}
	toNodes := to(nodes, 2, "toNodes")
	all := op2.NewMixedMap([]*op2.Map{toNodes, to(corners, 1, "toCorners"), toNodes}, "all")
	m := op2.NewMat[float64](op2.NewSquareSparsity(all, []int{1, 1, 2}, "s", [2]int{0, 1}), "m")
	zeros := func(name string) *op2.MixedDat[float64] {
		return op2.NewMixedDat([]*op2.Dat[float64]{op2.NewDat[float64](nodes, 1, nil, name+".0"), op2.NewDat[float64](corners, 1, nil, name+".1"),
			op2.NewDat[float64](nodes, 2, nil, name+".2")}, name)
	}
	s := &optest.MixedSystem{M: m, X: zeros("x"), B: zeros("b")}
	optest.OK(t, rt.Err())
	for i := range 3 {
		for j := range 3 {
			if b := m.Block(i, j); b != nil {
				csr := optest.Must(b.CSR())
				for k := range csr.Values {
					csr.Values[k] = random.NormFloat64()
				}
			}
		}
		for r := range m.Block(i, i).Rows() {
			optest.OK(t, m.Block(i, i).Add(r, r, 30))
		}
	}
	for _, p := range s.X.Parts() {
		for i := range optest.Must(p.Data()) {
			optest.Must(p.Data())[i] = random.NormFloat64()
		}
	}
	s.Want = slices.Concat(slices.Clone(optest.Must(s.X.Parts()[0].DataRO())), optest.Must(s.X.Parts()[1].DataRO()), optest.Must(s.X.Parts()[2].DataRO()))
	optest.OK(t, m.Mul(s.B, s.X))
	fields := solver.WithFields([]int{2, 0}, []int{1})
	inner := solver.WithSplit(0, solver.GMRES, solver.SymmetricMultiplicative, solver.WithSplit(1, solver.ILU))
	for _, options := range [][]solver.Option{
		nil, {fields}, {fields, inner}, {fields, inner, solver.Schur, solver.WithSelfP()},
		{solver.WithFields([]int{1}, []int{0, 2}), solver.Schur, solver.WithSelfP(), solver.WithSplit(1, solver.ILU)},
	} {
		s.Solve(t, options...)
	}
}

// A solve that fails because of a split says which one, and where.
func TestSplitFailures(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	s, err := optest.NewMixedSystem(rt, false)
	optest.OK(t, err)
	solve := func(options ...solver.Option) error {
		system := solver.New(s.M, options...)
		defer system.Close()
		return optest.Last(system.Solve(s.X, s.B))
	}
	schur := []solver.Option{solver.Schur, solver.WithSelfP()}
	indefinite := mat.NewDense(60, 60, nil)
	for i := range 60 {
		indefinite.Set(i, i, float64(1-2*(i%2)))
	}
	optest.OK(t, optest.SetBlock(s.M.Block(0, 0), indefinite, 0, 0))
	optest.ExpectError(t, solve(append(schur, solver.WithSplit(0, solver.CG, solver.None))...),
		"op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 0 of a, solved by cg + none: DIVERGED_INDEFINITE_MAT after 1 iteration\n"+
			"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
	optest.OK(t, s.M.ZeroRows(op2.NewSubset(s.Sets[0], []int{7}, "some"), 0, 1))
	optest.ExpectError(t, solve(schur...), "op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 0 of a: the preconditioner jacobi has a pivot of zero at value 1 of element 7 of nodes\n"+
		"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
	optest.OK(t, s.M.ZeroRows(op2.NewSubset(s.Sets[1], []int{4}, "some"), 0))
	optest.ExpectError(t, solve(solver.WithSplit(0, solver.None)), "op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 1 of a: the preconditioner jacobi has a pivot of zero at element 4 of corners\n"+
		"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
}
