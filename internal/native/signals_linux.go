package native

import (
	"syscall"
	"unsafe"
)

// action is the kernel's struct sigaction: opaque, and never larger than this.
type action [64]byte

const (
	lastSignal  = 64
	signalBytes = lastSignal / 8 // size of the kernel's sigset_t
)

// saveHandlers records all handlers. The function it returns restores those that have changed since.
// It uses system calls only: the C library's sigaction may not be loaded yet, and os/signal does
// not report handlers.
func saveHandlers() (restore func()) {
	var saved [lastSignal + 1]action
	var known [lastSignal + 1]bool
	for signal := 1; signal <= lastSignal; signal++ {
		known[signal] = sigaction(signal, nil, &saved[signal])
	}
	return func() {
		for signal := 1; signal <= lastSignal; signal++ {
			var now action
			if known[signal] && sigaction(signal, nil, &now) && now != saved[signal] {
				sigaction(signal, &saved[signal], nil)
			}
		}
	}
}

func sigaction(signal int, set, get *action) bool {
	_, _, failed := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal),
		uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)), signalBytes, 0, 0)
	return failed == 0
}
