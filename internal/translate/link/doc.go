// Package link turns compiled C into Go assembly: it links relocatable ELF objects to flat, read-only,
// position-independent machine code without relocations, and prints that as the data of Go functions, with
// trampolines that Go calls. What it prints needs neither a compiler nor cgo nor a loader where it is built and run.
//
//	object := link.Object{Name: "res_calc.c", Data: elf, Stack: link.ParseStackUse(su)}
//	image, err := link.Link([]link.Object{object, helpers},
//		[]link.Entry{{Symbol: "op2_wrap_res_calc", Name: "res_calc_v3"}}, link.Options{})
//	assembly, declarations := image.Assembly("op2gen") // for loops_amd64.s and loops_amd64.go
//
// It knows nothing of loops and kernels; package compile makes its input, the command line writes its output.
//
// # What comes out
//
// Each entry becomes a Go function, called Entry.Name, with one of two signatures:
//
//	func res_calc_v3(args unsafe.Pointer)                    // calls void f(void *args)
//	func res_calc_v3(args unsafe.Pointer, first, last int32) // calls void f(void *args, int32_t i) for i in [first, last)
//
// The second is that of an entry which is Indexed; the loop is in assembly, so that one call runs many blocks. args is
// not retained: it may point to the stack of the caller. A call costs a few nanoseconds. It cannot be preempted, and
// the garbage collector waits for it: it should take some hundred microseconds at most, and never wait.
//
// The entries from one object, and all that they need, are one piece of code. Functions and constants that nothing
// needs are dropped, and what entries from two objects need is in both pieces. Profiles and faults name a piece after
// its first entry, as NAME_code: a file of C for each loop tells them apart. They do not show who called it.
//
// C runs on the stack of the goroutine: the frame of the trampoline makes room for the worst case along the calls, and
// Go's check of the stack covers it. The output depends only on the input.
//
// Faults in C, such as an access to address 0, end the program with a message that names the entry: Go cannot unwind
// the stack from there, so nothing recovers from them.
//
// # Why not .syso
//
// Go links object files called .syso, but its own linker does not apply their relocations in all modes (static
// binaries with three of them crash, golang/go#24321), and without cgo there is no other linker. Data of a Go function
// has none, and works in every mode and on every system.
//
// # What is refused
//
// Link reports all problems in one *[Error], each with the object, the function and what it is: undefined symbols,
// variables (writable sections, thread-local storage), addresses that are absolute or in a table of the loader,
// alignment above 64 bytes, stack that is not bounded, recursion, and indirect calls unless Options allows them.
//
// Objects must be compiled with -ffunction-sections, amd64 position-independent, arm64 with -mcmodel=tiny and
// -ffixed-x18 -ffixed-x28 (g); package compile passes these flags. Code for amd64 is that of the System V ABI on all
// systems: only its trampoline calls it.
package link
