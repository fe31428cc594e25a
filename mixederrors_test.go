package op2_test

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
	"gonum.org/v1/gonum/mat"
)

// Errors of mixed mats and their solvers name the part or the block.
func TestMixedMatErrors(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	s, err := newMixedSystem(rt, true)
	optest.OK(t, err)
	full, err := newMixedSystem(rt, false)
	optest.OK(t, err)
	toNodes := s.all.Parts()[0]
	swapped := op2.NewMixedMap([]*op2.Map{full.all.Parts()[1], full.all.Parts()[0]}, "swapped")
	first := op2.NewMixedMap([]*op2.Map{toNodes, nil}, "first")
	single := op2.NewMixedMap([]*op2.Map{toNodes}, "single")
	backwards := op2.NewMixedDat([]*op2.Dat[float64]{s.x.Parts()[1], s.x.Parts()[0]}, "backwards")
	alone := op2.NewMixedDat([]*op2.Dat[float64]{s.x.Parts()[0]}, "alone")
	rows := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: single, Cols: s.all}}, []int{2}, []int{2, 1}, "rows"), "rows")
	dims := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: s.all, Cols: s.all}}, []int{2, 2}, []int{2, 1}, "dims"), "dims")
	pin := op2.NewDirichlet(op2.Fix(s.sets[1], 0.0))
	beyond := op2.NewDirichlet(op2.Fix(s.sets[0], 0.0).Part(2))
	other := op2.NewDirichlet(op2.Fix(s.sets[1], 0.0).Part(0))
	stranger := op2.NewDirichlet(op2.Fix(toNodes.From(), 0.0))
	overlapping := op2.NewDirichlet(op2.Fix(s.sets[0], 0.0), op2.Fix(s.sets[0], 1.0).Part(0))
	twice := op2.NewMat[float64](op2.NewSquareSparsity(op2.NewMixedMap([]*op2.Map{toNodes, toNodes}, "both"), []int{2, 2}, "twice"), "twice")
	optest.OK(t, rt.Err())

	sparsity := func(rows, cols *op2.MixedMap, dims []int, absent ...[2]int) error {
		return op2.NewSparsity([]op2.MapPair{{Rows: rows, Cols: cols}}, dims, dims, "s", absent...).Err()
	}
	newSolver := func(a solver.Operator, options ...solver.Option) error {
		return solver.New(a, options...).Err()
	}
	schur := solver.Schur
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"no pairs", op2.NewSparsity(nil, []int{2, 1}, []int{2, 1}, "s").Err(), "op2: sparsity s: there are no pairs of maps"},
		{"nil map", sparsity(nil, s.all, []int{2, 1}), "op2: sparsity s: pair 1: a map is nil, or was not made by NewMap or NewMixedMap"},
		{"dims", sparsity(s.all, s.all, []int{2}), "op2: sparsity s: pair 1: all has 2 parts, 1 dim given for the rows"},
		{"not reached", sparsity(first, s.all, []int{2, 1}), "op2: sparsity s: no map leads to part 1 of the rows"},
		{"absent", sparsity(s.all, s.all, []int{2, 1}, [2]int{0, 2}), "op2: sparsity s: there is no block [0][2] to be absent: there are 2 by 2"},
		{"dim", sparsity(s.all, s.all, []int{2, 0}), "op2: sparsity s[0][1] of nodes by corners: blocks of at least 1 × 1 are needed, 2 × 0 was given"},
		{"mat", op2.NewMat[float64](nil, "m").Err(), "op2: mat m: there is no sparsity"},
		{"nil mat", (*op2.Mat[float64])(nil).Zero(), "op2: the mat is nil, or was not made by NewMat"},
		{"product", s.m.Mul(s.x, backwards), "op2: mat a: Mul of x: part 0 takes a dat on nodes with dim 2, xp is on corners and has dim 1"},
		{"parts", s.m.Mul(alone, s.b), "op2: mat a: Mul into y takes a mixed dat of 2 parts, alone has 1 part"},
		{"nil dat", s.m.Mul(nil, s.b), "op2: mat a: Mul into y: the dat is nil"},
		{"same", s.m.Mul(s.x, s.x), "op2: mat a: Mul: x and y share a dat, xu"},
		{"dat of no part", s.mass.Mul(s.x.Parts()[1], s.x), "op2: mat mass: Mul of x takes a dat, x has 2 parts"},
		{"plain map", op2.NewLoop(op2.Kernels(errorsSource).Func(local1x1), toNodes.From(), s.m.Inc(toNodes, s.all)).Err(), "op2: loop local1x1 over cells: argument 1 (a, incremented through toNodes by all): the rows of a have 2 parts, toNodes has 1"},
		{"ZeroRows of two parts", twice.ZeroRows(s.sets[0], 1), "op2: mat twice: ZeroRows: parts 0 and 1 of the rows are on nodes\n  hint: Mat.Block has those of one part"},
		{"ZeroRows of an absent block", s.m.ZeroRows(s.sets[1], 1), "op2: mat a: ZeroRows with a diagonal needs the block [1][1], which is absent\n" +
			"  hint: a sparsity makes it of pairs of maps that lead to its rows and its columns, unless it is listed as absent"},
		{"ZeroRows of others", s.m.ZeroRows(toNodes.From(), 1), "op2: mat a: ZeroRows: the rows are nodes, corners, elements of cells were given"},
		{"conditions on an absent block", pin.ApplyMat(s.m), "op2: mat a: Dirichlet needs the block [1][1], which is absent\n" +
			"  hint: a sparsity makes it of pairs of maps that lead to its rows and its columns, unless it is listed as absent"},
		{"conditions on no part", beyond.ApplyMat(s.m), "op2: conditions on nodes: there is no part 2: a has 2 parts, numbered from 0"},
		{"conditions on another part", other.Apply(s.m, s.b), "op2: conditions on corners: they are on corners, part 0 of a is on nodes"},
		{"conditions on another set", stranger.ApplyTo(s.x), "op2: conditions on cells: they are on cells, x is on nodes, corners"},
		{"conditions on one of two parts", op2.NewDirichlet(op2.Fix(s.sets[0], 0.0)).ApplyMat(twice), "op2: conditions on nodes: parts 0 and 1 of twice are on nodes\n  hint: Condition.Part names the part"},
		{"conditions with and without a part", overlapping.ApplyMat(s.m), "op2: conditions on nodes: the conditions on nodes are on part 0 of a, too\n  hint: name the part of all of them, or of none"},
		{"operator of dats on two sets", solver.NewOperator(s.sets, []int{2, 1}, func(y, x *op2.Dat[float64]) error { return nil }, nil, "o").Err(), "op2: operator o: the function takes dats on one set, there are 2\n  hint: func(y, x *op2.MixedDat[float64]) error"},
		{"no operator", newSolver(nil), "op2: solver.New: there is no operator"},
		{"not square", newSolver(rows), "op2: mat rows: a solver takes a square matrix, this one has 1 part of the rows and 2 of the columns"},
		{"other dims", newSolver(dims), "op2: mat dims: a solver takes a square matrix, part 1 has rows on corners with dim 2, and columns on corners with dim 1"},
		{"kind", newSolver(s.m, solver.FieldSplit("shur")), "op2: there is no type of field split \"shur\" (did you mean \"schur\"?)\n  hint: there are additive, multiplicative, symmetric_multiplicative, schur, schur-diag, schur-lower, schur-upper"},
		{"jacobi of an absent block", newSolver(s.m, solver.Jacobi), "op2: solver of a: the preconditioner jacobi needs the block [1][1] of a, which is absent\n  hint: give the Schur complement of a field split WithSelfP(), or WithSchurMatrix, or this split the preconditioner none"},
		{"split of an absent block", newSolver(s.m), "op2: solver of a: split 1: the preconditioner jacobi needs the block [1][1] of a, which is absent\n  hint: give the Schur complement of a field split WithSelfP(), or WithSchurMatrix, or this split the preconditioner none"},
		{"ilu of an absent block", newSolver(s.m, solver.ILU), "op2: solver of a: there is no nonzero on the diagonal at element 0 of corners, in part 1"},
		{"fields", newSolver(full.m, solver.WithFields([]int{0})), "op2: solver of a: fieldsplit: part 1 is in no split"},
		{"fields twice", newSolver(full.m, solver.WithFields([]int{0, 1}, []int{1})), "op2: solver of a: fieldsplit: split 1: part 1 is in two splits"},
		{"fields beyond", newSolver(full.m, solver.WithFields([]int{0, 2})), "op2: solver of a: fieldsplit: split 0: there is no part 2: the unknowns have 2 parts, numbered from 0"},
		{"one split", newSolver(full.m, schur, solver.WithFields([]int{0, 1})), "op2: solver of a: fieldsplit: a Schur complement needs two splits, there are 1\n  hint: WithFields groups the parts"},
		{"option of no split", newSolver(full.m, solver.WithSplit(2)), "op2: solver of a: WithSplit: there is no split 2: there are 2 splits, numbered from 0"},
		{"method of a split", newSolver(full.m, solver.WithSplit(1, solver.Method("gmers"))), "op2: solver of a: split 1: there is no native method \"gmers\" (did you mean \"gmres\"?)\n  hint: there are cg, bicgstab, minres, gmres, fgmres, preonly; the engine petsc has more"},
		{"engine of a split", newSolver(full.m, solver.WithSplit(1, solver.PETSc)), "op2: solver of a: split 1 has the engine of the solver, and no options of PETSc by itself\n  hint: the solver's WithPETScOptions take -fieldsplit_1_ksp_type and so on"},
		{"no matrix", newSolver(s.m, schur, solver.WithSchurMatrix(nil)), "op2: solver of a: fieldsplit: there is no matrix to precondition the Schur complement with\n  hint: WithSchurMatrix"},
		{"another matrix", newSolver(s.m, schur, solver.WithSchurMatrix(s.m.Block(0, 0))), "op2: solver of a: WithSchurMatrix: a[0][0] has rows on nodes with dim 2 and columns on nodes with dim 2, the split has corners with dim 1 and corners with dim 1"},
		{"null space without a part", newSolver(full.m, solver.WithNullSpace()), "op2: solver of a: WithNullSpace: the unknowns have 2 parts\n  hint: WithPartNullSpace names the one of the constants"},
		{"null space of a negative part", newSolver(full.m, solver.WithPartNullSpace(-1)), "op2: solver of a: WithPartNullSpace: there is no part -1: the unknowns have 2 parts, numbered from 0"},
		{"splits without fieldsplit", newSolver(full.m, solver.None, solver.WithSelfP()), "op2: solver: options of splits are for the preconditioner fieldsplit, this one is none\n  hint: solver.FieldSplit"},
		{"null space of no part", newSolver(full.m, solver.WithPartNullSpace(2)), "op2: solver of a: WithPartNullSpace: there is no part 2: the unknowns have 2 parts, numbered from 0"},
		{"mixed null space", newSolver(full.m, solver.WithNullSpace(alone)), "op2: solver of a: WithNullSpace: a vector has 1 part, the unknowns have 2"},
		{"field split of one part", solver.New(s.mass, solver.Schur).Err(), "op2: solver of mass: the preconditioner fieldsplit needs a matrix of blocks, mass is none"},
		{"swapped", op2.NewSparsity([]op2.MapPair{{Rows: full.all, Cols: full.all}, {Rows: swapped, Cols: swapped}}, []int{2, 1}, []int{2, 1}, "s").Err(),
			"op2: sparsity s: pair 2: part 0 of swapped leads to corners, part 0 of the rows is nodes"},
	} {
		t.Run(test.name, func(t *testing.T) { optest.ExpectError(t, test.err, test.want) })
	}
}

