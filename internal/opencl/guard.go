package opencl

import (
	"sync"

	"github.com/go-op2/op2/internal/signals"
)

// guarded is what several goroutines have in common that are in calls which may set handlers of signals.
var guarded struct {
	sync.Mutex
	inside  int
	restore func()
}

// guard protects the program's handlers of signals until what it returns is called: drivers set their own when they
// are loaded and first compile, among them those of LLVM. The handlers are read when nobody is inside, and each who
// leaves puts them back.
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
