package mpi

import (
	"syscall"
	"time"
)

// yield lets another process run on this core.
func yield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }

// nap sleeps. A time.Sleep takes a millisecond at least, where no goroutine runs.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(d.Nanoseconds())
	syscall.Nanosleep(&t, nil)
}
