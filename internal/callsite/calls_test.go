package callsite

import (
	"runtime"
	"testing"
)

//go:noinline
func deepest(c *Calls, known []uintptr) {
	c.Capture()
	runtime.Callers(2, known)
}

//go:noinline
func middle(c *Calls, known []uintptr) { deepest(c, known) }

// The calls are those that the runtime finds.
func TestCalls(t *testing.T) {
	var c Calls
	known := make([]uintptr, 2)
	middle(&c, known)
	if c[1] != known[0] || c[2] != known[1] {
		t.Errorf("got %x, the runtime finds %x after the first", c, known)
	}
	if c[0] == 0 || c[0] == c[1] {
		t.Errorf("got %x", c)
	}
}

func BenchmarkCapture(b *testing.B) {
	var c Calls
	for b.Loop() {
		c.Capture()
	}
}
