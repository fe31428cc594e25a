package conformance

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// conformSolvers compares the native methods, with every preconditioner, on matrices and on
// matrix-free operators, with a dense direct solver.
func conformSolvers(t *testing.T, open optest.Opener) {
	rt := open(t)
	for _, shape := range [][2]int{{0, 1}, {1, 1}, {2, 1}, {70, 1}, {1, 2}, {40, 2}} {
		for _, method := range []op2.Method{op2.CG, op2.BiCGStab, op2.GMRES} {
			s := optest.NewSystem(shape[0], shape[1], method == op2.CG)
			d := s.Declare(t, rt)
			for _, preconditioner := range []op2.Preconditioner{op2.None, op2.Jacobi, op2.PBJacobi, op2.BJacobi, op2.ILU, op2.SSOR} {
				operators := []op2.Operator{d.Matrix}
				if preconditioner == op2.None || preconditioner == op2.Jacobi {
					operators = append(operators, d.Operator)
				}
				for _, a := range operators {
					solver := optest.NewSolver(t, a, op2.WithMethod(method), op2.WithPreconditioner(preconditioner),
						op2.WithRTol(1e-12), op2.WithRestart(9), op2.WithBlocks(3))
					for range 2 {
						c, err := solver.Solve(d.X, d.B)
						if err != nil {
							t.Fatal(err)
						}
						if len(c.Residuals) != c.Iterations+1 {
							t.Errorf("%d residuals of %d iterations", len(c.Residuals), c.Iterations)
						}
						optest.Within(t, d.X, s.X, 1e-9)
					}
				}
			}
		}
	}
}
