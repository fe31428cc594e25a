//go:build !(darwin || freebsd || linux || netbsd || windows)

package opencl

// call is never called: no library can be loaded here.
func call(uintptr, ...uintptr) uintptr { return 0 }
