package gofunc

import (
	"runtime"
	"testing"
)

// A file of another package than the kernel's is named with its package.
func TestFileOfFault(t *testing.T) {
	kernel := runtime.Frame{Function: "example.com/flow.flux"}
	for function, want := range map[string]string{
		"example.com/flow.Helper":             "gas.go",
		"example.com/flow.(*State).Helper":    "gas.go",
		"example.com/gas.Pressure":            "gas/gas.go",
		"example.com/gas/v2.State.Pressure":   "gas/gas.go",
		"github.com/go-op2/op2/elements.edge": "elements/gas.go",
	} {
		if got := fileIn(runtime.Frame{Function: function, File: "/root/mod/gas@v1.2/gas.go"}, kernel); got != want {
			t.Errorf("%s is in %s, want %s", function, got, want)
		}
	}
}
