//go:build unix

package checkpoint

import (
	"os"
	"os/signal"
	"syscall"
)

// listen returns a channel for the signals by which batch systems end a job.
func listen() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM, syscall.SIGUSR1)
	return c
}

// silence gives the signals their usual meaning back.
func silence(c chan os.Signal) { signal.Stop(c) }

// number returns that of a signal; 0 for none.
func number(s os.Signal) int64 {
	n, _ := s.(syscall.Signal)
	return int64(n)
}

func nameOf(signal int64) string {
	if syscall.Signal(signal) == syscall.SIGUSR1 {
		return "SIGUSR1"
	}
	return "SIGTERM"
}
