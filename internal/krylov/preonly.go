package krylov

// PreOnly applies the preconditioner once: x = M⁻¹ b, or x += M⁻¹ (b − A x) with a guess. It computes
// no norms.
type PreOnly struct {
	s    Space
	t, z Vector
}

// NewPreOnly returns the method, which allocates vectors if there is a guess.
func NewPreOnly(s Space, l Limits) Method {
	m := &PreOnly{s: s}
	if l.Guess {
		m.t, m.z = s.New(), s.New()
	}
	return m
}

// Solve computes x.
func (m *PreOnly) Solve(x, b Vector, l Limits) (Outcome, error) {
	if l.Guess {
		residual(m.s, m.z, m.t, x, b, true)
		m.s.Combine(x, []Vector{m.z}, []float64{1})
	} else {
		m.s.Precondition(x, b)
	}
	return Outcome{Iterations: 1, Reason: ConvergedIterations}, m.s.Err()
}
