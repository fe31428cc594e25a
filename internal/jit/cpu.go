package jit

import "os"

// unknownCPU returns a unique name for an unidentified processor: no other host may use code
// compiled for it.
func unknownCPU() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return "unknown, on host " + host
}
