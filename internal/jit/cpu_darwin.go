package jit

import "syscall"

// cpuIdentity returns the processor that -march=native stands for, such as "Apple M2", and what its maker calls it.
func cpuIdentity() (identity, brand string) {
	brand, err := syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return unknownCPU(), ""
	}
	return brand, brand
}
