//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime

package opencl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// dlopen loads a library. The loader keeps the text of its last error for each thread.
func dlopen(name string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func dlsym(library uintptr, name string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return purego.Dlsym(library, name)
}
