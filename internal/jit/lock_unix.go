//go:build linux || darwin || freebsd

package jit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// locks is the folder, in the cache folder, of the files that processes lock.
const locks = ".locks"

// lock takes the advisory lock of a key: no other process compiles that unit until unlock is called, or
// this process ends, however it does. Where files cannot be locked, processes do not
// wait for each other: each compiles for itself.
func (s store) lock(ctx context.Context, k key) (unlock func()) {
	dir := filepath.Join(s.dir, locks)
	if s.dir == "" || os.MkdirAll(dir, 0o755) != nil {
		return func() {}
	}
	// A fixed number of files, which nobody has to remove.
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%.2s", k.String())), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}
	}
	unlock = func() { _ = f.Close() }
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			return unlock
		}
		select {
		case <-ctx.Done():
			return unlock
		case <-time.After(pause):
		}
	}
}
