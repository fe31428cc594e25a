//go:build linux && !android && !faketime

package jit

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/go-op2/op2/internal/native"
)

// openInMemory loads the image from a file in memory, which works even on full or read-only disks.
//
// The file stays open until the library is unloaded, which costs a descriptor: the loader identifies
// a library by its path, which contains the descriptor's number, and would return the old library
// if that number were reused. Besides, debuggers find the symbols under that path as long as it
// exists.
func openInMemory(name string, image []byte) (l *library, err error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if err == unix.EINVAL {
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC) // Linux before 6.3
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = unix.Close(fd)
		}
	}()
	for len(image) > 0 {
		n, err := unix.Write(fd, image)
		if err != nil && err != unix.EINTR {
			return nil, err
		}
		image = image[max(n, 0):]
	}
	// Not /proc/self: a debugger that opens the path is another process.
	path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd)
	var ours, there unix.Stat_t
	if err := unix.Fstat(fd, &ours); err != nil {
		return nil, err
	}
	if err := unix.Stat(path, &there); err != nil {
		return nil, err
	}
	if ours.Dev != there.Dev || ours.Ino != there.Ino {
		return nil, fmt.Errorf("%s is a file of another process", path) // a /proc that was mounted elsewhere
	}
	handle, err := openPath(path)
	if err != nil {
		return nil, err
	}
	return &library{handle, fd}, nil
}

// unload unloads the library. If the loader keeps it nevertheless, as it does for some flags, its
// file stays open, too.
func (l *library) unload() {
	if err := l.handle.Close(); err != nil || l.file < 0 {
		return
	}
	const noLoad = 4 // RTLD_NOLOAD
	if kept, err := native.Open(l.handle.Path, noLoad); err == nil {
		_ = kept.Close()
		return
	}
	_ = unix.Close(l.file)
}
