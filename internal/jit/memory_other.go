//go:build !linux || android || faketime

package jit

import "errors"

func openInMemory(string, []byte) (uintptr, error) { return 0, errors.ErrUnsupported }
