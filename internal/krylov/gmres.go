package krylov

import (
	"math"
	"slices"
)

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

// NewGMRES allocates the vectors of the method but for its directions.
func NewGMRES(s Space, l Limits) Method {
	return &GMRES{s: s, w: s.New(), t: s.New(), restart: l.Restart}
}

// NewFGMRES allocates the vectors of the flexible variant but for its directions.
func NewFGMRES(s Space, l Limits) Method {
	return &GMRES{s: s, w: s.New(), t: s.New(), restart: l.Restart, flexible: true}
}

// Solve solves A x = b.
func (m *GMRES) Solve(x, b Vector, l Limits) (Outcome, error) {
	w := watch{Limits: l, space: m.s}
	size := 0.0
	if l.Guess {
		size = m.base(b)
	}
	m.residual(x, b, l.Guess)
	length := norm(m.s, m.w)
	done := w.begin(size, length)
	w.start(x)
	for !done && !m.cycle(&w, x, length) {
		m.residual(x, b, true)
		length = norm(m.s, m.w)
		switch {
		case !finite(length):
			done = w.ends(DivergedNaNOrInf)
		case length <= w.target: // the estimate was too optimistic
			done = w.ends(ConvergedRTol)
		}
	}
	return w.outcome()
}

// tiny is the relative length of a vector that consists only of rounding errors.
const tiny = 1e-14

// cycle runs until the restart, starting from the residual in w, and then updates x.
func (m *GMRES) cycle(w *watch, x Vector, length float64) (done bool) {
	m.direction(0, length)
	m.h, m.turns, m.g = m.h[:0], m.turns[:0], append(m.g[:0], length)
	exhausted := false
	for k := 0; k < m.restart && !done && !exhausted; k++ {
		m.product(k)
		before, after := m.orthogonalize(k)
		exhausted = after <= tiny*before
		// If A maps the remaining direction into the existing ones, A is singular.
		if !finite(before, after) || exhausted && math.Abs(m.h[k][k]) <= tiny*before {
			m.h = m.h[:k]
			m.move(x)
			return w.ends(DivergedBreakdown, before, after)
		}
		if !exhausted {
			m.direction(k+1, after)
		}
		done = w.norm(math.Abs(m.g[k+1]))
	}
	if exhausted && !done {
		done = w.ends(ConvergedHappyBreakdown)
	}
	if w.err == nil {
		m.move(x)
	}
	return done
}

// residual computes the residual in w.
func (m *GMRES) residual(x, b Vector, guess bool) {
	if m.flexible {
		difference(m.s, m.w, m.t, x, b, guess)
	} else {
		residual(m.s, m.w, m.t, x, b, guess)
	}
}

// base returns the norm of the right-hand side that residuals are compared with.
func (m *GMRES) base(b Vector) float64 {
	if m.flexible {
		return norm(m.s, b)
	}
	return base(m.s, m.w, b)
}

// product computes M⁻¹ A, or A M⁻¹ in the flexible variant, times direction k in w.
func (m *GMRES) product(k int) {
	if !m.flexible {
		m.s.Apply(m.t, m.basis[k])
		m.s.Precondition(m.w, m.t)
		return
	}
	m.allocate(&m.changed, k)
	m.s.Precondition(m.changed[k], m.basis[k])
	m.s.Apply(m.w, m.changed[k])
}

// allocate makes a list of vectors long enough for number k.
func (m *GMRES) allocate(list *[]Vector, k int) {
	*list = slices.DeleteFunc(*list, func(v Vector) bool { return v < 0 }) // of a solve that has failed
	for len(*list) <= k {
		*list = append(*list, m.s.New())
	}
}

// direction makes w, divided by its length, direction k.
func (m *GMRES) direction(k int, length float64) {
	m.allocate(&m.basis, k)
	m.s.Scale(m.basis[k], m.w, 1/length)
}

// orthogonalize orthogonalizes w against directions 0 to k, and appends the coefficients as column
// k of the small system. It returns the length of w before and after.
func (m *GMRES) orthogonalize(k int) (before, after float64) {
	column := make([]float64, k+2)
	part, minus := make([]float64, k+1), make([]float64, k+1)
	for pass := range 2 {
		m.s.Project(m.w, m.basis[:k+1], part)
		taken := 0.0
		for i, p := range part {
			column[i] += p
			minus[i] = -p
			taken += p * p
		}
		ww := m.s.Combine(m.w, m.basis[:k+1], minus)
		if after = math.Sqrt(ww); pass == 0 {
			before = math.Sqrt(taken + ww)
		}
		if ww > taken {
			break
		}
	}
	column[k+1] = after
	m.rotate(column)
	return before, after
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
func (m *GMRES) move(x Vector) {
	k := len(m.h)
	if k == 0 {
		return
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
	m.s.Combine(x, steps[:k], y)
}
