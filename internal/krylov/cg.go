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
func NewCG(s Space, _ Limits) (Method, error) {
	v, err := vectors(s, 4)
	if err != nil {
		return nil, err
	}
	return &CG{s, v[0], v[1], v[2], v[3]}, nil
}

// Method solves for x, any number of times.
type Method interface {
	Solve(x, b Vector, l Limits) (Outcome, error)
}

// Solve solves A x = b.
func (m *CG) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l}
	zr, done, err := m.begin(&w, x, b)
	if done || err != nil {
		return w.Outcome, err
	}
	lastPW := 0.0
	for {
		pw, err := m.s.ApplyDot(m.w, m.p)
		if err != nil {
			return w.Outcome, err
		}
		if !finite(pw) || pw == 0 || pw*lastPW < 0 {
			return w.ends(DivergedIndefiniteMat, pw), nil
		}
		lastPW = pw
		alpha := zr / pw
		next, zz, err := m.s.UpdateResidual(m.r, m.z, m.w, alpha)
		if err != nil {
			return w.Outcome, err
		}
		beta := next / zr
		done, err := w.norm(math.Sqrt(zz))
		if w.Reason == DivergedNaNOrInf {
			return w.Outcome, err
		}
		if stepErr := m.s.UpdateSolution(x, m.p, m.z, m.r, alpha, beta); stepErr != nil {
			return w.Outcome, stepErr
		}
		if done || err != nil {
			return w.Outcome, err
		}
		if next == 0 || beta < 0 {
			return w.ends(DivergedIndefinitePC), nil
		}
		zr = next
	}
}

// begin stores the residual in r, the preconditioned one in z and p, and returns z·r.
func (m *CG) begin(w *watch, x, b Vector) (zr float64, done bool, err error) {
	s, size := m.s, 0.0
	if w.Guess {
		if size, err = base(s, m.z, b); err != nil {
			return 0, false, err
		}
		if err = s.Apply(m.w, x); err == nil {
			err = s.Add(m.r, b, m.w, -1)
		}
	} else {
		err = s.Scale(m.r, b, 1)
	}
	if err != nil {
		return 0, false, err
	}
	if err = s.Precondition(m.z, m.r); err != nil {
		return 0, false, err
	}
	var zz float64
	if zr, zz, err = s.Dots(m.z, m.r); err != nil {
		return 0, false, err
	}
	if done, err = w.begin(size, math.Sqrt(zz)); err != nil {
		return 0, false, err
	}
	if !done && zr == 0 {
		w.Reason, done = DivergedIndefinitePC, true
	}
	if err = w.start(s, x); err != nil {
		return 0, false, err
	}
	return zr, done, s.Scale(m.p, m.z, 1)
}