// A solve that fails because of a split says which one, and where.
func TestSplitFailures(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	s, err := newMixedSystem(rt, false)
	optest.OK(t, err)
	solve := func(options ...solver.Option) error {
		system := solver.New(s.m, options...)
		defer system.Close()
		return optest.Last(system.Solve(s.x, s.b))
	}
	schur := []solver.Option{solver.Schur, solver.WithSelfP()}
	indefinite := mat.NewDense(60, 60, nil)
	for i := range 60 {
		indefinite.Set(i, i, float64(1-2*(i%2)))
	}
	optest.OK(t, setBlock(s.m.Block(0, 0), indefinite, 0, 0))
	optest.ExpectError(t, solve(append(schur, solver.WithSplit(0, solver.CG, solver.None))...),
		"op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 0 of a, solved by cg + none: DIVERGED_INDEFINITE_MAT after 1 iteration\n"+
			"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
	optest.OK(t, s.m.ZeroRows(op2.NewSubset(s.sets[0], []int{7}, "some"), 0, 1))
	optest.ExpectError(t, solve(schur...), "op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 0 of a: the preconditioner jacobi has a pivot of zero at value 1 of element 7 of nodes\n"+
		"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
	optest.OK(t, s.m.ZeroRows(op2.NewSubset(s.sets[1], []int{4}, "some"), 0))
	optest.ExpectError(t, solve(solver.WithSplit(0, solver.None)), "op2: solver fgmres + fieldsplit of a: no convergence after 0 iterations: DIVERGED_PC_FAILED: split 1 of a: the preconditioner jacobi has a pivot of zero at element 4 of corners\n"+
		"  hint: check that the matrix is assembled, and that boundary conditions determine the solution")
}
