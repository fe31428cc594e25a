//go:build !linux

package mpi

import "time"

// yield lets another process run on this core.
func yield() { time.Sleep(time.Microsecond) }
