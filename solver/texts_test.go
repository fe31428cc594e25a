package solver_test

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// The native solvers' own loops.
func TestTexts(t *testing.T) {
	optest.NotShort(t)
	gputest.CheckTexts(t, "solvers", func() {
		rt := optest.Must(op2.Open(op2.WithLog(nil)))
		defer rt.Close()
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			s := optest.NewSystem(20, 1, method == "cg")
			d := s.Declare(t, rt)
			for _, preconditioner := range []string{"none", "jacobi"} {
				system := optest.NewSolver(t, d.Matrix, solver.Method(method), solver.Preconditioner(preconditioner))
				if _, err := system.Solve(d.X, d.B); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
