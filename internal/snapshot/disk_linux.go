//go:build amd64 || arm64

package snapshot

import (
	"os"
	"syscall"
)

// reserve makes the system find room for that many bytes of a file at once, which it does otherwise for each piece. The
// size of the file stays. An error is none: writing finds what is wrong.
func reserve(file *os.File, bytes int64) {
	const keepSize = 1 // FALLOC_FL_KEEP_SIZE
	_ = syscall.Fallocate(int(file.Fd()), keepSize, 0, bytes)
}

// beginWrite makes the system begin to bring bytes of a file to the disk, which would otherwise idle until Sync. An error
// is none: Sync finds what is wrong.
func beginWrite(file *os.File, at int64, bytes int) {
	const write = 2 // SYNC_FILE_RANGE_WRITE
	_ = syscall.SyncFileRange(int(file.Fd()), at, int64(bytes), write)
}
