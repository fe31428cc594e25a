package callsite

import "runtime"

// Calls are the calls on a stack, from which Site finds out later where the program called the
// library. They are the innermost ones: as many as there are at most from a call of the program to the
// declaration that it makes.
type Calls [12]uintptr

// Site returns where the program called the library.
func (c *Calls) Site() Site {
	n := 0
	for n < len(c) && c[n] != 0 {
		n++
	}
	return find(runtime.CallersFrames(c[:n]))
}
