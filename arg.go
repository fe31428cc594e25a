package op2

import (
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
)

// Arg is one argument of a loop: data and how the kernel uses it. Args are made by the methods of
// Dat, Global and Mat that are named for the accesses, and by Index.
type Arg struct{ core entity.Arg }

// Index returns an argument that passes the kernel the number of the element it runs for, as a *int
// (in C, as an int or int64_t pointer). It is the number that the element had when its set was
// declared, also after [Runtime.Renumber], and in the whole mesh on several ranks.
func Index() Arg { return Arg{entity.Index()} }

// coreArgs returns the same arguments, in the same memory: an Arg is nothing but its core.
func coreArgs(args []Arg) []entity.Arg {
	return unsafe.Slice((*entity.Arg)(unsafe.Pointer(unsafe.SliceData(args))), len(args))
}

// way returns the way through a map, or directly, that an argument was given.
func way(via []Via) entity.Via {
	switch {
	case len(via) == 0:
		return entity.Via{}
	case len(via) > 1:
		return entity.Via{Fault: entity.ManyMaps}
	case via[0] == nil:
		return entity.Via{Fault: entity.NilMap}
	}
	return via[0].via()
}

// If returns the argument, or one that passes nothing if it is not present: the kernel's parameter is nil, of length 0 if it is
// a slice, and null in C; it must not be used unless the kernel has compared it with nil. Nothing is brought, exchanged or
// colored for it. The dat, global, mat or map that is not present may be nil.
//
// Calls with and without the argument are loops of their own, with code of their own in which nothing is asked. A [Loop] is one
// of them for good; [ParLoop] takes what its call says.
func (a Arg) If(present bool) Arg {
	if present {
		return a
	}
	return Arg{entity.LeaveOut(a.core)}
}
