package op2_test

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// Errors of mixed mats and their solvers name the part or the block.
func TestMixedMatErrors(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	s, err := optest.NewMixedSystem(rt, true)
	optest.OK(t, err)
	full, err := optest.NewMixedSystem(rt, false)
	optest.OK(t, err)
	toNodes := s.All.Parts()[0]
	swapped := op2.NewMixedMap([]*op2.Map{full.All.Parts()[1], full.All.Parts()[0]}, "swapped")
	first := op2.NewMixedMap([]*op2.Map{toNodes, nil}, "first")
	single := op2.NewMixedMap([]*op2.Map{toNodes}, "single")
	backwards := op2.NewMixedDat([]*op2.Dat[float64]{s.X.Parts()[1], s.X.Parts()[0]}, "backwards")
	alone := op2.NewMixedDat([]*op2.Dat[float64]{s.X.Parts()[0]}, "alone")
	rows := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: single, Cols: s.All}}, []int{2}, []int{2, 1}, "rows"), "rows")
	dims := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: s.All, Cols: s.All}}, []int{2, 2}, []int{2, 1}, "dims"), "dims")
	pin := op2.NewDirichlet(op2.Fix(s.Sets[1], 0.0))
	beyond := op2.NewDirichlet(op2.Fix(s.Sets[0], 0.0).Part(2))
	other := op2.NewDirichlet(op2.Fix(s.Sets[1], 0.0).Part(0))
	stranger := op2.NewDirichlet(op2.Fix(toNodes.From(), 0.0))
	overlapping := op2.NewDirichlet(op2.Fix(s.Sets[0], 0.0), op2.Fix(s.Sets[0], 1.0).Part(0))
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
		{"nil map", sparsity(nil, s.All, []int{2, 1}), "op2: sparsity s: pair 1: a map is nil, or was not made by NewMap or NewMixedMap"},
		{"dims", sparsity(s.All, s.All, []int{2}), "op2: sparsity s: pair 1: all has 2 parts, 1 dim given for the rows"},
		{"not reached", sparsity(first, s.All, []int{2, 1}), "op2: sparsity s: no map leads to part 1 of the rows"},
		{"absent", sparsity(s.All, s.All, []int{2, 1}, [2]int{0, 2}), "op2: sparsity s: there is no block [0][2] to be absent: there are 2 by 2"},
		{"dim", sparsity(s.All, s.All, []int{2, 0}), "op2: sparsity s[0][1] of nodes by corners: blocks of at least 1 × 1 are needed, 2 × 0 was given"},
		{"mat", op2.NewMat[float64](nil, "m").Err(), "op2: mat m: there is no sparsity"},
		{"nil mat", (*op2.Mat[float64])(nil).Zero(), "op2: the mat is nil, or was not made by NewMat"},
		{"product", s.M.Mul(s.X, backwards), "op2: mat a: Mul of backwards: part 0 takes a dat on nodes with dim 2, xp is on corners and has dim 1"},
		{"parts", s.M.Mul(alone, s.B), "op2: mat a: Mul into alone takes a mixed dat of 2 parts, alone has 1 part"},
		{"nil dat", s.M.Mul(nil, s.B), "op2: mat a: Mul into the product: the dat is nil"},
		{"same", s.M.Mul(s.X, s.X), "op2: mat a: Mul: xu is both the factor and the product"},
		{"dat of no part", s.Mass.Mul(s.X.Parts()[1], s.X), "op2: mat mass: Mul of x takes a dat, x has 2 parts"},
		{"plain map", op2.NewLoop(op2.Kernels(errorsSource).Func(local1x1), toNodes.From(), s.M.Inc(toNodes, s.All)).Err(), "op2: loop local1x1 over cells: argument 1 (a, incremented through toNodes by all): the rows of a have 2 parts, toNodes has 1"},
		{"ZeroRows of two parts", twice.ZeroRows(s.Sets[0], 1), "op2: mat twice: ZeroRows: parts 0 and 1 of the rows are on nodes\n  hint: Mat.Block has those of one part"},
		{"ZeroRows of an absent block", s.M.ZeroRows(s.Sets[1], 1), "op2: mat a: ZeroRows with a diagonal needs the block [1][1], which is absent\n" +
			"  hint: a sparsity makes it of pairs of maps that lead to its rows and its columns, unless it is listed as absent"},
		{"ZeroRows of others", s.M.ZeroRows(toNodes.From(), 1), "op2: mat a: ZeroRows: the rows are nodes, corners, elements of cells were given"},
		{"conditions on an absent block", pin.Apply(s.M, nil), "op2: mat a: Dirichlet needs the block [1][1], which is absent\n" +
			"  hint: a sparsity makes it of pairs of maps that lead to its rows and its columns, unless it is listed as absent"},
		{"conditions on no part", beyond.Apply(s.M, nil), "op2: conditions on nodes: there is no part 2: a has 2 parts, numbered from 0"},
		{"conditions on another part", other.Apply(s.M, s.B), "op2: conditions on corners: they are on corners, part 0 of a is on nodes"},
		{"conditions on another set", stranger.ApplyTo(s.X), "op2: conditions on cells: they are on cells, x is on nodes, corners"},
		{"conditions on one of two parts", op2.NewDirichlet(op2.Fix(s.Sets[0], 0.0)).Apply(twice, nil), "op2: conditions on nodes: parts 0 and 1 of twice are on nodes\n  hint: Condition.Part names the part"},
		{"conditions with and without a part", overlapping.Apply(s.M, nil), "op2: conditions on nodes: the conditions on nodes are on part 0 of a, too\n  hint: name the part of all of them, or of none"},
		{"operator of dats on two sets", solver.NewOperator(s.Sets, []int{2, 1}, func(y, x *op2.Dat[float64]) error { return nil }, nil, "o").Err(), "op2: operator o: the function takes dats on one set, there are 2\n  hint: func(y, x *op2.MixedDat[float64]) error"},
		{"no operator", newSolver(nil), "op2: solver.New: there is no operator"},
		{"not square", newSolver(rows), "op2: mat rows: a solver takes a square matrix, this one has 1 part of the rows and 2 of the columns"},
		{"other dims", newSolver(dims), "op2: mat dims: a solver takes a square matrix, part 1 has rows on corners with dim 2, and columns on corners with dim 1"},
		{"kind", newSolver(s.M, solver.FieldSplit("shur")), "op2: there is no type of field split \"shur\" (did you mean \"schur\"?)\n  hint: there are additive, multiplicative, symmetric_multiplicative, schur, schur-diag, schur-lower, schur-upper"},
		{"jacobi of an absent block", newSolver(s.M, solver.Jacobi), "op2: solver of a: the preconditioner jacobi needs the block [1][1] of a, which is absent\n  hint: give the Schur complement of a field split WithSelfP(), or WithSchurMatrix, or this split the preconditioner none"},
		{"split of an absent block", newSolver(s.M), "op2: solver of a: split 1: the preconditioner jacobi needs the block [1][1] of a, which is absent\n  hint: give the Schur complement of a field split WithSelfP(), or WithSchurMatrix, or this split the preconditioner none"},
		{"ilu of an absent block", newSolver(s.M, solver.ILU), "op2: solver of a: there is no nonzero on the diagonal at element 0 of corners, in part 1"},
		{"fields", newSolver(full.M, solver.WithFields([]int{0})), "op2: solver of a: fieldsplit: part 1 is in no split"},
		{"fields twice", newSolver(full.M, solver.WithFields([]int{0, 1}, []int{1})), "op2: solver of a: fieldsplit: split 1: part 1 is in two splits"},
		{"fields beyond", newSolver(full.M, solver.WithFields([]int{0, 2})), "op2: solver of a: fieldsplit: split 0: there is no part 2: the unknowns have 2 parts, numbered from 0"},
		{"one split", newSolver(full.M, schur, solver.WithFields([]int{0, 1})), "op2: solver of a: fieldsplit: a Schur complement needs two splits, there are 1\n  hint: WithFields groups the parts"},
		{"option of no split", newSolver(full.M, solver.WithSplit(2)), "op2: solver of a: WithSplit: there is no split 2: there are 2 splits, numbered from 0"},
		{"method of a split", newSolver(full.M, solver.WithSplit(1, solver.Method("gmers"))), "op2: solver of a: split 1: there is no native method \"gmers\" (did you mean \"gmres\"?)\n  hint: there are cg, bicgstab, minres, gmres, fgmres, preonly; the engine petsc has more"},
		{"engine of a split", newSolver(full.M, solver.WithSplit(1, solver.PETSc)), "op2: solver of a: split 1 has the engine of the solver, and no options of PETSc by itself\n  hint: the solver's WithPETScOptions take -fieldsplit_1_ksp_type and so on"},
		{"no matrix", newSolver(s.M, schur, solver.WithSchurMatrix(nil)), "op2: solver of a: fieldsplit: there is no matrix to precondition the Schur complement with\n  hint: WithSchurMatrix"},
		{"another matrix", newSolver(s.M, schur, solver.WithSchurMatrix(s.M.Block(0, 0))), "op2: solver of a: WithSchurMatrix: a[0][0] has rows on nodes with dim 2 and columns on nodes with dim 2, the split has corners with dim 1 and corners with dim 1"},
		{"null space without a part", newSolver(full.M, solver.WithNullSpace()), "op2: solver of a: WithNullSpace: the unknowns have 2 parts\n  hint: WithPartNullSpace names the one of the constants"},
		{"null space of a negative part", newSolver(full.M, solver.WithPartNullSpace(-1)), "op2: solver of a: WithPartNullSpace: there is no part -1: the unknowns have 2 parts, numbered from 0"},
		{"splits without fieldsplit", newSolver(full.M, solver.None, solver.WithSelfP()), "op2: solver: options of splits are for the preconditioner fieldsplit, this one is none\n  hint: solver.FieldSplit"},
		{"null space of no part", newSolver(full.M, solver.WithPartNullSpace(2)), "op2: solver of a: WithPartNullSpace: there is no part 2: the unknowns have 2 parts, numbered from 0"},
		{"mixed null space", newSolver(full.M, solver.WithNullSpace(alone)), "op2: solver of a: WithNullSpace: a vector has 1 part, the unknowns have 2"},
		{"nil null space of a part", newSolver(full.M, solver.WithPartNullSpace(1, nil)), "op2: solver of a: WithPartNullSpace: a vector is nil"},
		{"nil null space", newSolver(full.M, solver.WithNullSpace((*op2.MixedDat[float64])(nil))), "op2: solver of a: WithNullSpace: a vector is nil"},
		{"null space on another set", newSolver(full.M, solver.WithPartNullSpace(1, full.X.Parts()[0])), "op2: solver of a: WithPartNullSpace takes a dat on corners with dim 1, xu is on nodes and has dim 2"},
		{"field split of one part", solver.New(s.Mass, solver.Schur).Err(), "op2: solver of mass: the preconditioner fieldsplit needs a matrix of blocks, mass is none"},
		{"swapped", op2.NewSparsity([]op2.MapPair{{Rows: full.All, Cols: full.All}, {Rows: swapped, Cols: swapped}}, []int{2, 1}, []int{2, 1}, "s").Err(),
			"op2: sparsity s: pair 2: part 0 of swapped leads to corners, part 0 of the rows is nodes"},
	} {
		t.Run(test.name, func(t *testing.T) { optest.ExpectError(t, test.err, test.want) })
	}
}
