// Package signals protects the program's signal handlers from native libraries.
//
// Some libraries install their own handlers when they are loaded or initialized: PETSc, parts of
// MPI, LLVM. These run on whatever stack the thread has, which is small for Go's threads, so that a
// nil dereference, which Go turns into a panic, would end the process. Bindings call Save before
// they load and initialize such a library, and the function it returns afterward.
package signals

// Save records all handlers. The function it returns restores those that have changed since. On
// systems other than Linux, it does nothing.
func Save() (restore func()) { return save() }
