//go:build amd64 || arm64

package rankfile

import (
	"path/filepath"
	"syscall"
)

// room returns an error if the file system of a file has fewer bytes left.
func room(path string, bytes uint64) error {
	var of syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &of); err == nil && of.Bavail*uint64(of.Bsize) < bytes {
		return syscall.ENOSPC
	}
	return nil
}
