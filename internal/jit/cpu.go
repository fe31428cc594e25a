package jit

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

// Processor returns a name for this machine's processor, which is another one where -march=native means something else:
// "amd64 0f1e2d3c4b5a".
var Processor = sync.OnceValue(func() string { return fmt.Sprintf("%s %.6x", runtime.GOARCH, Digest(cpuIdentity())) })

// unknownCPU returns a unique name for an unidentified processor: no other host may use code
// compiled for it.
func unknownCPU() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return "unknown, on host " + host
}
