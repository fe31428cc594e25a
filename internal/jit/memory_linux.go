//go:build linux && !android && !faketime

package jit

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// openInMemory loads the image from a file in memory, which works even on full or read-only disks.
//
// The file stays open until the library is unloaded, which costs a descriptor: the loader identifies
// a library by its path, which contains the descriptor's number, and would return the old library
// if that number were reused. Besides, debuggers find the symbols under that path as long as it
// exists.
func openInMemory(name string, image []byte) (l *library, err error) {
	fd, err := memoryFile(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = syscall.Close(fd)
		}
	}()
	for len(image) > 0 {
		n, err := syscall.Write(fd, image)
		if err != nil && err != syscall.EINTR {
			return nil, err
		}
		image = image[max(n, 0):]
	}
	// Not /proc/self: a debugger that opens the path is another process.
	path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd)
	var ours, there syscall.Stat_t
	if err := syscall.Fstat(fd, &ours); err != nil {
		return nil, err
	}
	if err := syscall.Stat(path, &there); err != nil {
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

// memoryFile creates a file in memory, from which code may run, by the system call memfd_create.
func memoryFile(name string) (fd int, err error) {
	const closeOnExec, executable = 1, 16
	call, known := map[string]uintptr{"386": 356, "amd64": 319, "arm": 385, "arm64": 279, "loong64": 279, "ppc64le": 360, "riscv64": 279, "s390x": 350}[runtime.GOARCH]
	text, err := syscall.BytePtrFromString(name)
	if err != nil || !known {
		return 0, errors.Join(errors.ErrUnsupported, err)
	}
	file, _, failed := syscall.Syscall(call, uintptr(unsafe.Pointer(text)), closeOnExec|executable, 0)
	if failed == syscall.EINVAL { // Linux before 6.3
		file, _, failed = syscall.Syscall(call, uintptr(unsafe.Pointer(text)), closeOnExec, 0)
	}
	if failed != 0 {
		return 0, failed
	}
	return int(file), nil
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
	_ = syscall.Close(l.file)
}
