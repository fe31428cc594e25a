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
func NewMINRES(s Space, _ Limits) (Method, error) {
	v, err := vectors(s, 8)
	if err != nil {
		return nil, err
	}
	return &MINRES{s: s, z: v[0], q: v[1], v: [3]Vector(v[2:5]), w: [3]Vector(v[5:8])}, nil
}

// Solve solves A x = b.
func (m *MINRES) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l}
	length, done, err := m.begin(&w, x, b)
	for !done && err == nil {
		length, done, err = m.step(&w, x, length)
	}
	return w.Outcome, err
}

// begin stores the first residual as the first Lanczos vector, and returns its length.
func (m *MINRES) begin(w *watch, x, b Vector) (length float64, done bool, err error) {
	size := 0.0
	if w.Guess {
		if size, done, err = m.lengthOf(w, b); done || err != nil {
			return 0, done, err
		}
		if err = m.s.Apply(m.q, x); err == nil {
			err = m.s.Add(m.v[1], b, m.q, -1)
		}
	} else {
		err = m.s.Scale(m.v[1], b, 1)
	}
	if err != nil {
		return 0, false, err
	}
	if length, done, err = m.lengthOf(w, m.v[1]); done || err != nil {
		return 0, done, err
	}
	if done, err = w.begin(size, length); err != nil {
		return 0, false, err
	}
	if err = w.start(m.s, x); err != nil || done {
		return 0, done, err
	}
	m.last, m.reduced, m.cos, m.sin = 1, length, [2]float64{1, 1}, [2]float64{}
	for _, v := range []Vector{m.v[0], m.w[0], m.w[1]} {
		if err = m.s.Zero(v); err != nil {
			return 0, false, err
		}
	}
	return length, false, nil
}

// lengthOf computes z = M⁻¹ v, and returns the norm of v in that of M⁻¹. The method is done if that
// is no norm.
func (m *MINRES) lengthOf(w *watch, v Vector) (length float64, done bool, err error) {
	if err := m.s.Precondition(m.z, v); err != nil {
		return 0, false, err
	}
	vz, _, err := m.s.Dots(m.z, v)
	if err == nil && vz < 0 {
		w.ends(DivergedIndefinitePC)
		return 0, true, nil
	}
	return math.Sqrt(vz), false, err
}

// step computes the next Lanczos vector, and moves x along the next direction. Length is that of the
// current Lanczos vector.
func (m *MINRES) step(w *watch, x Vector, length float64) (next float64, done bool, err error) {
	if err := m.s.Scale(m.q, m.z, 1/length); err != nil {
		return 0, false, err
	}
	to := m.v[2]
	along, err := m.s.ApplyDot(to, m.q)
	if err != nil {
		return 0, false, err
	}
	if _, err := m.s.Combine(to, []Vector{m.v[1], m.v[0]}, []float64{-along / length, -length / m.last}); err != nil {
		return 0, false, err
	}
	if next, done, err = m.lengthOf(w, to); done || err != nil {
		return 0, done, err
	}
	if !finite(along, next) {
		w.ends(DivergedNaNOrInf)
		return 0, true, nil
	}
	above := m.sin[0] * length
	beside := m.sin[1]*along + m.cos[0]*m.cos[1]*length
	left := m.cos[1]*along - m.cos[0]*m.sin[1]*length
	pivot := math.Hypot(left, next)
	if pivot <= tiny*math.Hypot(along, length) {
		w.ends(DivergedBreakdown)
		return 0, true, nil
	}
	m.cos, m.sin = [2]float64{m.cos[1], left / pivot}, [2]float64{m.sin[1], next / pivot}
	if err := m.move(x, pivot, beside, above); err != nil {
		return 0, false, err
	}
	m.v, m.last = [3]Vector{m.v[1], m.v[2], m.v[0]}, length
	m.reduced *= -m.sin[1]
	if done, err = w.norm(math.Abs(m.reduced)); err != nil || done {
		return 0, done, err
	}
	if next <= tiny*math.Hypot(along, length) { // only rounding errors are left
		w.ends(ConvergedHappyBreakdown)
		return 0, true, nil
	}
	return next, false, nil
}

// move computes the next direction, from q and those before with the coefficients of the small
// system, and moves x along it.
func (m *MINRES) move(x Vector, pivot, beside, above float64) error {
	to := m.w[2]
	if err := m.s.Scale(to, m.q, 1/pivot); err != nil {
		return err
	}
	if _, err := m.s.Combine(to, []Vector{m.w[0], m.w[1]}, []float64{-above / pivot, -beside / pivot}); err != nil {
		return err
	}
	m.w = [3]Vector{m.w[1], m.w[2], m.w[0]}
	_, err := m.s.Combine(x, []Vector{to}, []float64{m.cos[1] * m.reduced})
	return err
}
