package solve

import (
	"time"

	"github.com/go-op2/op2/internal/petsc"
	"github.com/go-op2/op2/internal/profile"
)

// petscEngine solves with PETSc, in the dats' own memory.
type petscEngine struct {
	solver *Solver
	inner  *petsc.Solver
	types  string
	x, y   []Vector // operand and result of a matrix-free operator
	schur  *Blocks  // what a Schur complement is preconditioned with; nil: nothing of the program
	warned string

	// Vectors in PETSc's memory if they have several parts: the right-hand side, the solution and the
	// diagonal of a matrix-free operator.
	right, solution, diagonal []float64

	on *petsc.Ranks // nil: this process alone

	prefix         string // of the solver's options, generated or the program's
	setUp, solving *profile.Stats
	elsewhere      time.Duration // time in the operator, whose loops are counted separately
}

// petscNames maps op2's names to PETSc's, where they differ.
var petscNames = map[string]string{"bicgstab": "bcgs", "ssor": "sor"}

func (e *petscEngine) name() string { return "petsc " + e.types }

func (e *petscEngine) close() error { return e.inner.Close() }

// count records the time of a solve, and how much of it went into building the preconditioner.
func (e *petscEngine) count(took, setUp time.Duration) {
	e.setUp.Calls++
	e.setUp.Time += setUp
	e.solving.Calls++
	e.solving.Time += max(0, took-setUp)
	e.setUp.How, e.solving.How = e.types, e.types
}
