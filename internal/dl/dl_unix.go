//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime

package dl

import (
	"runtime"
	"unsafe"

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

// Path returns the path of the library that has an address of a function or variable; "" if none
// has.
func Path(address uintptr) string {
	dladdr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return ""
	}
	found := &struct { // Dl_info
		path *byte
		_    [3]uintptr
	}{}
	if is, _, _ := purego.SyscallN(dladdr, address, uintptr(unsafe.Pointer(found))); int32(is) == 0 || found.path == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(found.path), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(found.path, n))
}

// pinned keeps the goroutine on its thread, since the loader stores the text of the last error per
// thread, until the returned function is called.
func pinned() func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
