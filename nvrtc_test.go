package op2_test

import (
	"os"
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

// NVRTC compiles what the tests of other files have compiled on the stand-in, too: some of it, and
// with OP2_HEAVY all of it, for all configurations and architectures.
func TestNVRTC(t *testing.T) {
	if os.Getenv("OP2_HEAVY") != "" {
		t.Skip("TestHeavyNVRTC has it all")
	}
	gputest.CheckNVRTC(t)
}

func TestHeavyNVRTC(t *testing.T) {
	optest.Heavy(t)
	gputest.CheckNVRTC(t)
}
