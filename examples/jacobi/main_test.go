package main

import (
	"fmt"
	"testing"
)

// The figures of OP2's classic test.
func Example() {
	if err := run(6, 2, ""); err != nil {
		fmt.Println(err)
	}
	// Output:
	// u max/rms = 0.500000 0.264575
	// u max/rms = 0.625000 0.386491
	//
	//   0.6250  0.4375  0.3750  0.4375  0.6250
	//   0.4375  0.1250  0.0625  0.1250  0.4375
	//   0.3750  0.0625  0.0000  0.0625  0.3750
	//   0.4375  0.1250  0.0625  0.1250  0.4375
	//   0.6250  0.4375  0.3750  0.4375  0.6250
}

func TestTooSmall(t *testing.T) {
	const want = "jacobi: -n 1: at least 2 is needed"
	if err := run(1, 1, ""); err == nil || err.Error() != want {
		t.Errorf("%v, not %q", err, want)
	}
}
