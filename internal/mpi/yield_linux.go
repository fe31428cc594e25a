package mpi

import (
	"time"

	"golang.org/x/sys/unix"
)

// yield lets another process run on this core.
func yield() { unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// nap sleeps. A time.Sleep takes a millisecond at least, where no goroutine runs.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	unix.Nanosleep(&t, nil)
}
