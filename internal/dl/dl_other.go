//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package dl

import (
	"errors"
	"fmt"
	"runtime"
)

// Supported reports whether libraries can be loaded on this platform.
const Supported = false

// Open returns an error that wraps [errors.ErrUnsupported].
func Open(path string) (uintptr, error) {
	return 0, fmt.Errorf("%s: libraries cannot be loaded on %s: %w", path, runtime.GOOS, errors.ErrUnsupported)
}

// OpenMode returns what Open returns.
func OpenMode(path string, flags int) (uintptr, error) { return Open(path) }

// Path returns "".
func Path(uintptr) string { return "" }

// Symbol returns [errors.ErrUnsupported].
func Symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

// Close does nothing: nothing is open.
func Close(uintptr) error { return nil }
