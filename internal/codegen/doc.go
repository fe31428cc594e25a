// Package codegen prints what a loop compiles to: the kernel, from its IR or as
// the C text that the user gave, and a wrapper around it that walks over the
// elements, fetches what the kernel is to see and puts away what it leaves.
//
// cfunc.go, cstmt.go, cswitch.go, cexpr.go and cmath.go print kernels in C, helpers.go
// holds what that rests on; host.go prints the loop and its wrapper for one core,
// threads.go the wrapper for all of them, packs.go the part of the loop that runs
// packs of elements, for which lanes.go says whether that can be and pays.
// The package is pure: the same loop and kernel give the same
// text, byte for byte, which is what the compiler's cache is keyed by.
package codegen
