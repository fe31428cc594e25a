// Package lower turns a loop into a loop program: plain data that lists the moves
// before and after each call of the kernel.
//
// For each of the kernel's parameters a program says whether it points at the loop's data in place
// or at a local; which locals there are and how long they live; which moves fill them and store
// what the kernel leaves, and when; how reductions start, combine and finish; and where local
// matrices go. It contains no variable names, no syntax and no addresses.
//
// Lower derives a program from a loop, its kernel and a Target, which describes the capabilities of
// the generated code: whether a kernel can work on data in place, what happens to elements that
// change the same values, and so on. All of these decisions are in table.go. The printers below
// package codegen print a program as C, OpenCL C or CUDA C, and package gofunc converts it to a
// table of addresses and moves; none of them looks at an argument's access again.
//
// The package is pure, and imports only kernel and loop.
package lower
