package krylov

// Vector identifies a vector of a Space.
type Vector int

// Space holds the vectors and implements the operations on them. Vectors that an operation changes
// come first, and must differ from the others.
//
// After an operation has failed, the later ones do nothing, and their results do not matter: a method
// ends after at most one more iteration, and returns the error.
type Space interface {
	// Err returns the error of the first operation that has failed, or nil.
	Err() error
	// New returns a new vector, whose values do not matter; a negative one after a failure.
	New() Vector
	// Zero computes x = 0.
	Zero(x Vector)
	// Apply computes y = A x.
	Apply(y, x Vector)
	// ApplyDot computes y = A x, and returns x·y.
	ApplyDot(y, x Vector) (xy float64)
	// Precondition computes z = M⁻¹ r.
	Precondition(z, r Vector)
	// Scale computes y = a x.
	Scale(y, x Vector, a float64)
	// Add computes z = x + a y.
	Add(z, x, y Vector, a float64)
	// Dots returns x·y and x·x.
	Dots(x, y Vector) (xy, xx float64)

	// For conjugate gradients.

	// UpdateResidual computes r −= α w and, for z = M⁻¹ r, returns z·r and z·z. It need not store z
	// where UpdateSolution computes it as well.
	UpdateResidual(r, z, w Vector, alpha float64) (zr, zz float64)
	// UpdateSolution computes x += α p and p = z + β p, after UpdateResidual for r and z.
	UpdateSolution(x, p, z, r Vector, alpha, beta float64)

	// For stabilized biconjugate gradients.

	// UpdateDirection computes p = r + β (p − ω v).
	UpdateDirection(p, r, v Vector, beta, omega float64)
	// Stabilize computes x += α p + ω s and r = s − ω t, and returns r·q and r·r.
	Stabilize(x, r, p, s, t, q Vector, alpha, omega float64) (rq, rr float64)

	// For generalized minimal residuals.

	// Project computes w·v for each v.
	Project(w Vector, vs []Vector, dots []float64)
	// Combine computes w += Σ aᵢ vᵢ, and returns w·w; there is at least one v.
	Combine(w Vector, vs []Vector, a []float64) (ww float64)
}

// vectors returns n new vectors.
func vectors(s Space, n int) []Vector {
	vs := make([]Vector, n)
	for i := range vs {
		vs[i] = s.New()
	}
	return vs
}
