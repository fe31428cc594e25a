package opencl

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/device"
)

// Loading and compiling leave the program's signal handlers alone: LLVM, which compiles for PoCL,
// installs one for this signal.
func TestSignals(t *testing.T) {
	d := open(t, device.Config{})
	compile(t, d, "add", text)
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGUSR1)
	defer signal.Stop(got)
	must(t, syscall.Kill(os.Getpid(), syscall.SIGUSR1))
	select {
	case <-got:
	case <-time.After(5 * time.Second):
		t.Error("the signal did not arrive")
	}
}
