//go:build !linux || android || faketime

package jit

import (
	"errors"

	"github.com/go-op2/op2/internal/dl"
)

func openInMemory(string, []byte) (*library, error) { return nil, errors.ErrUnsupported }

// unload unloads the library.
func (l *library) unload() { _ = dl.Close(l.handle) }
