package main

import (
	"syscall"
	"time"
)

// threadTime returns the processor time of the calling thread so far: what it takes alone, however busy the machine is.
func threadTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
