// Package signals keeps the program's signal handlers from native libraries.
//
// Some install handlers of their own when they are loaded or initialized: PETSc, parts
// of MPI, LLVM. They run on whatever stack the thread has, and Go's threads have small
// ones, so that a nil dereference, which Go turns into a panic, would end the process.
// Bindings to such libraries load and initialize them between Save and the call of what
// it returns.
package signals

// Save reads all handlers. The function it returns puts back those that are others by
// then. Where the system is not Linux, nothing is done.
func Save() (restore func()) { return save() }
