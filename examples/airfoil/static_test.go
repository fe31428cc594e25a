package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// residual returns all digits of the residual after some iterations on a backend.
func residual(t *testing.T, options ...op2.Option) string {
	t.Helper()
	rt, err := op2.Open(options...)
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	f := optest.Must(flow.New(rt, optest.Must(mesh.NACA0012(20, 30)), flow.AsGiven))
	var rms float64
	for range 10 {
		rms = optest.Must(f.Iterate())
	}
	return fmt.Sprintf("%s %x", rt.Backend(), rms)
}

// apart makes the static program print its residual instead of testing.
const apart = "OP2_TEST_STATIC"

func TestResidual(t *testing.T) {
	if os.Getenv(apart) == "" {
		t.Skip("for TestStatic")
	}
	fmt.Println(residual(t))
}
