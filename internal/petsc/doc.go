// Package petsc is a thin binding to PETSc's linear solvers: every Krylov method and
// preconditioner that an installation has, over matrices and vectors that stay in Go's
// memory.
//
// A C shim (petsc.c) is compiled against the installation at run time, by package jit,
// and loaded; there is one PETSc in a process, which starts with the first Open and is
// never ended, since MPI cannot start twice. Calls are serialized: PETSc is made for
// one thread. What fails in PETSc comes back as an *Error with PETSc's own text.
//
// The binding knows nothing of sets and dats. Package op2 calls it.
package petsc
