//go:build linux && !android && !faketime

package jit

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openInMemory loads the image from a file in memory, which works even on full or read-only disks.
//
// The file stays open, which costs a descriptor per loaded instance: the loader identifies a
// library by its path, which contains the descriptor's number, and would return the old library if
// that number were reused. Besides, debuggers find the symbols under that path as long as it
// exists.
func openInMemory(name string, image []byte) (handle uintptr, err error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if err == unix.EINVAL {
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC) // Linux before 6.3
	}
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			_ = unix.Close(fd)
		}
	}()
	for len(image) > 0 {
		n, err := unix.Write(fd, image)
		if err != nil && err != unix.EINTR {
			return 0, err
		}
		image = image[max(n, 0):]
	}
	// Not /proc/self: a debugger that opens the path is another process.
	path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd)
	var ours, there unix.Stat_t
	if err := unix.Fstat(fd, &ours); err != nil {
		return 0, err
	}
	if err := unix.Stat(path, &there); err != nil {
		return 0, err
	}
	if ours.Dev != there.Dev || ours.Ino != there.Ino {
		return 0, fmt.Errorf("%s is a file of another process", path) // a /proc that was mounted elsewhere
	}
	return openPath(path)
}
