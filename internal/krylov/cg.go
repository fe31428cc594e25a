package krylov

import "math"

// CG is the conjugate gradient method, for symmetric A and M that are both positive definite, or
// both negative definite. M. R. Hestenes, E. Stiefel, Methods of conjugate gradients for solving
// linear systems, 1952; as in Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, algorithm
// 9.1.
type CG struct {
	s          Space
	r, z, p, w Vector
}

// NewCG allocates the vectors that the method needs.
func NewCG(s Space, _ Limits) Method {
	v := vectors(s, 4)
	return &CG{s, v[0], v[1], v[2], v[3]}
}

// Method solves for x, any number of times.
type Method interface {
	Solve(x, b Vector, l Limits) (Outcome, error)
}

// Solve solves A x = b.
func (m *CG) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l, space: m.s}
	zr, done := m.begin(&w, x, b)
	for lastPW := 0.0; !done; {
		pw := m.s.ApplyDot(m.w, m.p)
		if !finite(pw) || pw == 0 || pw*lastPW < 0 {
			done = w.ends(DivergedIndefiniteMat, pw)
			continue
		}
		lastPW = pw
		alpha := zr / pw
		next, zz := m.s.UpdateResidual(m.r, m.z, m.w, alpha)
		beta := next / zr
		done = w.norm(math.Sqrt(zz))
		if w.Reason == DivergedNaNOrInf {
			continue
		}
		m.s.UpdateSolution(x, m.p, m.z, m.r, alpha, beta)
		if !done && (next == 0 || beta < 0) {
			done = w.ends(DivergedIndefinitePC)
		}
		zr = next
	}
	return w.outcome()
}

// begin stores the residual in r, the preconditioned one in z and p, and returns z·r.
func (m *CG) begin(w *watch, x, b Vector) (zr float64, done bool) {
	s, size := m.s, 0.0
	if w.Guess {
		size = base(s, m.z, b)
	}
	difference(s, m.r, m.w, x, b, w.Guess)
	s.Precondition(m.z, m.r)
	zr, zz := s.Dots(m.z, m.r)
	done = w.begin(size, math.Sqrt(zz))
	if !done && zr == 0 {
		done = w.ends(DivergedIndefinitePC)
	}
	w.start(x)
	s.Scale(m.p, m.z, 1)
	return zr, done
}
