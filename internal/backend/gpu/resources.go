package gpu

import (
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// array is constant data on the device: values of a map, or a part of a plan. Loops that need the
// same data share it, and it is freed with the last of them.
type array struct {
	buffer device.Buffer
	keep   unsafe.Pointer // the host data, kept alive so that its address stays unique
}

// arrayKey identifies host data. Its address is unique as long as the array lives.
type arrayKey struct {
	address uintptr
	length  int
	form    string // how it is stored; "": as on the host
}

// rowKernels copy rows of values of one size. Launches read their arguments here.
type rowKernels struct {
	gather, scatter device.Kernel
	args            []device.Arg

	count, along, apart            int64
	dim                            int32
	element, place, values, buffer device.Buffer
}

// sparse is an engine's library, opened when the first product is prepared that it may be able to
// compute.
type sparse struct {
	library device.Sparse
	failed  error // error of opening the library
}

// how describes the library in a few words.
func (s *sparse) how(deterministic bool) string {
	if deterministic {
		return s.library.Name() + ", deterministic"
	}
	return s.library.Name()
}

func (s *sparse) close() error {
	if s.library == nil {
		return nil
	}
	l := s.library
	s.library = nil
	return l.Close()
}

// reason returns the beginning of an error, short enough for a table.
func reason(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if end := strings.IndexAny(text, ":\n"); end >= 0 {
		text = text[:end]
	}
	return text
}
