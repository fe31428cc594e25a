// Package lower turns a loop into a loop program: plain data that says what is moved where
// before and after each call of the kernel.
//
// For each of the kernel's parameters a program says whether it points at the loop's data in
// place or at a local; which locals there are and how long they live; which moves fill them
// and put away what the kernel leaves, and when; how reductions begin, combine and finish;
// and where local matrices go. It has no names of variables, no syntax and no addresses.
//
// Lower makes a program from a loop, its kernel and a Target, which lists what the code to
// come can do: whether a kernel can be handed data in place, what becomes of elements that change the
// same values, and so on. All of these decisions are in table.go. The printers of package codegen
// spell a program as C, OpenCL C or CUDA C, and package gofunc makes a table of addresses and
// moves of it; none of them looks at an argument's access again.
//
// The package is pure, and imports only kernel and loop.
package lower
