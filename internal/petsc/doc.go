// Package petsc is a thin binding of PETSc's linear solvers: all Krylov methods and preconditioners
// of an installation, on vectors in Go's memory, and matrices there or in PETSc's.
//
// A C shim (petsc.c) is compiled against the installation at run time, by package jit, and loaded.
// The process has one PETSc, which the first Open initializes and which is never finalized, since
// MPI cannot be initialized twice. Calls are serialized: PETSc is not thread-safe. A failure in
// PETSc is returned as an *Error with PETSc's own message.
//
// On several ranks of MPI a solver works on all of them: each gives its rows, whose values in columns
// of others PETSc stores apart, and calls are collective.
//
// The binding knows nothing of sets and dats. Package solve calls it.
package petsc
