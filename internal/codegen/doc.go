// Package codegen prints what a loop compiles to: the kernel, from its IR or as
// the C text that the user gave, and a wrapper around it that walks over the
// elements, fetches what the kernel is to see and puts away what it leaves.
//
// What is fetched and put away, from where and when, package lower has decided: the printers
// spell its loop program.
//
// cfunc.go, cstmt.go, cswitch.go, cexpr.go and cmath.go print kernels in C, helpers.go
// holds what that rests on; host.go prints the loop and its wrapper for one core,
// threads.go the wrapper for all of them, hostargs.go and mat.go the loop program.
//
// device.go prints loops for devices, devicebody.go how each strategy runs elements, deviceargs.go the
// loop program, deviceprint.go what is different in the kernel.
//
// Where a loop runs packs of elements, lanes.go says which values differ from element
// to element, lanescheck.go and hazards.go whether a kernel can run so and pays.go
// whether that is faster; packs.go prints that part of the loop, packargs.go its program, masks.go and laneexpr.go what is
// different in the kernel, vectors.go and moves.go what it rests on.
//
// The package is pure: the same loop and kernel give the same
// text, byte for byte, which is what the compiler's cache is keyed by.
package codegen
