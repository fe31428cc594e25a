//go:build linux || darwin || freebsd

package filelock

import (
	"context"
	"os"
	"syscall"
	"time"
)

// lock locks a file, and reports whether it did.
func lock(ctx context.Context, f *os.File) bool {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			return err == nil
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}
