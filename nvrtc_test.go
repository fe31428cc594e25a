package op2_test

import (
	"os"
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

// What the tests of other files have compiled on the stand-in, NVIDIA's compiler takes too: some of it,
// and where OP2_HEAVY is set, all of it, of all configurations, for all architectures.
func TestNVRTC(t *testing.T) {
	if os.Getenv("OP2_HEAVY") != "" {
		t.Skip("TestHeavyNVRTC has it all")
	}
	gputest.CheckNVRTC(t)
}

func TestHeavyNVRTC(t *testing.T) {
	heavy(t)
	gputest.CheckNVRTC(t)
}
