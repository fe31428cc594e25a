//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package jit

import "errors"

const canLoad = false

const imagesAreELF = false

func (s store) openImage(string, []byte) (uintptr, error) { return 0, errors.ErrUnsupported }

func findSymbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }
