// Package library loads CUDA's native libraries at run time.
package library

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/dl"
	"github.com/go-op2/op2/internal/signals"
)

// Library is a loaded library. It stays loaded for the life of the process.
type Library struct {
	Path   string // as passed to the loader
	handle uintptr
}

// Open loads a library by its path, or by a name that the loader can find.
func Open(path string) (*Library, error) {
	defer signals.Save()()
	handle, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	return &Library{path, handle}, nil
}

// Symbols looks up functions and variables by name.
func (l *Library) Symbols(to map[string]*uintptr) error {
	for name, address := range to {
		var err error
		if *address, err = dl.Symbol(l.handle, name); err != nil {
			return fmt.Errorf("%s has no function %s", l.Path, name)
		}
	}
	return nil
}

// Text returns the C string at the start of bytes.
func Text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// CString returns s as a C string.
func CString(s string) []byte { return append([]byte(s), 0) }

// TextAt returns the C string at an address, which is not in Go's memory.
func TextAt(address uintptr) string {
	var b strings.Builder
	p := *(**byte)(unsafe.Pointer(&address))
	for ; p != nil && *p != 0; p = (*byte)(unsafe.Add(unsafe.Pointer(p), 1)) {
		b.WriteByte(*p)
	}
	return b.String()
}
