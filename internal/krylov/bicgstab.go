package krylov

import "math"

// BiCGStab is the stabilized biconjugate gradient method, for any A; its residuals need not
// decrease monotonically.
// H. A. van der Vorst, Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG, 1992.
type BiCGStab struct {
	space               Space
	r, q, p, v, s, t, u Vector
}

// NewBiCGStab allocates the vectors that the method needs.
func NewBiCGStab(s Space, _ Limits) (Method, error) {
	v, err := vectors(s, 7)
	if err != nil {
		return nil, err
	}
	return &BiCGStab{s, v[0], v[1], v[2], v[3], v[4], v[5], v[6]}, nil
}

// Solve solves A x = b.
func (m *BiCGStab) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l}
	rho, done, err := m.begin(&w, x, b)
	if done || err != nil {
		return w.Outcome, err
	}
	for {
		alpha, qv, err := m.direction(rho)
		if err != nil {
			return w.Outcome, err
		}
		if qv == 0 || !finite(alpha) {
			return w.ends(DivergedBreakdown, qv), nil
		}
		ts, tt, err := m.correction(alpha)
		if err != nil {
			return w.Outcome, err
		}
		omega := 0.0 // if t is zero, s is too, or A is singular
		if tt != 0 {
			omega = ts / tt
		}
		if !finite(omega) {
			return w.ends(DivergedBreakdown, ts, tt), nil
		}
		next, rr, err := m.space.Stabilize(x, m.r, m.p, m.s, m.t, m.q, alpha, omega)
		if err != nil {
			return w.Outcome, err
		}
		if done, err := w.norm(math.Sqrt(rr)); done || err != nil {
			return w.Outcome, err
		}
		if next == 0 || omega == 0 {
			return w.ends(DivergedBreakdown), nil
		}
		beta := next / rho * (alpha / omega)
		if !finite(beta) {
			return w.ends(DivergedBreakdown), nil
		}
		if err := m.space.UpdateDirection(m.p, m.r, m.v, beta, omega); err != nil {
			return w.Outcome, err
		}
		rho = next
	}
}

// begin stores the first residual in r, q and p, and returns its square.
func (m *BiCGStab) begin(w *watch, x, b Vector) (rho float64, done bool, err error) {
	s, size := m.space, 0.0
	if w.Guess {
		if size, err = base(s, m.r, b); err != nil {
			return 0, false, err
		}
	}
	if err = residual(s, m.r, m.t, x, b, w.Guess); err != nil {
		return 0, false, err
	}
	if _, rho, err = s.Dots(m.r, m.r); err != nil {
		return 0, false, err
	}
	if done, err = w.begin(size, math.Sqrt(rho)); err != nil {
		return 0, false, err
	}
	if err = w.start(s, x); err != nil {
		return 0, false, err
	}
	if err = s.Scale(m.q, m.r, 1); err != nil {
		return 0, false, err
	}
	return rho, done, s.Scale(m.p, m.r, 1)
}

// direction computes v = M⁻¹ A p, and returns the step length along p.
func (m *BiCGStab) direction(rho float64) (alpha, qv float64, err error) {
	if err := m.product(m.v, m.p); err != nil {
		return 0, 0, err
	}
	qv, _, err = m.space.Dots(m.q, m.v)
	return rho / qv, qv, err
}

// correction computes s = r − α v and t = M⁻¹ A s, and returns t·s and t·t.
func (m *BiCGStab) correction(alpha float64) (ts, tt float64, err error) {
	if err := m.space.Add(m.s, m.r, m.v, -alpha); err != nil {
		return 0, 0, err
	}
	if err := m.product(m.t, m.s); err != nil {
		return 0, 0, err
	}
	return m.space.Dots(m.t, m.s)
}

// product computes y = M⁻¹ A x.
func (m *BiCGStab) product(y, x Vector) error {
	if err := m.space.Apply(m.u, x); err != nil {
		return err
	}
	return m.space.Precondition(y, m.u)
}
