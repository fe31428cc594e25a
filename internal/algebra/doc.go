// Package algebra has the operations on vectors and matrices that are the library's rather than a
// program's: arithmetic on dats, products of matrices with vectors, changes of some values of a
// matrix in place, boundary conditions. Each is a kernel in kernels.go: a loop, which runs where the
// runtime's loops do, or an edit of a few values, which runs where these are (edit.go).
//
// Callers hold the runtime, and pass sets and dims that fit: package op2 checks both.
package algebra
