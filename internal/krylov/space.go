package krylov

// Vector is a vector of a Space, by its number.
type Vector int

// Space is where the vectors live. A vector that is changed is named first, and is none
// of those that follow.
type Space interface {
	// New is a further vector; its values do not matter.
	New() (Vector, error)
	// Zero is x = 0.
	Zero(x Vector) error
	// Apply is y = A x.
	Apply(y, x Vector) error
	// Precondition is z = M⁻¹ r.
	Precondition(z, r Vector) error
	// Scale is y = a x.
	Scale(y, x Vector, a float64) error
	// Add is z = x + a y.
	Add(z, x, y Vector, a float64) error
	// Dots are x·y and x·x.
	Dots(x, y Vector) (xy, xx float64, err error)

	// Of conjugate gradients.

	// Descend is r −= α w and z = M⁻¹ r; it gives z·r and z·z.
	Descend(r, z, w Vector, alpha float64) (zr, zz float64, err error)
	// Advance is x += α p and p = z + β p.
	Advance(x, p, z Vector, alpha, beta float64) error

	// Of stabilized biconjugate gradients.

	// Direct is p = r + β (p − ω v).
	Direct(p, r, v Vector, beta, omega float64) error
	// Stabilize is x += α p + ω s and r = s − ω t; it gives r·q and r·r.
	Stabilize(x, r, p, s, t, q Vector, alpha, omega float64) (rq, rr float64, err error)

	// Of generalized minimal residuals.

	// Project gives w·v for each v.
	Project(w Vector, vs []Vector, dots []float64) error
	// Combine is w += Σ aᵢ vᵢ, and gives w·w; there is at least one v.
	Combine(w Vector, vs []Vector, a []float64) (ww float64, err error)
}

// vectors are n further vectors.
func vectors(s Space, n int) ([]Vector, error) {
	vs := make([]Vector, n)
	for i := range vs {
		var err error
		if vs[i], err = s.New(); err != nil {
			return nil, err
		}
	}
	return vs, nil
}
