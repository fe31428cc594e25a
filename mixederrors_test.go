package op2_test

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"gonum.org/v1/gonum/mat"
)

// Errors of mixed mats and their solvers name the part or the block.
func TestMixedMatErrors(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	s, err := newMixedSystem(rt, true)
	optest.OK(t, err)
	full, err := newMixedSystem(rt, false)
	optest.OK(t, err)
	toNodes := s.all.Part(0)
	swapped := op2.NewMixedMap([]*op2.Map{full.all.Part(1), full.all.Part(0)}, "swapped")
	first := op2.NewMixedMap([]*op2.Map{toNodes, nil}, "first")
	single := op2.NewMixedMap([]*op2.Map{toNodes}, "single")
	backwards := op2.NewMixedDat([]*op2.Dat[float64]{s.x.Part(1), s.x.Part(0)}, "backwards")
	alone := op2.NewMixedDat([]*op2.Dat[float64]{s.x.Part(0)}, "alone")
	rows := op2.NewMixedMat[float64](op2.NewMixedSparsity([]op2.MixedMapPair{{Rows: single, Cols: s.all}}, []int{2}, []int{2, 1}, "rows"), "rows")
	dims := op2.NewMixedMat[float64](op2.NewMixedSparsity([]op2.MixedMapPair{{Rows: s.all, Cols: s.all}}, []int{2, 2}, []int{2, 1}, "dims"), "dims")
	pin := op2.NewDirichlet(op2.Fix(s.set.Part(1), 0.0))
	noConditions := op2.NewMixedDirichlet(nil, pin)
	short := op2.NewMixedDirichlet(op2.NewDirichlet(op2.Fix(s.set.Part(0), 0.0)))
	other := op2.NewMixedDirichlet(pin, nil)
	optest.OK(t, rt.Err())

	sparsity := func(rows, cols *op2.MixedMap, dims []int, absent ...[2]int) error {
		return op2.NewMixedSparsity([]op2.MixedMapPair{{Rows: rows, Cols: cols}}, dims, dims, "s", absent...).Err()
	}
	solver := func(a op2.MixedOperator, options ...op2.SolverOption) error {
		return op2.NewMixedSolver(a, options...).Err()
	}
	schur := op2.WithFieldSplit(op2.Schur)
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"no pairs", op2.NewMixedSparsity(nil, nil, nil, "s").Err(), "op2: mixed sparsity s: there are no pairs of mixed maps"},
		{"nil map", sparsity(nil, s.all, []int{2, 1}), "op2: mixed sparsity s: pair 1: a mixed map is nil, or was not made by NewMixedMap"},
		{"dims", sparsity(s.all, s.all, []int{2}), "op2: mixed sparsity s: pair 1: all has 2 parts, 1 dim given for the rows"},
		{"not reached", sparsity(first, s.all, []int{2, 1}), "op2: mixed sparsity s: no map leads to part 1 of the rows"},
		{"absent", sparsity(s.all, s.all, []int{2, 1}, [2]int{0, 2}), "op2: mixed sparsity s: there is no block [0][2] to be absent: there are 2 by 2"},
		{"dim", sparsity(s.all, s.all, []int{2, 0}), "op2: sparsity s[0][1] of nodes by corners: blocks of at least 1 × 1 are needed, 2 × 0 was given"},
		{"mat", op2.NewMixedMat[float64](nil, "m").Err(), "op2: mixed mat m: there is no mixed sparsity"},
		{"nil mat", (*op2.MixedMat[float64])(nil).Zero(), "op2: the mixed mat is nil, or was not made by NewMixedMat"},
		{"product", s.m.Mul(s.x, backwards), "op2: mixed mat a: Mul of x: part 0 takes a dat on nodes with dim 2, xp is on corners and has dim 1"},
		{"parts", s.m.Mul(alone, s.b), "op2: mixed mat a: Mul into y takes a mixed dat of 2 parts, alone has 1"},
		{"nil dat", s.m.Mul(nil, s.b), "op2: mixed mat a: Mul into y: the mixed dat is nil, or was not made by NewMixedDat"},
		{"same", s.m.Mul(s.x, s.x), "op2: mixed mat a: Mul: part 0 of x and part 0 of y are one dat, xu"},
		{"ZeroRows", s.m.ZeroRows(2, s.set.Part(0), 1), "op2: mixed mat a: ZeroRows: there is no part 2: the rows have 2 parts, numbered from 0"},
		{"ZeroRows of an absent block", s.m.ZeroRows(1, s.set.Part(1), 1), "op2: mixed mat a: ZeroRows with a diagonal needs the block [1][1], which is absent\n" +
			"  hint: NewMixedSparsity makes it of pairs of maps that lead to its rows and its columns, unless it is listed as absent"},
		{"ZeroRows of others", s.m.ZeroRows(0, s.set.Part(1), 1), "op2: mat a[0][0]: ZeroRows: the rows are nodes, elements of corners were given"},
		{"conditions on an absent block", noConditions.ApplyMat(s.m), "op2: mixed mat a: part 1: the conditions on corners need the block [1][1], which is absent"},
		{"conditions on one part", short.ApplyMat(s.m), "op2: mixed mat a: the conditions are on 1 part, the rows have 2 and the columns 2"},
		{"conditions on another part", other.Apply(s.m, s.b), "op2: mixed mat a: part 0: the conditions on corners are on corners, the rows are nodes and the columns nodes"},
		{"no conditions", op2.NewMixedDirichlet[float64](nil, nil).Err(), "op2: NewMixedDirichlet: no part has conditions"},
		{"no operator", solver(nil), "op2: NewMixedSolver: there is no operator"},
		{"not square", solver(rows), "op2: mixed mat rows: a solver takes a square matrix, this one has 1 part of the rows and 2 of the columns"},
		{"other dims", solver(dims), "op2: mixed mat dims: a solver takes a square matrix, part 1 has rows on corners with dim 2, and columns on corners with dim 1"},
		{"kind", solver(s.m, op2.WithFieldSplit("shur")), "op2: there is no type of field split \"shur\" (did you mean \"schur\"?)\n  hint: there are additive, multiplicative, symmetric_multiplicative, schur, schur-diag, schur-lower, schur-upper"},
		{"jacobi of an absent block", solver(s.m, op2.WithPreconditioner(op2.Jacobi)), "op2: solver of a: the preconditioner jacobi needs the block [1][1] of a, which is absent\n  hint: give the Schur complement of a field split WithSelfP(), or WithSchurMatrix, or this split the preconditioner none"},
		{"split of an absent block", solver(s.m), "op2: solver of a: split 1: the preconditioner jacobi needs the block [1][1] of a, which is absent\n  hint: give the Schur complement of a field split WithSelfP(), or WithSchurMatrix, or this split the preconditioner none"},
		{"ilu of an absent block", solver(s.m, op2.WithPreconditioner(op2.ILU)), "op2: solver of a: there is no nonzero on the diagonal at element 0 of corners, in part 1"},
		{"fields", solver(full.m, op2.WithFields([]int{0})), "op2: solver of a: fieldsplit: part 1 is in no split"},
		{"fields twice", solver(full.m, op2.WithFields([]int{0, 1}, []int{1})), "op2: solver of a: fieldsplit: split 1: part 1 is in two splits"},
		{"fields beyond", solver(full.m, op2.WithFields([]int{0, 2})), "op2: solver of a: fieldsplit: split 0: there is no part 2: the unknowns have 2 parts, numbered from 0"},
		{"one split", solver(full.m, schur, op2.WithFields([]int{0, 1})), "op2: solver of a: fieldsplit: a Schur complement needs two splits, there are 1\n  hint: WithFields groups the parts"},
		{"option of no split", solver(full.m, op2.WithSplit(2)), "op2: solver of a: WithSplit: there is no split 2: there are 2 splits, numbered from 0"},
		{"method of a split", solver(full.m, op2.WithSplit(1, op2.WithMethod("gmers"))), "op2: solver of a: split 1: there is no native method \"gmers\" (did you mean \"gmres\"?)\n  hint: there are cg, bicgstab, minres, gmres, fgmres, preonly; the engine petsc has more"},
		{"engine of a split", solver(full.m, op2.WithSplit(1, op2.WithEngine(op2.PETSc))), "op2: solver of a: split 1 has the engine of the solver, and no options of PETSc by itself\n  hint: the solver's WithPETScOptions take -fieldsplit_1_ksp_type and so on"},
		{"no matrix", solver(s.m, schur, op2.WithSchurMatrix(nil)), "op2: solver of a: fieldsplit: there is no matrix to precondition the Schur complement with\n  hint: WithSchurMatrix"},
		{"another matrix", solver(s.m, schur, op2.WithSchurMatrix(s.m.Block(0, 0))), "op2: solver of a: WithSchurMatrix: a[0][0] has rows on nodes with dim 2 and columns on nodes with dim 2, the split has corners with dim 1 and corners with dim 1"},
		{"null space without a part", solver(full.m, op2.WithNullSpace()), "op2: solver of a: WithNullSpace: the unknowns have 2 parts\n  hint: WithPartNullSpace names the part, WithMixedNullSpace takes mixed dats"},
		{"null space of no part", solver(full.m, op2.WithPartNullSpace(2)), "op2: solver of a: WithPartNullSpace: there is no part 2: the unknowns have 2 parts, numbered from 0"},
		{"mixed null space", solver(full.m, op2.WithMixedNullSpace(alone)), "op2: solver of a: WithMixedNullSpace: a vector has 1 part, the unknowns have 2"},
		{"field split of one part", op2.NewSolver(s.mass, op2.WithFieldSplit(op2.Schur)).Err(), "op2: solver of mass: the preconditioner fieldsplit needs a matrix of blocks, mass is none"},
		{"swapped", op2.NewMixedSparsity([]op2.MixedMapPair{{Rows: full.all, Cols: full.all}, {Rows: swapped, Cols: swapped}}, []int{2, 1}, []int{2, 1}, "s").Err(),
			"op2: mixed sparsity s: pair 2: part 0 of swapped leads to corners, part 0 of the rows is nodes"},
	} {
		t.Run(test.name, func(t *testing.T) { optest.ExpectError(t, test.err, test.want) })
	}
}

