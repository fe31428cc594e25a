//go:build !unix

package jit

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
