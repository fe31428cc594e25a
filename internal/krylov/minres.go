package krylov

import "math"

// MINRES is the minimal residual method, for symmetric A, definite or not, and symmetric positive
// definite M. Its residuals are measured in the norm of M⁻¹. C. C. Paige, M. A. Saunders, Solution
// of sparse indefinite systems of linear equations, 1975; as in H. Elman, D. Silvester, A. Wathen,
// Finite Elements and Fast Iterative Solvers, 2014, algorithm 4.1.
type MINRES struct {
	s       Space
	z, q    Vector
	v, w    [3]Vector // Lanczos vectors and directions: the last ones, and space for the next
	last    float64   // the norm of the previous Lanczos vector, in that of M⁻¹
	cos     [2]float64
	sin     [2]float64
	reduced float64 // the right-hand side of the small system, in its last row
}

// NewMINRES allocates the vectors that the method needs.
func NewMINRES(s Space, _ Limits) Method {
	v := vectors(s, 8)
	return &MINRES{s: s, z: v[0], q: v[1], v: [3]Vector(v[2:5]), w: [3]Vector(v[5:8])}
}

// Solve solves A x = b.
func (m *MINRES) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l, space: m.s}
	length, done := m.begin(&w, x, b)
	for !done {
		length, done = m.step(&w, x, length)
	}
	return w.outcome()
}

// begin stores the first residual as the first Lanczos vector, and returns its length.
func (m *MINRES) begin(w *watch, x, b Vector) (length float64, done bool) {
	size := 0.0
	if w.Guess {
		if size, done = m.lengthOf(w, b); done {
			return 0, true
		}
	}
	difference(m.s, m.v[1], m.q, x, b, w.Guess)
	if length, done = m.lengthOf(w, m.v[1]); done {
		return 0, true
	}
	done = w.begin(size, length)
	if w.start(x); done {
		return 0, true
	}
	m.last, m.reduced, m.cos, m.sin = 1, length, [2]float64{1, 1}, [2]float64{}
	for _, v := range []Vector{m.v[0], m.w[0], m.w[1]} {
		m.s.Zero(v)
	}
	return length, false
}

// lengthOf computes z = M⁻¹ v, and returns the norm of v in that of M⁻¹. The method is done if that
// is no norm.
func (m *MINRES) lengthOf(w *watch, v Vector) (length float64, done bool) {
	m.s.Precondition(m.z, v)
	vz, _ := m.s.Dots(m.z, v)
	if vz < 0 {
		return 0, w.ends(DivergedIndefinitePC)
	}
	return math.Sqrt(vz), false
}

// step computes the next Lanczos vector, and moves x along the next direction. Length is that of the
// current Lanczos vector.
func (m *MINRES) step(w *watch, x Vector, length float64) (next float64, done bool) {
	m.s.Scale(m.q, m.z, 1/length)
	to := m.v[2]
	along := m.s.ApplyDot(to, m.q)
	m.s.Combine(to, []Vector{m.v[1], m.v[0]}, []float64{-along / length, -length / m.last})
	if next, done = m.lengthOf(w, to); done {
		return 0, true
	}
	if !finite(along, next) {
		return 0, w.ends(DivergedNaNOrInf)
	}
	above := m.sin[0] * length
	beside := m.sin[1]*along + m.cos[0]*m.cos[1]*length
	left := m.cos[1]*along - m.cos[0]*m.sin[1]*length
	pivot := math.Hypot(left, next)
	if pivot <= tiny*math.Hypot(along, length) {
		return 0, w.ends(DivergedBreakdown)
	}
	m.cos, m.sin = [2]float64{m.cos[1], left / pivot}, [2]float64{m.sin[1], next / pivot}
	m.move(x, pivot, beside, above)
	m.v, m.last = [3]Vector{m.v[1], m.v[2], m.v[0]}, length
	m.reduced *= -m.sin[1]
	if w.norm(math.Abs(m.reduced)) {
		return 0, true
	}
	if next <= tiny*math.Hypot(along, length) { // only rounding errors are left
		return 0, w.ends(ConvergedHappyBreakdown)
	}
	return next, false
}

// move computes the next direction, from q and those before with the coefficients of the small
// system, and moves x along it.
func (m *MINRES) move(x Vector, pivot, beside, above float64) {
	to := m.w[2]
	m.s.Scale(to, m.q, 1/pivot)
	m.s.Combine(to, []Vector{m.w[0], m.w[1]}, []float64{-above / pivot, -beside / pivot})
	m.w = [3]Vector{m.w[1], m.w[2], m.w[0]}
	m.s.Combine(x, []Vector{to}, []float64{m.cos[1] * m.reduced})
}
