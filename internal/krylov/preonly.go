package krylov

// PreOnly applies the preconditioner once: x = M⁻¹ b, or x += M⁻¹ (b − A x) with a guess. It computes
// no norms.
type PreOnly struct {
	s    Space
	t, z Vector
}

// NewPreOnly returns the method, which allocates vectors if there is a guess.
func NewPreOnly(s Space, l Limits) (Method, error) {
	m := &PreOnly{s: s}
	if !l.Guess {
		return m, nil
	}
	v, err := vectors(s, 2)
	if err != nil {
		return nil, err
	}
	m.t, m.z = v[0], v[1]
	return m, nil
}

// Solve computes x.
func (m *PreOnly) Solve(x, b Vector, l Limits) (Outcome, error) {
	out := Outcome{Iterations: 1, Reason: ConvergedIterations}
	if !l.Guess {
		return out, m.s.Precondition(x, b)
	}
	if err := residual(m.s, m.z, m.t, x, b, true); err != nil {
		return out, err
	}
	_, err := m.s.Combine(x, []Vector{m.z}, []float64{1})
	return out, err
}
