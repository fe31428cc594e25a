// Package mpi connects the ranks of an MPI job: it is comm.Comm over an MPI library that is loaded
// at run time, without cgo and without MPI's compiler wrappers.
//
// Three kinds of library are known: those with the standard ABI of MPI 5, Open MPI, and MPICH with
// what derives from it. They differ in constants and in the sizes of handles and statuses: these
// are an abi. All calls are non-blocking, and one at a time: a rank that waits looks after the
// failures of others, and gives way to other ranks on its cores. Reductions by operations of the
// program call back into Go.
//
// MPI starts with the first Open and ends with the last Close: it can do so once in a process.
package mpi
