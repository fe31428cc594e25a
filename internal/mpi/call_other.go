//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package mpi

const global = 0

// call returns 0, and is never called: MPI cannot be loaded on this system.
func call(uintptr, ...uintptr) int32 { return 0 }

func callback(any) uintptr { return 0 }
