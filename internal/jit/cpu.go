package jit

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

// Processor returns a name for this machine's processor, which is another one where -march=native means something else:
// "AMD EPYC 9355, amd64 0f1e2d3c". What its maker calls it is there for people.
var Processor = sync.OnceValue(func() string {
	identity, brand := cpuIdentity()
	name := fmt.Sprintf("%s %.4x", runtime.GOARCH, Digest(identity))
	if brand != "" {
		name = strings.Join(strings.Fields(brand), " ") + ", " + name
	}
	return name
})

// unknownCPU returns a unique name for an unidentified processor: no other host may use code
// compiled for it.
func unknownCPU() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return "unknown, on host " + host
}
