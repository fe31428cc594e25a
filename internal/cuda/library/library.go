// Package library loads the native libraries of CUDA at run time.
package library

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/dl"
	"github.com/go-op2/op2/internal/signals"
)

// Library is a loaded library. It stays for as long as the process.
type Library struct {
	Path   string // as it was given to the loader
	handle uintptr
}

// Open loads a library by its path, or by the name that the loader finds it under.
func Open(path string) (*Library, error) {
	defer signals.Save()()
	handle, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	return &Library{path, handle}, nil
}

// Symbols finds functions and variables by their names.
func (l *Library) Symbols(to map[string]*uintptr) error {
	for name, address := range to {
		var err error
		if *address, err = dl.Symbol(l.handle, name); err != nil {
			return fmt.Errorf("%s has no function %s", l.Path, name)
		}
	}
	return nil
}

// Text is the C string at the beginning of bytes.
func Text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// CString is a string for C.
func CString(s string) []byte { return append([]byte(s), 0) }

// TextAt is the C string at an address, which is not in Go's memory.
func TextAt(address uintptr) string {
	var b strings.Builder
	p := *(**byte)(unsafe.Pointer(&address))
	for ; p != nil && *p != 0; p = (*byte)(unsafe.Add(unsafe.Pointer(p), 1)) {
		b.WriteByte(*p)
	}
	return b.String()
}
