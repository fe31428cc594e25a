// Package cusparse is a thin binding of cuSPARSE, NVIDIA's library for sparse matrices:
// matrix–vector products with its generic functions. The caller must make the context current on
// the thread of every call.
package cusparse

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/cuda/library"
)

// Handle is the library in a context and a stream. Only one goroutine may use it at a time.
type Handle struct {
	Path         string
	Major, Minor int // the library's own version, which differs from CUDA's

	symbols symbols
	handle  uintptr
	alive   map[*descriptors]bool
	gone    struct {
		sync.Mutex
		descriptors []*descriptors // of products that have become unreachable
	}
}

// symbols are the library's functions.
type symbols struct {
	create, destroy, setStream, getProperty, errorName uintptr
	createCsr, setPointers, destroyMat                 uintptr
	createVec, setValues, destroyVec                   uintptr
	bufferSize, preprocess, multiply                   uintptr // there is no preprocess before CUDA 12.3
}

// Open finds and loads the library, choosing one that works here and is best for CUDA's major
// version prefer; its work is queued on the stream. The error may be a *NotFoundError.
func Open(prefer int, stream uintptr) (*Handle, error) {
	e := &NotFoundError{}
	e.Where, e.Names = candidates(prefer)
	for _, dir := range e.Where {
		for _, name := range e.Names {
			l, err := load(dir, name)
			if err == nil {
				var h *Handle
				if h, err = open(l, stream); err == nil {
					return h, nil
				}
			} else if dir == library.LoaderPath {
				continue
			}
			if e.Err == nil && !os.IsNotExist(err) {
				e.Err = err
			}
		}
	}
	return nil, e
}

// open creates a handle of a loaded library.
func open(l *library.Library, stream uintptr) (*Handle, error) {
	h := &Handle{Path: l.Path, alive: map[*descriptors]bool{}}
	s := &h.symbols
	if err := l.Symbols(map[string]*uintptr{
		"cusparseCreate": &s.create, "cusparseDestroy": &s.destroy, "cusparseSetStream": &s.setStream,
		"cusparseGetProperty": &s.getProperty, "cusparseGetErrorName": &s.errorName,
		"cusparseCreateCsr": &s.createCsr, "cusparseCsrSetPointers": &s.setPointers, "cusparseDestroySpMat": &s.destroyMat,
		"cusparseCreateDnVec": &s.createVec, "cusparseDnVecSetValues": &s.setValues, "cusparseDestroyDnVec": &s.destroyVec,
		"cusparseSpMV_bufferSize": &s.bufferSize, "cusparseSpMV": &s.multiply,
	}); err != nil {
		return nil, err
	}
	_ = l.Symbols(map[string]*uintptr{"cusparseSpMV_preprocess": &s.preprocess})
	for property, to := range []*int{&h.Major, &h.Minor} {
		value := new(int32)
		if err := h.call("cusparseGetProperty", s.getProperty, uintptr(property), uintptr(unsafe.Pointer(value))); err != nil {
			return nil, err
		}
		*to = int(*value)
	}
	if err := h.call("cusparseCreate", s.create, uintptr(unsafe.Pointer(&h.handle))); err != nil {
		return nil, err
	}
	if err := h.call("cusparseSetStream", s.setStream, h.handle, stream); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// Name returns a name such as "cuSPARSE 12.5".
func (h *Handle) Name() string { return fmt.Sprintf("cuSPARSE %d.%d", h.Major, h.Minor) }

// Close releases everything.
func (h *Handle) Close() error {
	if h.handle == 0 {
		return nil
	}
	for d := range h.alive {
		h.destroy(d)
	}
	err := h.call("cusparseDestroy", h.symbols.destroy, h.handle)
	h.handle = 0
	return err
}

// Error is a failed call.
type Error struct {
	Call, Code string // "CUSPARSE_STATUS_NOT_INITIALIZED"
}

func (e *Error) Error() string { return e.Call + ": " + e.Code }

// call calls a function. Arguments that are addresses must point to the heap.
//
//go:uintptrescapes
func (h *Handle) call(name string, f uintptr, args ...uintptr) error {
	status, _, _ := purego.SyscallN(f, args...)
	if int32(status) == 0 {
		return nil
	}
	text, _, _ := purego.SyscallN(h.symbols.errorName, uintptr(int32(status)))
	return &Error{name, library.TextAt(text)}
}
