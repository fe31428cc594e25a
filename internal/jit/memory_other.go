//go:build !linux || android || faketime

package jit

import "errors"

func openInMemory(string, []byte) (*library, error) { return nil, errors.ErrUnsupported }

func (l *library) unload() { _ = l.handle.Close() }
