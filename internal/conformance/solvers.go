package conformance

import (
	"testing"

	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// conformSolvers compares the native methods, with every preconditioner, on matrices and on
// matrix-free operators, with a dense direct solver.
func conformSolvers(t *testing.T, open optest.Opener) {
	rt := open(t)
	for _, shape := range [][2]int{{0, 1}, {1, 1}, {2, 1}, {70, 1}, {1, 2}, {40, 2}} {
		for _, method := range []solver.Method{solver.CG, solver.BiCGStab, solver.GMRES} {
			s := optest.NewSystem(shape[0], shape[1], method == solver.CG)
			d := s.Declare(t, rt)
			for _, preconditioner := range []solver.Preconditioner{solver.None, solver.Jacobi, solver.PBJacobi, solver.BJacobi, solver.ILU, solver.SSOR} {
				operators := []solver.Operator{d.Matrix}
				if preconditioner == solver.None || preconditioner == solver.Jacobi {
					operators = append(operators, d.Operator)
				}
				for _, a := range operators {
					system := optest.NewSolver(t, a, method, preconditioner,
						solver.WithRTol(1e-12), solver.WithRestart(9), solver.WithBlocks(3))
					for range 2 {
						c, err := system.Solve(d.X, d.B)
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
