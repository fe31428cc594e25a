// Package codegen prints what a loop compiles to: the kernel, from its IR or as
// the C text that the user gave, and a wrapper around it that walks over the
// elements, fetches what the kernel is to see and puts away what it leaves.
//
// cfunc.go, cstmt.go, cexpr.go and cmath.go print kernels in C; host.go prints the
// wrapper for one core. The package is pure: the same loop and kernel give the same
// text, byte for byte, which is what the compiler's cache is keyed by.
package codegen
