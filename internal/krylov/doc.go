// Package krylov solves A x = b by Krylov subspace methods: conjugate gradients,
// stabilized biconjugate gradients, and generalized minimal residuals.
//
// The methods see vectors only as numbers and work in a Space, which says what the
// operations on them do: package op2 runs each as one parallel loop. The operations are
// those that the methods have, fused, and not the sums and products they consist of,
// since vectors are large and the time goes into reading and writing them.
//
// Residuals are preconditioned from the left, and convergence is judged by their norms
// as PETSc does by default (KSPConvergedDefault), so that figures can be compared.
package krylov
