// Package codegen prints what a loop compiles to: the kernel, from its IR or as the user's C
// source, and a wrapper around it that iterates over the elements, fetches the kernel's input and
// stores its output.
//
// Package lower decides what is fetched and stored, from where and when: the printers print its
// loop program.
//
// cfunc.go, cstmt.go, cswitch.go, cexpr.go and cmath.go print kernels in C, with the functions in
// helpers.go; host.go prints the loop and its wrapper for one core, threads.go the wrapper for all
// of them, hostargs.go and mat.go the loop program.
//
// device.go prints loops for devices, devicebody.go how each strategy runs elements, deviceargs.go
// the loop program, deviceprint.go what differs in the kernel.
//
// For packs of elements, lanes.go determines which values differ from element to element,
// lanescheck.go and hazards.go whether a kernel can run in packs, and pays.go whether that is
// faster; packs.go prints that part of the loop, packargs.go its program, masks.go and laneexpr.go
// what differs in the kernel, with the functions in vectors.go and moves.go.
//
// The package is pure: the same loop and kernel give the same source, byte for byte, which is the
// key of the compiler's cache.
package codegen
