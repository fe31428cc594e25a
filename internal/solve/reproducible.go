package solve

import (
	"fmt"
	"slices"
)

// checkReproducible returns an error for what cannot give the same bits for any partition.
func (s *Solver) checkReproducible() error {
	if !s.rt.Config().Backend.SameBits {
		return nil
	}
	if s.config.Engine == "petsc" {
		return fmt.Errorf("the runtime is reproducible, and PETSc adds in an order that depends on the partition\n  hint: op2.WithEngine(\"native\")")
	}
	if slices.Contains([]string{"bjacobi", "ilu", "ssor"}, s.config.Preconditioner) {
		return fmt.Errorf("the runtime is reproducible, and the preconditioner %s depends on the partition\n  hint: none, jacobi and pbjacobi do not", s.config.Preconditioner)
	}
	return nil
}
