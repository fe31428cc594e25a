//go:build amd64 || arm64

package callsite

// Capture stores the calls of its caller. It follows frame pointers, which takes a few nanoseconds:
// runtime.Callers takes longer than queueing a loop.
//
//go:noinline
func (c *Calls) Capture() { capture(c) }

//go:noescape
func capture(c *Calls)
