package native

import "sync"

// guarded is shared by goroutines that are in calls that may install signal handlers.
var guarded struct {
	sync.Mutex
	inside  int
	restore func()
}

// Guard protects the program's signal handlers until the returned function is called; on systems
// other than Linux, it does nothing.
//
// Some libraries install their own handlers when they are loaded, initialized, or first used: PETSc,
// parts of MPI, drivers of OpenCL, among them LLVM. These run on whatever stack the thread has, which
// is small for Go's threads, so that a nil dereference, which Go turns into a panic, would end the
// process. The first call that enters saves the handlers, and each that leaves restores them.
func Guard() (leave func()) {
	guarded.Lock()
	defer guarded.Unlock()
	if guarded.inside == 0 {
		guarded.restore = saveHandlers()
	}
	guarded.inside++
	return func() {
		guarded.Lock()
		defer guarded.Unlock()
		guarded.restore()
		guarded.inside--
	}
}
