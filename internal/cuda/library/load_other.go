//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package library

import (
	"errors"
	"fmt"
	"runtime"
)

// Open cannot load libraries here.
func Open(path string) (*Library, error) {
	return nil, fmt.Errorf("%s: libraries cannot be loaded on %s: %w", path, runtime.GOOS, errors.ErrUnsupported)
}

func symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }
