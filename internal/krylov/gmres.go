package krylov

import "math"

// GMRES is the generalized minimal residual method, for any A, restarted after a given number of
// directions. They are orthogonalized by the classical Gram-Schmidt process, twice if once is not
// enough. Y. Saad, M. H. Schultz, GMRES: a generalized minimal residual algorithm for solving
// nonsymmetric linear systems, 1986; the second pass: J. W. Daniel, W. B. Gragg, L. Kaufman, G. W.
// Stewart, 1976.
//
// The flexible variant is preconditioned from the right, by a preconditioner that may differ in each
// iteration, such as one with iterations of its own; its residuals are those of the system. Y. Saad,
// A flexible inner-outer preconditioned GMRES algorithm, 1993.
type GMRES struct {
	s       Space
	w, t    Vector
	basis   []Vector     // allocated on first use
	changed []Vector     // of the flexible variant: M⁻¹ times each direction, likewise
	h       [][]float64  // by column: R in the QR factorization of the Hessenberg matrix
	turns   [][2]float64 // the rotations that produce it: cosine and sine
	g       []float64    // the right-hand side of the small system
	restart int

	flexible bool
}

// NewGMRES allocates what the method needs from the start.
func NewGMRES(s Space, l Limits) (Method, error) { return newGMRES(s, l, false) }

// NewFGMRES allocates what the flexible variant needs from the start.
func NewFGMRES(s Space, l Limits) (Method, error) { return newGMRES(s, l, true) }

func newGMRES(s Space, l Limits, flexible bool) (Method, error) {
	v, err := vectors(s, 2)
	if err != nil {
		return nil, err
	}
	return &GMRES{s: s, w: v[0], t: v[1], restart: l.Restart, flexible: flexible}, nil
}

// Solve solves A x = b.
func (m *GMRES) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l}
	size, err := 0.0, error(nil)
	if l.Guess {
		if size, err = m.base(b); err != nil {
			return w.Outcome, err
		}
	}
	if err := m.residual(x, b, l.Guess); err != nil {
		return w.Outcome, err
	}
	length, err := norm(m.s, m.w)
	if err != nil {
		return w.Outcome, err
	}
	done, err := w.begin(size, length)
	if err != nil {
		return w.Outcome, err
	}
	if err := w.start(m.s, x); err != nil || done {
		return w.Outcome, err
	}
	for {
		done, err := m.cycle(&w, x, length)
		if done || err != nil {
			return w.Outcome, err
		}
		if err := m.residual(x, b, true); err != nil {
			return w.Outcome, err
		}
		if length, err = norm(m.s, m.w); err != nil {
			return w.Outcome, err
		}
		if !finite(length) {
			return w.ends(DivergedNaNOrInf), nil
		}
		if length <= w.target { // the estimate was too optimistic
			return w.ends(ConvergedRTol), nil
		}
	}
}

// tiny is the relative length of a vector that consists only of rounding errors.
const tiny = 1e-14

// cycle runs until the restart, starting from the residual in w, and then updates x.
func (m *GMRES) cycle(w *watch, x Vector, length float64) (done bool, err error) {
	if err := m.direction(0, length); err != nil {
		return false, err
	}
	m.h, m.turns, m.g = m.h[:0], m.turns[:0], append(m.g[:0], length)
	exhausted := false
	for k := 0; k < m.restart && !done && !exhausted; k++ {
		if err := m.product(k); err != nil {
			return false, err
		}
		before, after, err := m.orthogonalize(k)
		if err != nil {
			return false, err
		}
		exhausted = after <= tiny*before
		// If A maps the remaining direction into the existing ones, A is singular.
		if !finite(before, after) || exhausted && math.Abs(m.h[k][k]) <= tiny*before {
			m.h = m.h[:k]
			w.ends(DivergedBreakdown, before, after)
			return true, m.move(x)
		}
		if !exhausted {
			if err := m.direction(k+1, after); err != nil {
				return false, err
			}
		}
		if done, err = w.norm(math.Abs(m.g[k+1])); err != nil {
			return false, err
		}
	}
	if exhausted && !done {
		w.ends(ConvergedHappyBreakdown)
		done = true
	}
	return done, m.move(x)
}

// residual computes the residual in w.
func (m *GMRES) residual(x, b Vector, guess bool) error {
	if !m.flexible {
		return residual(m.s, m.w, m.t, x, b, guess)
	}
	if !guess {
		return m.s.Scale(m.w, b, 1)
	}
	if err := m.s.Apply(m.t, x); err != nil {
		return err
	}
	return m.s.Add(m.w, b, m.t, -1)
}

// base returns the norm of the right-hand side that residuals are compared with.
func (m *GMRES) base(b Vector) (float64, error) {
	if m.flexible {
		return norm(m.s, b)
	}
	return base(m.s, m.w, b)
}

// product computes M⁻¹ A, or A M⁻¹ in the flexible variant, times direction k in w.
func (m *GMRES) product(k int) error {
	if !m.flexible {
		if err := m.s.Apply(m.t, m.basis[k]); err != nil {
			return err
		}
		return m.s.Precondition(m.w, m.t)
	}
	if err := m.allocate(&m.changed, k); err != nil {
		return err
	}
	if err := m.s.Precondition(m.changed[k], m.basis[k]); err != nil {
		return err
	}
	return m.s.Apply(m.w, m.changed[k])
}

// allocate makes a list of vectors long enough for number k.
func (m *GMRES) allocate(list *[]Vector, k int) error {
	for len(*list) <= k {
		v, err := m.s.New()
		if err != nil {
			return err
		}
		*list = append(*list, v)
	}
	return nil
}

// direction makes w, divided by its length, direction k.
func (m *GMRES) direction(k int, length float64) error {
	if err := m.allocate(&m.basis, k); err != nil {
		return err
	}
	return m.s.Scale(m.basis[k], m.w, 1/length)
}

// orthogonalize orthogonalizes w against directions 0 to k, and appends the coefficients as column
// k of the small system. It returns the length of w before and after.
func (m *GMRES) orthogonalize(k int) (before, after float64, err error) {
	column := make([]float64, k+2)
	part, minus := make([]float64, k+1), make([]float64, k+1)
	for pass := range 2 {
		if err := m.s.Project(m.w, m.basis[:k+1], part); err != nil {
			return 0, 0, err
		}
		taken := 0.0
		for i, p := range part {
			column[i] += p
			minus[i] = -p
			taken += p * p
		}
		ww, err := m.s.Combine(m.w, m.basis[:k+1], minus)
		if err != nil {
			return 0, 0, err
		}
		if after = math.Sqrt(ww); pass == 0 {
			before = math.Sqrt(taken + ww)
		}
		if ww > taken {
			break
		}
	}
	column[k+1] = after
	m.rotate(column)
	return before, after, nil
}

// rotate applies the rotations to a column of the Hessenberg matrix and to the right-hand side, so
// that nothing is left below the diagonal.
func (m *GMRES) rotate(column []float64) {
	for i, t := range m.turns {
		a, b := column[i], column[i+1]
		column[i], column[i+1] = t[0]*a+t[1]*b, t[0]*b-t[1]*a
	}
	k := len(m.turns)
	c, s := 1.0, 0.0
	if r := math.Hypot(column[k], column[k+1]); r != 0 {
		c, s = column[k]/r, column[k+1]/r
		column[k] = r
	}
	m.h, m.turns = append(m.h, column[:k+1]), append(m.turns, [2]float64{c, s})
	m.g = append(m.g[:k+1], -s*m.g[k])
	m.g[k] *= c
}

// move solves the small system, and adds the resulting combination of directions to x.
func (m *GMRES) move(x Vector) error {
	k := len(m.h)
	if k == 0 {
		return nil
	}
	y := make([]float64, k)
	for i := k - 1; i >= 0; i-- {
		y[i] = m.g[i]
		for j := i + 1; j < k; j++ {
			y[i] -= m.h[j][i] * y[j]
		}
		y[i] /= m.h[i][i]
	}
	steps := m.basis
	if m.flexible {
		steps = m.changed
	}
	_, err := m.s.Combine(x, steps[:k], y)
	return err
}
