//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime

package library

import (
	"runtime"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/signals"
)

// Open loads a library by its path, or by the name that the loader finds it under.
func Open(path string) (*Library, error) {
	// The loader keeps the text of its last error for each thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer signals.Save()()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	return &Library{path, handle}, nil
}

func symbol(handle uintptr, name string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return purego.Dlsym(handle, name)
}
