// Package jit turns C source text into callable symbols: it finds a compiler, compiles, keeps the result in memory
// and on disk, and loads it.
//
// What other compilers make for devices it keeps on disk in the same way ([Programs]).
//
// It knows nothing of loops, kernels or backends. Backends that run C in the process call it, and so do the bindings
// that need a C shim; the command line calls its cache administration ([Entries], [Prune], [Clear]).
//
//	builder, err := jit.New(jit.Config{})
//	build := builder.Start(jit.Unit{Name: "res_calc", Source: text, Flags: []string{"-O3", "-march=native"}})
//	...                                   // other builds start meanwhile
//	instance, err := build.Acquire()      // waits, then loads
//	defer instance.Release()
//	wrap, err := instance.Symbol("op2_wrap_res_calc")
//	purego.SyscallN(wrap, uintptr(unsafe.Pointer(&args[0])))
//
// # Instances
//
// Generated code may keep state in file-scope variables, so an instance is a copy of the library of its own: two
// instances that are held at the same time share no variable. Released instances are used again and never unloaded,
// because threads may still live in them; what their last owner stored in file-scope variables is still there.
//
// # The disk cache
//
// One file for each compiled unit, named after it and its key. The key is a digest of everything that decides the
// machine code: the source, the arguments, the compiler (path, version line, size and modification time of its file),
// the processor, and the environment variables that a compiler listens to. It does not cover the contents of header
// files that the source includes: who depends on a library's headers puts that library's version into the flags, for
// example as -DPETSC_VERSION=31800.
//
// There are no locks. A file appears under its name complete, by a rename, and is proved by a checksum each time it is
// read; whatever fails is compiled again. A process killed at any instant, or many processes and hosts that share
// one folder, cost at most a compilation.
package jit
