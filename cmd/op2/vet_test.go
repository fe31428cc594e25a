package main

import (
	"os"
	"strings"
	"testing"
)

// The tests' program is go vet's tool, too, as op2 is.
func TestMain(m *testing.M) {
	asVetTool(os.Args[1:])
	os.Exit(m.Run())
}

func TestVet(t *testing.T) {
	out, _, err := outputs(t, "vet", "../../internal/vet/testdata/wrong")
	if err != errFailed || !strings.Contains(out, "loop flux: the kernel takes 3 arguments, 2 were given") || !strings.Contains(out, "kernels.go:22:2: x is written, but passed with Read") {
		t.Errorf("error %v\n%s", err, out)
	}
	if out, _, err := outputs(t, "vet", "../../examples/airfoil/..."); err != nil || out != "" {
		t.Errorf("error %v\n%s", err, out)
	}
	if _, _, err := outputs(t, "vet", "-x"); exitStatus(err) != 2 {
		t.Errorf("status %d: %v", exitStatus(err), err)
	}
}
