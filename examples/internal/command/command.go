// Package command lets the tests of an example run it as from the command line.
package command

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

// variable is set if the test's process is to run as the example.
const variable = "OP2_EXAMPLE"

// Main must be called by an example's TestMain: it runs the example in processes that run has
// started, and otherwise tests as optest.Main does, whose cache of compiled code those processes use, too.
func Main(m *testing.M, main func()) {
	if os.Getenv(variable) != "" {
		os.Unsetenv(variable)
		main()
		return
	}
	optest.Main(m)
}

// run runs the example, and returns all its output.
func run(t *testing.T, arguments ...string) (output string, err error) {
	t.Helper()
	results, status, err := runApart(t, arguments...)
	return results + status, err
}

// runApart runs the example, and returns standard output and standard error separately.
func runApart(t *testing.T, arguments ...string) (results, status string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], arguments...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), variable+"=1")
	var out, other strings.Builder
	c.Stdout, c.Stderr = &out, &other
	err = c.Run()
	return out.String(), other.String(), err
}

// Test runs the example with arguments that make it short, on the backend opencl and on one that
// does not exist, and checks the output of -help, and that standard output contains only results.
func Test(t *testing.T, arguments ...string) {
	t.Run("help", func(t *testing.T) {
		if text, _ := run(t, "-help"); !strings.Contains(text, "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)") {
			t.Errorf("-help says\n%s", text)
		}
	})
	t.Run("no such backend", func(t *testing.T) {
		text, err := run(t, append([]string{"-backend", "opencel"}, arguments...)...)
		if err == nil || !strings.Contains(text, `op2: there is no backend "opencel" (did you mean "opencl"?): not available`) || !strings.Contains(text, "hint: this version has auto, go, sequential, openmp, translated, opencl, cuda\n") {
			t.Errorf("%v\n%s", err, text)
		}
	})
	t.Run("results", func(t *testing.T) {
		results, status, err := runApart(t, append([]string{"-backend", "go"}, arguments...)...)
		if err != nil || results == "" || strings.ContainsAny(results, "\r\x1b") || strings.Contains(results, ".png") {
			t.Errorf("%v, standard output has\n%s", err, results)
		}
		for line := range strings.Lines(status) {
			if !strings.HasPrefix(line, "picture: ") {
				t.Errorf("standard error has\n%s", status)
			}
		}
	})
	t.Run("opencl", func(t *testing.T) {
		gputest.Require(t, "opencl")
		t.Setenv("OP2_CFLAGS", "-O0") // which halves the time of its compilers
		if text, err := run(t, append([]string{"-backend", "opencl"}, arguments...)...); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	})
}
