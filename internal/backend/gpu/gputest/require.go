package gputest

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/opencl"
)

// Require skips the test if a device backend, opencl or standin, cannot run here, or fails it if
// OP2_REQUIRE, a comma-separated list of names, requires it.
func Require(t testing.TB, name string) {
	t.Helper()
	missing := missing(name)
	if missing == nil {
		return
	}
	if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), name) {
		t.Fatalf("%s is required by OP2_REQUIRE, and missing: %v", name, missing)
	}
	t.Skipf("no %s: %v", name, missing)
}

func missing(name string) error {
	if name == "opencl" {
		_, err := opencl.List()
		return err
	}
	_, err := exec.LookPath("g++")
	if err != nil {
		_, err = exec.LookPath("clang++")
	}
	return err
}
