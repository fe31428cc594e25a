//go:build !linux && !darwin

package jit

func cpuIdentity() (identity, brand string) { return unknownCPU(), "" }
