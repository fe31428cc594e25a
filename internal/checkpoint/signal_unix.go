//go:build unix

package checkpoint

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// again is how long a signal may come once more without another meaning: a launcher and its batch system may both pass it on.
const again = time.Second

// listen returns a channel that gets the first signal by which a batch system ends a job, and what gives signals their usual
// meaning back. They have it for a second signal, so that a program that is stuck can be ended.
func listen() (came <-chan os.Signal, silence func()) {
	all, first, end := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(all, syscall.SIGTERM, syscall.SIGUSR1)
	go func() {
		select {
		case s := <-all:
			first <- s
			time.Sleep(again)
			signal.Stop(all)
		case <-end:
		}
	}()
	return first, sync.OnceFunc(func() { signal.Stop(all); close(end) })
}

// signalNumber returns that of a signal; 0 for none.
func signalNumber(s os.Signal) int64 {
	n, _ := s.(syscall.Signal)
	return int64(n)
}

func nameOf(signal int64) string {
	if syscall.Signal(signal) == syscall.SIGUSR1 {
		return "SIGUSR1"
	}
	return "SIGTERM"
}
