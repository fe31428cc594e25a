package op2_test

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

// NVRTC compiles what the tests of the files before this one have compiled on the stand-in, too:
// some of it, and with OP2_HEAVY all of it, for all architectures.
func TestNVRTC(t *testing.T) { gputest.CheckNVRTC(t) }
