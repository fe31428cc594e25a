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
func NewBiCGStab(s Space, _ Limits) Method {
	v := vectors(s, 7)
	return &BiCGStab{s, v[0], v[1], v[2], v[3], v[4], v[5], v[6]}
}

// Solve solves A x = b.
func (m *BiCGStab) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l, space: m.space}
	rho, done := m.begin(&w, x, b)
	for !done {
		rho, done = m.step(&w, x, rho)
	}
	return w.outcome()
}

// begin stores the first residual in r, q and p, and returns its square.
func (m *BiCGStab) begin(w *watch, x, b Vector) (rho float64, done bool) {
	s, size := m.space, 0.0
	if w.Guess {
		size = base(s, m.r, b)
	}
	residual(s, m.r, m.t, x, b, w.Guess)
	_, rho = s.Dots(m.r, m.r)
	done = w.begin(size, math.Sqrt(rho))
	w.start(x)
	s.Scale(m.q, m.r, 1)
	s.Scale(m.p, m.r, 1)
	return rho, done
}

// step moves x along p and along the residual that this leaves, and returns r·q.
func (m *BiCGStab) step(w *watch, x Vector, rho float64) (next float64, done bool) {
	m.product(m.v, m.p)
	qv, _ := m.space.Dots(m.q, m.v)
	alpha := rho / qv
	if qv == 0 || !finite(alpha) {
		return 0, w.ends(DivergedBreakdown, qv)
	}
	m.space.Add(m.s, m.r, m.v, -alpha)
	m.product(m.t, m.s)
	ts, tt := m.space.Dots(m.t, m.s)
	omega := 0.0 // if t is zero, s is too, or A is singular
	if tt != 0 {
		omega = ts / tt
	}
	if !finite(omega) {
		return 0, w.ends(DivergedBreakdown, ts, tt)
	}
	next, rr := m.space.Stabilize(x, m.r, m.p, m.s, m.t, m.q, alpha, omega)
	if w.norm(math.Sqrt(rr)) {
		return next, true
	}
	beta := next / rho * (alpha / omega)
	if next == 0 || omega == 0 || !finite(beta) {
		return next, w.ends(DivergedBreakdown)
	}
	m.space.UpdateDirection(m.p, m.r, m.v, beta, omega)
	return next, false
}

// product computes y = M⁻¹ A x.
func (m *BiCGStab) product(y, x Vector) {
	m.space.Apply(m.u, x)
	m.space.Precondition(y, m.u)
}
