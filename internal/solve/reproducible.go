package solve

import (
	"fmt"
	"slices"
)

// checkReproducible returns an error for methods and preconditioners, of the solver or of a split,
// that cannot give the same bits for every partition.
func (s *Solver) checkReproducible(c *Config) error {
	if !s.rt.Config().Backend.SameBits {
		return nil
	}
	if c.Engine == "petsc" {
		return fmt.Errorf("the runtime is reproducible, and PETSc adds in an order that depends on the partition\n  hint: solver.Native")
	}
	if slices.Contains([]string{"bjacobi", "ilu", "ssor"}, c.Preconditioner) {
		return fmt.Errorf("the runtime is reproducible, and the preconditioner %s depends on the partition\n  hint: none, jacobi and pbjacobi do not", c.Preconditioner)
	}
	if c.Preconditioner == "fieldsplit" && c.Split.schur() && c.Split.Precondition == "selfp" {
		return fmt.Errorf("the runtime is reproducible, and selfp depends on the partition\n  hint: a11 and user do not")
	}
	return nil
}
