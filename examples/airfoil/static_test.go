package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/translated"
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

// The loops of an iteration run fused where there is no compiler.
func TestFused(t *testing.T) {
	if len(translated.Packages()) == 0 {
		t.Skip("the example is not translated for this processor")
	}
	t.Setenv("PATH", "")
	t.Setenv("OP2_REQUIRE", "translated")
	for _, open := range []func(*op2.Runtime, *mesh.Mesh, flow.Numbering) (*flow.Flow, error){flow.New, flow.NewConserved} {
		rt := optest.Must(op2.Open(op2.WithBackend("translated"), op2.WithChains(op2.Fuse)))
		defer rt.Close()
		plan := optest.Must(optest.Must(open(rt, optest.Must(mesh.NACA0012(8, 6)), flow.AsGiven)).Iteration().Plan()).String()
		if strings.Count(plan, "+adt") != 2 || strings.Contains(plan, "translated") {
			t.Error(plan)
		}
	}
}

// apart makes the static program print its residual instead of testing.
const apart = "OP2_TEST_STATIC"

func TestResidual(t *testing.T) {
	if os.Getenv(apart) == "" {
		t.Skip("for TestStatic")
	}
	fmt.Println(residual(t))
}
