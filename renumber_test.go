package op2_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// Errors name an element by its declared number.
func TestRenumberedInErrors(t *testing.T) {
	rt := optest.OpenBackend(t, "test")
	const n, at = 6, 4
	edges, nodes := optest.NewSet(t, rt, n-1, "edges"), optest.NewSet(t, rt, n, "nodes")
	optest.NewMap(t, edges, nodes, 2, []int32{5, 0, 0, 4, 4, 2, 2, 1, 1, 3}, "path")
	diagonal := optest.NewMap(t, nodes, nodes, 1, []int32{0, 1, 2, 3, 4, 5}, "diagonal")
	k := optest.NewDat(t, nodes, 1, []int64{1, 1, 1, 1, 0, 1}, "k")
	optest.OK(t, rt.Renumber())
	if (*entity.Set)(nodes).StoredNumbers()[at] == at {
		t.Fatal("the element has kept its place in memory")
	}

	err := op2.ParLoop(op2.Kernels(errorsSource).Func(faultDivide), nodes, k.Read(), optest.NewDat[float64](t, nodes, 1, nil, "out").Write())
	var fault *op2.FaultError
	if !errors.As(err, &fault) {
		t.Fatalf("got %v", err)
	}
	optest.ExpectError(t, fault, fmt.Sprintf("op2: loop faultDivide over nodes: %v: integer divide by zero: element 4 of nodes", fault.Pos))
	optest.ExpectError(t, &op2.FaultError{Loop: "loop k over s", Msg: "m", Set: "s", Element: 2, Elements: 3, Declared: []int{7, 0, 5}},
		"op2: loop k over s: m: one of the elements 7, 0, 5 of s")

	x, b := optest.NewDat[float64](t, nodes, 1, nil, "x"), optest.NewDat[float64](t, nodes, 1, nil, "b")
	values := []float64{1, 1, 1, 1, 1, 1}
	values[at] = 0
	m := optest.NewMatrix(t, diagonal, diagonal, 1, values, "m")
	for _, preconditioner := range []string{"jacobi", "ilu"} {
		_, err := optest.NewSolver(t, m, solver.Preconditioner(preconditioner)).Solve(x, b)
		optest.ExpectError(t, err, fmt.Sprintf(`op2: solver cg + %s of m: no convergence after 0 iterations: DIVERGED_PC_FAILED: the preconditioner %[1]s has a pivot of zero at element %d of nodes
  hint: check that the matrix is assembled, and that boundary conditions determine the solution`, preconditioner, at))
	}
}

// Values that are filled, copied or set to zero before Renumber are no loops, also with lazy evaluation.
func TestRenumberAfterValuesWereSet(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		rt := optest.OpenBackend(t, "go", op2.WithLazy(lazy))
		edges, nodes := optest.NewSet(t, rt, 4, "edges"), optest.NewSet(t, rt, 5, "nodes")
		optest.NewMap(t, edges, nodes, 2, []int32{3, 0, 0, 4, 2, 4, 1, 2}, "ends")
		x, y := optest.NewDat(t, nodes, 1, []float64{0, 1, 2, 3, 4}, "x"), optest.NewDat[float64](t, nodes, 1, nil, "y")
		optest.OK(t, errors.Join(y.Fill(7), y.Zero(), y.Copy(x), x.Fill(5), rt.Renumber()))
		optest.Expect(t, y, []float64{0, 1, 2, 3, 4})
		optest.Expect(t, x, []float64{5, 5, 5, 5, 5})
	}
}

// Products use what the program has changed in declared order, and what they compute replaces it.
func TestProductsAfterRenumber(t *testing.T) {
	for _, backend := range []string{"go", "sequential"} {
		rt := optest.OpenBackend(t, backend)
		nodes := optest.NewSet(t, rt, 3, "nodes")
		m := optest.NewMap(t, nodes, nodes, 2, []int32{0, 2, 1, 2, 2, 0}, "pairs")
		x, y := optest.NewDat(t, nodes, 1, []float64{1, 1, 1}, "x"), optest.NewDat[float64](t, nodes, 1, nil, "y")
		optest.OK(t, rt.Renumber())
		a := op2.NewMat[float64](op2.NewSquareSparsity(m, 1, "s"), "a")
		optest.OK(t, a.SetDiagonal(x))
		values, err := x.Data()
		optest.OK(t, err)
		copy(values, []float64{1, 2, 3})
		optest.OK(t, a.Mul(y, x))
		optest.Expect(t, y, []float64{1, 2, 3})
	}
}
