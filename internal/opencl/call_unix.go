//go:build darwin || freebsd || linux || netbsd || windows

package opencl

import "github.com/ebitengine/purego"

// call calls a function of OpenCL. What its arguments point to stays where it is meanwhile.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, args...)
	return r
}
