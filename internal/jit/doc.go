// Package jit turns C source text into callable symbols: it finds a compiler, compiles, keeps the
// result in memory and on disk, and loads it.
//
// It also keeps on disk what other compilers produce for devices ([Programs]), and compiles units to relocatable
// files for programs that have no compiler ([Builder.Object]).
//
// It knows nothing of loops, kernels or backends. Its callers are the backend host, which runs C in the
// process, packages opencl, cuda and petsc, for their own compilations, package translate/compile, package run, for
// code that ranks share, and the command line, for the administration of the cache ([Entries], [Prune], [Clear]).
//
//	builder, err := jit.New(jit.Config{})
//	build := builder.Start(jit.Unit{Name: "res_calc", Source: text, Flags: []string{"-O3", "-march=native"}})
//	...                                   // other builds start meanwhile
//	instance, err := build.Acquire()      // waits, then loads
//	defer instance.Release()
//	wrap, err := instance.Symbol("op2_wrap_res_calc")
//	native.Call(wrap, uintptr(unsafe.Pointer(&args[0])))
//
// # Instances
//
// Generated code may keep state in file-scope variables, so each instance is a separate copy of the
// library: two instances that are held at the same time share no variables. Released instances are
// reused; their file-scope variables keep the values that the last owner stored. Of those that are
// not, the oldest are unloaded when there are many, unless their unit is resident because threads
// may still run in them.
//
// # The disk cache
//
// Each compiled unit is one file, named after it and its key. The key is a digest of everything
// that determines the machine code: the source, the arguments, the compiler (path, version line,
// size and modification time of its file), the processor, and the environment variables that
// compilers read. It does not cover the contents of header files that the source includes: a unit
// that depends on a library's headers should put that library's version into the flags, for example
// as -DPETSC_VERSION=31800.
//
// Locks only save work: of processes that need the same code at the same time one compiles it, and
// the others wait for it, or for its end. A file appears under its name complete, by a rename, and
// its checksum is verified each time it is read; whatever fails is compiled again. A process killed
// at any instant, or many processes and hosts that share one folder, cost at most an extra
// compilation.
package jit
