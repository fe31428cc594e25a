// Package krylov solves A x = b with Krylov subspace methods: conjugate gradients (CG), stabilized
// biconjugate gradients (BiCGStab), minimal residuals (MINRES), and generalized minimal residuals
// (GMRES), also with a preconditioner that changes. PreOnly applies the preconditioner once.
//
// The methods refer to vectors by number, and work in a Space that implements the operations on
// them. Package solve calls the methods, and its Space runs each operation as one parallel loop. The operations are the fused steps of the
// methods instead of the sums and products they consist of, since vectors are large and most of the
// time goes into reading and writing them.
//
// Residuals are left-preconditioned, except those of the flexible GMRES, and convergence is judged by their norms as PETSc does by
// default (KSPConvergedDefault), so that figures can be compared.
package krylov
