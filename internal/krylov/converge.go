package krylov

import (
	"math"
	"strings"
)

// Limits say when to stop.
type Limits struct {
	RTol          float64 // converged below RTol times the norm of the right-hand side
	ATol          float64 // or below this
	DivTol        float64 // diverged above DivTol times the norm of the right-hand side
	MaxIterations int
	Restart       int  // directions that gmres keeps before it restarts
	Guess         bool // x is the initial guess, instead of zero
	// Monitor, if not nil, is called at each iteration with the residual's norm. An error from it
	// stops the solver.
	Monitor func(iteration int, residual float64) error
}

// Reason says why a method stopped, under PETSc's name.
type Reason string

// The reasons.
const (
	ConvergedRTol           Reason = "CONVERGED_RTOL"
	ConvergedATol           Reason = "CONVERGED_ATOL"
	ConvergedHappyBreakdown Reason = "CONVERGED_HAPPY_BREAKDOWN"
	ConvergedIterations     Reason = "CONVERGED_ITS" // without a norm

	DivergedIterations    Reason = "DIVERGED_ITS"
	DivergedDTol          Reason = "DIVERGED_DTOL"
	DivergedBreakdown     Reason = "DIVERGED_BREAKDOWN"
	DivergedNaNOrInf      Reason = "DIVERGED_NANORINF"
	DivergedIndefinitePC  Reason = "DIVERGED_INDEFINITE_PC"
	DivergedIndefiniteMat Reason = "DIVERGED_INDEFINITE_MAT"
	DivergedPCFailed      Reason = "DIVERGED_PC_FAILED"
)

// Converged reports whether the method converged.
func (r Reason) Converged() bool { return strings.HasPrefix(string(r), "CONVERGED_") }

// Outcome is the result of a solve.
type Outcome struct {
	Iterations int
	Residuals  []float64 // norms, starting with that of the initial guess
	Reason     Reason
}

// watch tracks the residual's norm over the iterations.
type watch struct {
	Limits
	Outcome
	space         Space
	err           error // of the monitor
	target, bound float64
}

// outcome returns the outcome of a solve, or its error.
func (w *watch) outcome() (Outcome, error) {
	if err := w.space.Err(); err != nil {
		return w.Outcome, err
	}
	return w.Outcome, w.err
}

// begin sets the reference for the norms: the norm of the preconditioned right-hand side, or that
// of the first residual if it is the same or the right-hand side is zero.
func (w *watch) begin(base, first float64) (done bool) {
	if base == 0 {
		base = first
	}
	w.target = math.Max(w.RTol*base, w.ATol)
	w.bound = w.DivTol * base
	return w.norm(first)
}

// norm records the residual's norm after an iteration, and returns whether to stop.
func (w *watch) norm(n float64) (done bool) {
	if w.space.Err() != nil {
		return true
	}
	w.Residuals = append(w.Residuals, n)
	w.Iterations = len(w.Residuals) - 1
	if w.Monitor != nil {
		if w.err = w.Monitor(w.Iterations, n); w.err != nil {
			return true
		}
	}
	switch {
	case !finite(n):
		w.Reason = DivergedNaNOrInf
	case n <= w.target && n < w.ATol:
		w.Reason = ConvergedATol
	case n <= w.target:
		w.Reason = ConvergedRTol
	case n >= w.bound:
		w.Reason = DivergedDTol
	case w.Iterations >= w.MaxIterations:
		w.Reason = DivergedIterations
	default:
		return false
	}
	return true
}

// ends stops for a reason that the norm does not show; if a value is not finite, that takes
// precedence. It returns true.
func (w *watch) ends(why Reason, values ...float64) (done bool) {
	w.Reason = why
	if !finite(values...) {
		w.Reason = DivergedNaNOrInf
	}
	return true
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// residual computes r = M⁻¹ (b − A x), or M⁻¹ b without a guess; t is scratch space.
func residual(s Space, r, t, x, b Vector, guess bool) {
	if !guess {
		s.Precondition(r, b)
		return
	}
	difference(s, t, r, x, b, true)
	s.Precondition(r, t)
}

// difference computes r = b − A x, or b without a guess; t is scratch space.
func difference(s Space, r, t, x, b Vector, guess bool) {
	if !guess {
		s.Scale(r, b, 1)
		return
	}
	s.Apply(t, x)
	s.Add(r, b, t, -1)
}

// norm returns the norm of x.
func norm(s Space, x Vector) float64 {
	_, xx := s.Dots(x, x)
	return math.Sqrt(xx)
}

// base returns the norm of M⁻¹ b; t is scratch space.
func base(s Space, t, b Vector) float64 {
	s.Precondition(t, b)
	return norm(s, t)
}

// start zeroes x unless it is a guess. It is called after the first check of the residual, so that
// x stays unchanged if the system is hopeless from the start.
func (w *watch) start(x Vector) {
	if !w.Guess && w.Reason != DivergedNaNOrInf && w.err == nil {
		w.space.Zero(x)
	}
}
