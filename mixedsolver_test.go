package op2_test

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

// mixedSystem is a system of two parts: a velocity with two components on one set, and a pressure on
// another, reached by random maps from cells.
type mixedSystem struct {
	sets []*op2.Set
	m    *op2.Mat[float64]
	x, b *op2.MixedDat[float64]
	all  *op2.MixedMap
	mass *op2.Mat[float64] // of the pressure
	want []float64
}

// newMixedSystem declares a system whose block [1][1] is present or absent: the latter makes it a
// saddle point, symmetric and indefinite.
func newMixedSystem(rt *op2.Runtime, saddle bool) (*mixedSystem, error) {
	const cells, u, p = 40, 30, 12
	random := rand.New(rand.NewPCG(5, 7))
	any := func(arity, n int) []int {
		values := make([]int, cells*arity)
		for i := range values {
			values[i] = (i/arity*n/cells + random.IntN(4)) % n
		}
		return values
	}
	elements, nodes, corners := rt.NewSet(cells, "cells"), rt.NewSet(u, "nodes"), rt.NewSet(p, "corners")
	toNodes, toCorners := op2.NewMap(elements, nodes, 3, any(3, u), "toNodes"), op2.NewMap(elements, corners, 2, any(2, p), "toCorners")
	s := &mixedSystem{sets: []*op2.Set{nodes, corners}, all: op2.NewMixedMap([]*op2.Map{toNodes, toCorners}, "all")}
	var absent [][2]int
	if saddle {
		absent = append(absent, [2]int{1, 1})
	}
	sparsity := op2.NewSquareSparsity(s.all, []int{2, 1}, "pattern", absent...)
	s.m = op2.NewMat[float64](sparsity, "a")
	s.mass = op2.NewMat[float64](op2.NewSquareSparsity(toCorners, 1, "mass"), "mass")
	zeros := func(name string) *op2.MixedDat[float64] {
		return op2.NewMixedDat([]*op2.Dat[float64]{op2.NewDat[float64](nodes, 2, nil, name+"u"), op2.NewDat[float64](corners, 1, nil, name+"p")}, name)
	}
	s.x, s.b = zeros("x"), zeros("b")
	if err := rt.Err(); err != nil {
		return nil, err
	}
	return s, s.fill(random)
}

// fill sets the matrix and the right-hand side, and solves the system by dense elimination.
func (s *mixedSystem) fill(random *rand.Rand) error {
	n := s.m.Rows()
	dense := mat.NewDense(n, n, nil)
	set := func(block *op2.Mat[float64], of func(i, j int) float64, row, col int) {
		pattern := pattern(block)
		for i := range block.Rows() {
			for j := range block.Cols() {
				if pattern[i*block.Cols()+j] {
					dense.Set(row+i, col+j, of(i, j))
				}
			}
		}
	}
	u := s.m.Block(0, 0).Rows()
	set(s.m.Block(0, 0), func(i, j int) float64 { return math.Sin(float64(i*j)) + math.Sin(float64(i+j)) }, 0, 0)
	set(s.m.Block(0, 1), func(i, j int) float64 { return math.Cos(float64(i + 3*j)) }, 0, u)
	set(s.m.Block(1, 0), func(i, j int) float64 { return math.Cos(float64(j + 3*i)) }, u, 0)
	if b := s.m.Block(1, 1); b != nil {
		set(b, func(i, j int) float64 { return math.Sin(float64(2 * i * j)) }, u, u)
	}
	for i := range n {
		if i >= u && s.m.Block(1, 1) == nil {
			break
		}
		sum := 1.0
		for j := range n {
			sum += math.Abs(dense.At(i, j))
		}
		dense.Set(i, i, sum)
	}
	right := make([]float64, n)
	for i := range right {
		right[i] = random.NormFloat64()
	}
	var x mat.VecDense
	if err := x.SolveVec(dense, mat.NewVecDense(n, right)); err != nil {
		return err
	}
	s.want = slices.Clone(x.RawVector().Data)
	for i := range 2 {
		for j := range 2 {
			if block := s.m.Block(i, j); block != nil {
				if err := setBlock(block, dense, i*u, j*u); err != nil {
					return err
				}
			}
		}
	}
	if err := setPart(s.b.Parts()[0], right[:u]); err != nil {
		return err
	}
	if err := setPart(s.b.Parts()[1], right[u:]); err != nil {
		return err
	}
	complement := mat.NewDense(n-u, n-u, nil)
	for i := range n - u {
		complement.Set(i, i, -2)
	}
	return setBlock(s.mass, complement, 0, 0)
}

