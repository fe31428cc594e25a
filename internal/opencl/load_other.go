//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime)

package opencl

import "errors"

func dlopen(string) (uintptr, error) { return 0, errors.ErrUnsupported }

func dlsym(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }
