//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package native

import (
	"errors"
	"fmt"
	"runtime"
)

// Supported reports whether libraries can be loaded on this platform.
const Supported = false

// Global makes the symbols of a library visible to those that are loaded later.
const Global = 0

func load(path string, _ []int) (uintptr, error) {
	return 0, fmt.Errorf("%s: libraries cannot be loaded on %s: %w", path, runtime.GOOS, errors.ErrUnsupported)
}

func unload(uintptr) error { return nil }

func symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

func pathOf(uintptr) string { return "" }

func call(uintptr, []uintptr) uintptr { return 0 }

// Callback returns 0.
func Callback(any) uintptr { return 0 }
