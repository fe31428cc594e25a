//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime && !op2_static

package native

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported reports whether libraries can be loaded on this platform.
const Supported = true

// Unsupported says why libraries cannot be loaded; nil: they can.
var Unsupported error

// Global makes the symbols of a library visible to those that are loaded later.
const Global = purego.RTLD_GLOBAL

func load(path string, flags []int) (uintptr, error) {
	mode := purego.RTLD_NOW | purego.RTLD_LOCAL
	for _, flag := range flags {
		mode |= flag
	}
	defer pinned()()
	return purego.Dlopen(path, mode)
}

func unload(handle uintptr) error {
	defer pinned()()
	return purego.Dlclose(handle)
}

func symbol(handle uintptr, name string) (uintptr, error) {
	defer pinned()()
	return purego.Dlsym(handle, name)
}

// pathOf returns the path of the library that has an address of a function or variable; "" if none
// has.
func pathOf(address uintptr) string {
	dladdr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return ""
	}
	found := &struct { // Dl_info
		path uintptr
		_    [3]uintptr
	}{}
	if is, _, _ := purego.SyscallN(dladdr, address, uintptr(unsafe.Pointer(found))); int32(is) == 0 {
		return ""
	}
	return TextAt(found.path)
}

// pinned keeps the goroutine on its thread, since the loader stores the text of the last error per
// thread, until the returned function is called.
func pinned() func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

func call(f uintptr, args []uintptr) uintptr {
	result, _, _ := purego.SyscallN(f, args...)
	return result
}

// Callback returns the address of a Go function that C can call.
func Callback(f any) uintptr { return purego.NewCallback(f) }
