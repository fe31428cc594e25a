// Package codegen prints what a loop compiles to: the kernel, from its IR or as the user's C
// source, and a wrapper around it that iterates over the elements, fetches the kernel's input and
// stores its output.
//
// Package lower decides what is fetched and stored, from where and when: the printers print its
// loop program.
//
// Calls run down this list, except where statements contain statements, and expressions
// expressions:
//
//   - Loops: hostloop.go prints one for the host, wrapper.go its wrapper for one core and threads.go
//     that for all of them, hostargs.go and mat.go the loop program. device.go prints one for
//     devices, devicebody.go how each strategy runs elements, deviceargs.go the loop program.
//     packloop.go prints the part that runs packs of elements, packargs.go its program.
//   - Kernels: cfunc.go prints functions, cstmt.go and cswitch.go statements, cexpr.go, cmath.go and
//     composite.go expressions, for all targets; deviceprint.go has what differs on devices,
//     masks.go and laneexpr.go what differs in packs. They are methods of the printer (printer.go).
//   - Decisions on packs: lanes.go holds which values differ from element to element, which vary.go
//     finds out; lanescheck.go and hazards.go decide whether a kernel can run in packs, pays.go
//     whether that is faster.
//   - Texts: helpers.go has the functions that kernels call, vectors.go, moves.go and vectortext.go
//     those for packs, names.go the names, dialect.go the languages of devices, writer.go lines.
//
// The package is pure: the same loop and kernel give the same source, byte for byte, which is the
// key of the compiler's cache.
package codegen
