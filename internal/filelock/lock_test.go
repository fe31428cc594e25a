//go:build linux || darwin || freebsd

package filelock

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

// One has the lock at a time; who waits gives up when the context ends.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "lock")
	unlock, locked := Lock(t.Context(), path)
	if !locked {
		t.Fatal("not locked")
	}
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if release, twice := Lock(soon, path); twice {
		t.Error("locked twice")
	} else {
		release()
	}
	time.AfterFunc(10*time.Millisecond, unlock)
	unlock, locked = Lock(t.Context(), path)
	if !locked {
		t.Error("not locked after the other has unlocked")
	}
	unlock()
	if unlock, locked := Lock(t.Context(), filepath.Join(path, "below a file")); locked {
		t.Error("locked where no file can be")
	} else {
		unlock()
	}
}
