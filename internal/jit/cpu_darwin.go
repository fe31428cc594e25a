package jit

import "golang.org/x/sys/unix"

// cpuIdentity says which processor -march=native stands for, as in "Apple M2".
func cpuIdentity() string {
	brand, err := unix.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return unknownCPU()
	}
	return brand
}
