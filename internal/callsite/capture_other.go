//go:build !amd64 && !arm64

package callsite

import "runtime"

// Capture stores the calls of its caller.
func (c *Calls) Capture() {
	n := runtime.Callers(2, c[:])
	clear(c[n:])
}
