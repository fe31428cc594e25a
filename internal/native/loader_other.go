//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime) || op2_static

package native

import (
	"errors"
	"fmt"
)

// Supported reports whether libraries can be loaded on this platform.
const Supported = false

// Global makes the symbols of a library visible to those that are loaded later.
const Global = 0

func load(path string, _ []int) (uintptr, error) {
	return 0, fmt.Errorf("%s: %w", path, Unsupported)
}

func unload(uintptr) error { return nil }

func symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

func pathOf(uintptr) string { return "" }

func call(uintptr, []uintptr) uintptr { return 0 }

// Callback returns 0.
func Callback(any) uintptr { return 0 }
