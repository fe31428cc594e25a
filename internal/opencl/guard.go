package opencl

import (
	"sync"

	"github.com/go-op2/op2/internal/signals"
)

// guarded is shared by goroutines that are in calls that may install signal handlers.
var guarded struct {
	sync.Mutex
	inside  int
	restore func()
}

// guard protects the program's signal handlers until the returned function is called: drivers,
// among them LLVM, install their own when they are loaded and first compile. The handlers are read
// when no one is inside, and everyone who leaves restores them.
func guard() (leave func()) {
	guarded.Lock()
	defer guarded.Unlock()
	if guarded.inside == 0 {
		guarded.restore = signals.Save()
	}
	guarded.inside++
	return func() {
		guarded.Lock()
		defer guarded.Unlock()
		guarded.restore()
		guarded.inside--
	}
}
