// Package filelock lets processes take turns, by advisory locks of files.
package filelock

import (
	"context"
	"os"
	"path/filepath"
)

// Lock waits until no other process has the lock of the file at path, which it creates, with its folder. The lock lasts until unlock is
// called, or this process ends, however it does. Where files cannot be locked, and once the context has ended, the
// caller does not have the lock; unlock may be called all the same.
func Lock(ctx context.Context, path string) (unlock func(), locked bool) {
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return func() {}, false
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}, false
	}
	return func() { _ = f.Close() }, lock(ctx, f)
}
