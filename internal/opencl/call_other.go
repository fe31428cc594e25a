//go:build !(darwin || freebsd || linux || netbsd || windows)

package opencl

// call returns 0, and is never called: OpenCL cannot be loaded on this system.
func call(uintptr, ...uintptr) uintptr { return 0 }
