//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package jit

import "errors"

const imagesAreELF = false

func (s store) openImage(string, []byte) (*library, error) { return nil, errors.ErrUnsupported }
