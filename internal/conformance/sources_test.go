package conformance

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// NVRTC compiles what the tests of other files have compiled on the stand-in, too: some of it, and
// with OP2_HEAVY all of it, for all configurations and architectures. Tests run in
// the order of their files.
func TestNVRTC(t *testing.T) {
	if heavy.On() {
		t.Skip("TestHeavyNVRTC has it all")
	}
	gputest.CheckNVRTC(t)
}

func TestHeavyNVRTC(t *testing.T) {
	heavy.Test(t)
	gputest.CheckNVRTC(t)
}
