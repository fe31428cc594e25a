//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime

package mpi

import "github.com/ebitengine/purego"

// global makes the symbols of a library visible to those that it loads.
const global = purego.RTLD_GLOBAL

// call calls an MPI function, and returns its error code. What its arguments point to is not moved
// during the call.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) int32 {
	r, _, _ := purego.SyscallN(f, args...)
	return int32(r)
}

// callback returns the address of a function for C.
func callback(f any) uintptr { return purego.NewCallback(f) }
