//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime

package jit

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/native"
)

const imagesAreELF = runtime.GOOS != "darwin"

// openImage loads the bytes of a shared library, from a file of their own for two reasons: the
// loader returns the old handle for a file that it has already loaded, and no one can change the
// file after it was checked. Debuggers and profilers show name.
func (s store) openImage(name string, image []byte) (*library, error) {
	l, err := openInMemory(name, image)
	if err == nil {
		return l, nil
	}
	var refused *loaderError
	if errors.As(err, &refused) && refused.final {
		return nil, err
	}
	for _, root := range s.workRoots() {
		if l, err = s.openTempFile(root, name, image); err == nil {
			return l, nil
		}
	}
	return nil, err
}

func (s store) openTempFile(root, name string, image []byte) (*library, error) {
	dir, err := s.makeWorkDir(root)
	if err != nil {
		return nil, err
	}
	defer removeWorkDir(dir) // the loaded library remains
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, image, 0o700); err != nil {
		return nil, err
	}
	handle, err := openPath(path)
	if err != nil {
		return nil, err
	}
	return &library{handle: handle, file: -1}, nil
}

// A loaderError is an error message of the dynamic loader, without the path, which no longer exists
// by the time it is read.
type loaderError struct {
	text  string
	final bool // the library is at fault, not the place it was loaded from
}

func (e *loaderError) Error() string { return e.text }

func openPath(path string) (*native.Library, error) {
	handle, err := native.Open(path)
	if err != nil {
		text := strings.TrimPrefix(err.Error(), path+": ")
		return nil, &loaderError{text, strings.Contains(text, "undefined symbol")}
	}
	return handle, nil
}
