//go:build unix

package mesh

import (
	"os"
	"syscall"
)

// mapped returns the bytes of a file, which the system reads when they are looked at, and may forget again, and a function
// that ends the use of them.
func mapped(path string) (data []byte, done func(), err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		data, err = os.ReadFile(path)
		return data, func() {}, err
	}
	if data, err = syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE); err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, func() { _ = syscall.Munmap(data) }, nil
}
