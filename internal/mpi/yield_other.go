//go:build !linux

package mpi

import "time"

// yield lets another process run on this core.
func yield() { nap(time.Microsecond) }

// nap sleeps.
func nap(d time.Duration) { time.Sleep(d) }
