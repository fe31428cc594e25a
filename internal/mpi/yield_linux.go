package mpi

import "golang.org/x/sys/unix"

// yield lets another process run on this core.
func yield() { unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
