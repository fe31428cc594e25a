//go:build amd64 || arm64

package snapshot

import (
	"os"
	"syscall"
)

// beginWrite makes the system begin to bring bytes of a file to the disk, which would otherwise idle until Sync. An error
// is none: Sync finds what is wrong.
func beginWrite(file *os.File, at int64, bytes int) {
	const write = 2 // SYNC_FILE_RANGE_WRITE
	_ = syscall.SyncFileRange(int(file.Fd()), at, int64(bytes), write)
}
