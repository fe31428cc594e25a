package entity

import (
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// An argument that a call leaves out is behind all others, with its place among the program's arguments as its component:
// it has no data and no map, so that nothing is done for it, and what the kernel does for it is not part of the loop.

// LeaveOut returns an argument that passes nothing in place of another one.
func LeaveOut(a Arg) Arg {
	if a.LeftOut != nil {
		return a
	}
	return Arg{Kind: loop.LeftOut, Access: a.Access, Component: loop.All, LeftOut: &a}
}

// Unknown reports whether nothing is known about what an argument would pass: the data or the map is nil.
func (a *Arg) Unknown() bool { return a.Fault != Sound && a.Fault != Misfit }

// lastLeftOut returns arguments with those that are left out behind the others, each with its place.
func lastLeftOut(args []Arg) []Arg {
	out := func(a Arg) bool { return a.LeftOut != nil }
	if !slices.ContainsFunc(args, out) {
		return args
	}
	args = slices.Clone(args)
	for i := range args {
		if a := &args[i]; out(*a) && a.Component < 0 {
			a.Component = i
		}
	}
	present, missing := SplitLeftOut(args)
	return append(present, missing...)
}

// SplitLeftOut returns the arguments that are passed, and those that are left out.
func SplitLeftOut(args []Arg) (present, missing []Arg) {
	n := len(args)
	for n > 0 && args[n-1].LeftOut != nil {
		n--
	}
	if !slices.ContainsFunc(args[:n], func(a Arg) bool { return a.LeftOut != nil }) {
		return args[:n:n], args[n:]
	}
	for _, a := range args {
		if a.LeftOut != nil {
			missing = append(missing, a)
		} else {
			present = append(present, a)
		}
	}
	return present, missing
}
