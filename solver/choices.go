package solver

import "cmp"

// Engine is an implementation of the solvers. An empty name leaves the choice as it is. Environment: OP2_SOLVER.
// Default: native.
type Engine string

func (e Engine) apply(c *config) { c.Engine = cmp.Or(string(e), c.Engine) }

// The engines of solvers.
const (
	Native Engine = "native" // the library itself
	PETSc  Engine = "petsc"  // must be installed
)

// Method is a Krylov method: one of these, or, with the engine [PETSc], any name of KSPType. An empty name leaves the
// choice as it is. Default: cg.
type Method string

func (m Method) apply(c *config) { c.Method = cmp.Or(string(m), c.Method) }

// The Krylov methods.
const (
	CG       Method = "cg"     // for symmetric positive definite operators
	MINRES   Method = "minres" // for symmetric ones, with a positive definite preconditioner
	BiCGStab Method = "bicgstab"
	GMRES    Method = "gmres"
	FGMRES   Method = "fgmres"  // its preconditioner may iterate
	PreOnly  Method = "preonly" // applies the preconditioner once
)

// Preconditioner is one of these, or, with the engine [PETSc], any name of PCType, such as "gamg". An empty name leaves
// the choice as it is. Default: jacobi.
type Preconditioner string

func (p Preconditioner) apply(c *config) { c.Preconditioner = cmp.Or(string(p), c.Preconditioner) }

// The preconditioners.
const (
	None     Preconditioner = "none"
	Jacobi   Preconditioner = "jacobi"
	PBJacobi Preconditioner = "pbjacobi" // the inverse of each element's dim by dim block
	BJacobi  Preconditioner = "bjacobi"  // ILU(0) of blocks of rows
	ILU      Preconditioner = "ilu"      // ILU(0)
	SSOR     Preconditioner = "ssor"
)

// FieldSplit selects the preconditioner fieldsplit of a solver on several parts, and how it combines the
// splits of the unknowns, each of which is a part of the mixed dats unless [WithFields] says otherwise.
// The splits have solvers of their own, with the options of [WithSplit]. Default: multiplicative.
// PETSc's names are pc_type fieldsplit, pc_fieldsplit_type and pc_fieldsplit_schur_fact_type.
type FieldSplit string

func (f FieldSplit) apply(c *config) {
	c.Preconditioner = "fieldsplit"
	c.Split.Kind = cmp.Or(string(f), c.Split.Kind)
}

// The kinds of field splits. Those with a Schur complement S = A11 − A10 A00⁻¹ A01 have two splits.
const (
	Additive                FieldSplit = "additive"                 // each split is solved by itself
	Multiplicative          FieldSplit = "multiplicative"           // one after the other, each with the results of those before
	SymmetricMultiplicative FieldSplit = "symmetric_multiplicative" // then in reverse, too
	Schur                   FieldSplit = "schur"                    // all factors of L D U
	SchurDiag               FieldSplit = "schur-diag"               // D, with −S, so that it is positive definite for saddle points
	SchurLower              FieldSplit = "schur-lower"              // L D
	SchurUpper              FieldSplit = "schur-upper"              // D U
)
