package jit

import "os"

// unknownCPU stands for a processor that does not say what it is: no other host may use what was compiled for it.
func unknownCPU() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return "unknown, on host " + host
}