// pattern returns which values of a matrix its pattern has, in declared numbers.
func pattern(m *op2.Mat[float64]) []bool {
	csr := optest.Must(m.CSR())
	before := slices.Clone(csr.Values)
	for i := range csr.Values {
		csr.Values[i] = 1
	}
	there := make([]bool, m.Rows()*m.Cols())
	for i, v := range optest.Must(m.Values()) {
		there[i] = v != 0
	}
	copy(optest.Must(m.CSR()).Values, before)
	return there
}

// setBlock sets the values of a block from those of a dense matrix, on the rank that has them.
func setBlock(m *op2.Mat[float64], dense *mat.Dense, row, col int) error {
	csr, err := m.CSR()
	if err != nil {
		return err
	}
	number := func(numbers []int64, i int) int {
		if numbers == nil {
			return i
		}
		return int(numbers[i])
	}
	for r := range csr.Rows {
		for k := csr.RowPtr[r]; k < csr.RowPtr[r+1]; k++ {
			for at := range csr.RowDim * csr.ColDim {
				i := number(csr.RowNumbers, r)*csr.RowDim + at%csr.RowDim
				j := number(csr.ColNumbers, int(csr.ColIdx[k]))*csr.ColDim + at/csr.RowDim
				csr.Values[int(k)*csr.RowDim*csr.ColDim+at] = dense.At(row+i, col+j)
			}
		}
	}
	return nil
}

// setPart sets a dat to values in declared numbers.
func setPart(d *op2.Dat[float64], values []float64) error {
	to, err := d.Data()
	if err != nil {
		return err
	}
	for i, e := range d.Set().DeclaredNumbers()[:d.Set().Owned()] {
		copy(to[i*d.Dim():(i+1)*d.Dim()], values[int(e)*d.Dim():])
	}
	return nil
}

// off returns how far a mixed dat is from what is wanted.
func off(x *op2.MixedDat[float64], want []float64) (float64, error) {
	most := 0.0
	for _, p := range x.Parts() {
		values, err := p.InDeclaredOrder()
		if err != nil {
			return 0, err
		}
		for i, v := range values {
			if d := math.Abs(v - want[i]); !(d <= most) {
				most = d
			}
		}
		want = want[len(values):]
	}
	return most, nil
}

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
		s, err := newMixedSystem(rt, saddle)
		optest.OK(t, err)
		for _, test := range mixedSolvers {
			if test.saddle != saddle {
				continue
			}
			t.Run(test.name, func(t *testing.T) { s.solve(t, test.options...) })
		}
		if saddle {
			user := solver.WithSchurMatrix(s.mass)
			for _, kind := range []solver.FieldSplit{solver.SchurDiag, solver.SchurLower, solver.SchurUpper, solver.Schur} {
				t.Run(string(kind)+", user", func(t *testing.T) {
					s.solve(t, kind, user)
				})
			}
			t.Run("minres", func(t *testing.T) {
				s.solve(t, solver.MINRES, solver.SchurDiag, user,
					solver.WithSplit(0, solver.PreOnly), solver.WithSplit(1, solver.PreOnly))
			})
		}
		t.Run(fmt.Sprintf("operator of functions, %v", saddle), func(t *testing.T) {
			o := solver.NewOperator(s.sets, []int{2, 1}, func(y, x *op2.MixedDat[float64]) error { return s.m.Mul(y, x) }, nil, "o")
			s.solveOf(t, o, solver.GMRES, solver.WithRestart(80))
		})
	}
}

// solve solves the system with the matrix, and compares with the dense solution.
func (s *mixedSystem) solve(t *testing.T, options ...solver.Option) solver.Convergence {
	t.Helper()
	return s.solveOf(t, s.m, options...)
}

func (s *mixedSystem) solveOf(t *testing.T, a solver.Operator, options ...solver.Option) solver.Convergence {
	t.Helper()
	system := solver.New(a, append(options, solver.WithRTol(1e-11))...)
	defer system.Close()
	var c solver.Convergence
	var err error
	for range 2 {
		if c, err = system.Solve(s.x, s.b); err != nil {
			t.Fatal(err)
		}
	}
	if far := optest.Must(off(s.x, s.want)); !(far <= 1e-8) {
		t.Errorf("%g off", far)
	}
	return c
}