// A solve that fails because of a split says which one, and where.
func TestSplitFailures(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	s, err := newMixedSystem(rt, false)
	optest.OK(t, err)
	solve := func(options ...op2.SolverOption) error {
		solver := op2.NewMixedSolver(s.m, options...)
		defer solver.Close()
		return optest.Last(solver.Solve(s.x, s.b))
	}
	schur := []op2.SolverOption{op2.WithFieldSplit(op2.Schur), op2.WithSelfP()}
	indefinite := mat.NewDense(60, 60, nil)
	for i := range 60 {
		indefinite.Set(i, i, float64(1-2*(i%2)))
	}
	optest.OK(t, setBlock(s.m.Block(0, 0), indefinite, 0, 0))
	optest.ExpectError(t, solve(append(schur, op2.WithSplit(0, op2.WithMethod(op2.CG), op2.WithPreconditioner(op2.None)))...),
		"op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 0 of a, solved by cg + none: DIVERGED_INDEFINITE_MAT after 1 iteration\n"+
			"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
	optest.OK(t, s.m.ZeroRows(0, op2.NewSubset(s.set.Part(0), []int{7}, "some"), 0, 1))
	optest.ExpectError(t, solve(schur...), "op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 0 of a: the preconditioner jacobi has a pivot of zero at value 1 of element 7 of nodes\n"+
		"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
	optest.OK(t, s.m.ZeroRows(1, op2.NewSubset(s.set.Part(1), []int{4}, "some"), 0))
	optest.ExpectError(t, solve(op2.WithSplit(0, op2.WithPreconditioner(op2.None))), "op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 1 of a: the preconditioner jacobi has a pivot of zero at element 4 of corners\n"+
		"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
}
