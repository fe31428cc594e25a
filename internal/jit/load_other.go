//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package jit

import "errors"

const imagesAreELF = false

func (s store) openImage(string, []byte) (uintptr, error) { return 0, errors.ErrUnsupported }
