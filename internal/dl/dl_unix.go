//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime

package dl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// Supported reports whether libraries can be loaded on this platform.
const Supported = true

// Open loads a library by its path, or by a name that the loader can find, and returns its handle.
func Open(path string) (uintptr, error) {
	return OpenMode(path, 0)
}

// OpenMode opens a library like Open, with further flags of the platform.
func OpenMode(path string, flags int) (uintptr, error) {
	defer pinned()()
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL|flags)
}

// Close releases a handle. The loader unloads the library when no handles are left.
func Close(handle uintptr) error {
	defer pinned()()
	return purego.Dlclose(handle)
}

// Symbol returns the address of a function or variable of a library.
func Symbol(handle uintptr, name string) (uintptr, error) {
	defer pinned()()
	return purego.Dlsym(handle, name)
}

// pinned keeps the goroutine on its thread, since the loader stores the text of the last error per
// thread, until the returned function is called.
func pinned() func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
