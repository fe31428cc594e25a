//go:build !linux && !darwin

package jit

func cpuIdentity() string { return unknownCPU() }
