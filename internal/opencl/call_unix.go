//go:build darwin || freebsd || linux || netbsd || windows

package opencl

import "github.com/ebitengine/purego"

// call calls an OpenCL function. What its arguments point to is not moved during the call.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, args...)
	return r
}