// onDevices are those that devices solve each time: one of each kind, as the loops of the others are the same.
var onDevices = []string{"cg + jacobi", "gmres + ilu", "minres + none", "additive", "multiplicative", "schur of all blocks"}

// Devices solve mixed systems.
func TestMixedSolversOnDevices(t *testing.T) {
	optest.NotShort(t)
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, saddle := range []bool{false, true} {
			s, err := newMixedSystem(rt, saddle)
			optest.OK(t, err)
			for _, test := range mixedSolvers {
				if test.saddle == saddle && (heavy.On() || slices.Contains(onDevices, test.name)) {
					t.Run(test.name, func(t *testing.T) { s.solve(t, test.options...) })
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
		s, err := newMixedSystem(rt, false)
		optest.OK(t, err)
		for _, kind := range []string{"additive", "multiplicative", "schur"} {
			var bytes [2]int64
			for i, iterations := range []int{5, 10} {
				system := solver.New(s.m, solver.FieldSplit(kind), solver.CG, solver.WithRTol(0), solver.WithSplit(0, solver.PreOnly),
					solver.WithSplit(1, solver.PreOnly), solver.WithMaxIterations(iterations), solver.WithErrorIfNotConverged(false))
				for range 2 { // the first time transfers the matrix
					rt.ResetStats()
					c, err := system.Solve(s.x, s.b)
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
		s, err := newMixedSystem(rt, false)
		optest.OK(t, err)
		solve := func() error {
			system := solver.New(s.m, solver.CG, solver.Jacobi, solver.WithErrorIfNotConverged(false))
			defer system.Close()
			return optest.Last(system.Solve(s.x, s.b))
		}
		optest.OK(t, solve())
		if log.Len() > 0 {
			t.Errorf("symmetric: %s", log.String())
		}
		optest.OK(t, s.m.ZeroRows(op2.NewSubset(s.sets[0], []int{4, 5}, "some"), 1))
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
			s, err := newMixedSystem(rt, true)
			if err != nil {
				return err
			}
			if err := solver.New(s.m, solver.Schur, solver.WithSelfP()).Err(); err == nil || !strings.Contains(err.Error(), "selfp depends on the partition") {
				return fmt.Errorf("selfp: %v", err)
			}
			if err := solver.New(s.m, solver.Schur, solver.WithSplit(0, solver.ILU)).Err(); err == nil || !strings.Contains(err.Error(), "ilu depends on the partition") {
				return fmt.Errorf("ilu: %v", err)
			}
			system := solver.New(s.m, solver.Schur, solver.WithSchurMatrix(s.mass), solver.WithMaxIterations(3), solver.WithErrorIfNotConverged(false))
			defer system.Close()
			c, err := system.Solve(s.x, s.b)
			if err != nil {
				return err
			}
			all := append(declaredValues(s.x), c.Residuals...)
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
			s, err := newMixedSystem(rt, saddle)
			if err != nil {
				return err
			}
			for _, test := range mixedSolvers {
				if test.saddle != saddle {
					continue
				}
				system := solver.New(s.m, append(test.options, solver.WithRTol(1e-11))...)
				if _, err := system.Solve(s.x, s.b); err != nil {
					return fmt.Errorf("%s: %w", test.name, err)
				}
				if far, err := off(s.x, s.want); err != nil || !(far <= 1e-8) {
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
		s, err := newMixedSystem(rt, saddle)
		optest.OK(t, err)
		for _, test := range mixedSolvers {
			if test.saddle != saddle {
				continue
			}
			t.Run(test.name, func(t *testing.T) {
				native := s.solve(t, test.options...)
				c := s.solve(t, append(slices.Clone(test.options), solver.PETSc)...)
				if n, p := native.Iterations, c.Iterations; n < p-1 || n > p+1 {
					t.Errorf("%d iterations, %d with PETSc", n, p)
				}
			})
		}
		for _, options := range []string{"-pc_type lu -pc_factor_shift_type nonzero", "-pc_type fieldsplit -pc_fieldsplit_type schur -fieldsplit_0_pc_type lu -fieldsplit_1_pc_type none", "-mat_type aij -pc_type fieldsplit -pc_fieldsplit_type schur -fieldsplit_0_pc_type lu -fieldsplit_1_pc_type none"} {
			t.Run(options, func(t *testing.T) { s.solve(t, solver.PETSc, solver.WithPETScOptions(options)) })
		}
		if saddle {
			for _, kind := range []solver.FieldSplit{solver.SchurDiag, solver.SchurLower, solver.SchurUpper, solver.Schur} {
				t.Run(string(kind)+", user", func(t *testing.T) {
					options := []solver.Option{kind, solver.WithSchurMatrix(s.mass), solver.WithSplit(0, solver.CG, solver.WithRTol(1e-12))}
					native, c := s.solve(t, options...), s.solve(t, append(options, solver.PETSc)...)
					if n, p := native.Iterations, c.Iterations; n < p-1 || n > p+1 {
						t.Errorf("%d iterations, %d with PETSc", n, p)
					}
				})
			}
		}
		t.Run("operator of functions", func(t *testing.T) {
			o := solver.NewOperator(s.sets, []int{2, 1}, func(y, x *op2.MixedDat[float64]) error { return s.m.Mul(y, x) }, nil, "o")
			s.solveOf(t, o, solver.PETSc, solver.GMRES, solver.WithRestart(80))
		})
	}
}

// A pressure that is fixed nowhere is determined up to constants: those of its part, or of its split,
// are named.
func TestMixedNullSpace(t *testing.T) {
	rt := optest.OpenPETSc(t)
	s, err := newMixedSystem(rt, true)
	optest.OK(t, err)
	n, u := s.m.Rows(), s.m.Block(0, 0).Rows()
	dense := mat.NewDense(n, n, optest.Must(s.m.Values()))
	there := pattern(s.m.Block(0, 1))
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
	optest.OK(t, setBlock(s.m.Block(0, 1), dense, 0, u))
	optest.OK(t, setBlock(s.m.Block(1, 0), dense, u, 0))
	mean := 0.0
	for i := u; i < n; i++ {
		s.want[i] = math.Sin(float64(i))
		mean += s.want[i] / float64(n-u)
	}
	for i := u; i < n; i++ {
		s.want[i] -= mean
	}
	optest.OK(t, setPart(s.x.Parts()[0], s.want[:u]))
	optest.OK(t, setPart(s.x.Parts()[1], s.want[u:]))
	optest.OK(t, s.m.Mul(s.b, s.x))
	ones := s.b.Duplicate("ones")
	optest.OK(t, ones.Parts()[0].Fill(0))
	optest.OK(t, ones.Parts()[1].Fill(1))
	for _, test := range []struct {
		name    string
		options []solver.Option
	}{
		{"minres", []solver.Option{solver.MINRES, solver.None, solver.WithPartNullSpace(1)}},
		{"gmres", []solver.Option{solver.GMRES, solver.None, solver.WithRestart(90), solver.WithPartNullSpace(1, ones.Parts()[1])}},
		{"schur", []solver.Option{solver.Schur, solver.WithSchurMatrix(s.mass), solver.WithNullSpace(ones), solver.WithSplit(1, solver.WithNullSpace())}},
	} {
		for _, engine := range []string{"native", "petsc"} {
			t.Run(test.name+" "+engine, func(t *testing.T) {
				s.solve(t, append(slices.Clone(test.options), solver.Engine(engine))...)
			})
		}
	}
	system := solver.New(s.m, solver.None, solver.WithPartNullSpace(0))
	defer system.Close()
	if _, err := system.Solve(s.x, s.b); err == nil || !strings.Contains(err.Error(), "does not make constants in component 0, in part 0 zero") {
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
	s := &mixedSystem{m: m, x: zeros("x"), b: zeros("b")}
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
	for _, p := range s.x.Parts() {
		for i := range optest.Must(p.Data()) {
			optest.Must(p.Data())[i] = random.NormFloat64()
		}
	}
	s.want = slices.Concat(slices.Clone(optest.Must(s.x.Parts()[0].DataRO())), optest.Must(s.x.Parts()[1].DataRO()), optest.Must(s.x.Parts()[2].DataRO()))
	optest.OK(t, m.Mul(s.b, s.x))
	fields := solver.WithFields([]int{2, 0}, []int{1})
	inner := solver.WithSplit(0, solver.GMRES, solver.SymmetricMultiplicative, solver.WithSplit(1, solver.ILU))
	for _, options := range [][]solver.Option{
		nil, {fields}, {fields, inner}, {fields, inner, solver.Schur, solver.WithSelfP()},
		{solver.WithFields([]int{1}, []int{0, 2}), solver.Schur, solver.WithSelfP(), solver.WithSplit(1, solver.ILU)},
	} {
		s.solve(t, options...)
	}
}
