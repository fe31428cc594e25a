// Package cusparse is a thin binding of cuSPARSE, NVIDIA's library for sparse matrices:
// matrix–vector products with its generic functions.
package cusparse

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/cuda/toolkit"
	"github.com/go-op2/op2/internal/native"
)

// Context is the context of a device, in which the library works.
type Context interface {
	// Within runs f while the context is current, with the stream to queue work on and the driver's major CUDA version.
	Within(f func(stream uintptr, major int) error) error
}

// Handle is the library in a context. Only one goroutine may use it at a time.
type Handle struct {
	Path         string
	Major, Minor int // the library's own version, which differs from CUDA's

	functions
	newFunctions
	context Context
	handle  uintptr
	alive   map[*descriptors]bool
	gone    struct {
		sync.Mutex
		descriptors []*descriptors // of products that have become unreachable
	}
}

// functions are the library's functions.
type functions struct {
	cusparseCreate, cusparseDestroy, cusparseSetStream, cusparseGetProperty, cusparseGetErrorName native.Function
	cusparseCreateCsr, cusparseCsrSetPointers, cusparseDestroySpMat                               native.Function
	cusparseCreateDnVec, cusparseDnVecSetValues, cusparseDestroyDnVec                             native.Function
	cusparseSpMV_bufferSize, cusparseSpMV                                                         native.Function
}

// newFunctions are the functions since CUDA 12.3.
type newFunctions struct{ cusparseSpMV_preprocess native.Function }

// search returns how to find a library, those for CUDA's major version prefer first.
func search(prefer int) native.Search {
	names := []string{"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so"}
	if prefer == 11 {
		names[0], names[1] = names[1], names[0]
	}
	wheels := []string{"cu13/lib", "cusparse/lib"}
	if prefer < 13 {
		slices.Reverse(wheels)
	}
	return native.Search{
		What: "no cuSPARSE that works here", Names: names, Variable: variable, Last: toolkit.Folders(wheels...),
		Needs: []string{"libnvJitLink.so.*", "../../nvjitlink/lib/libnvJitLink.so.*"},
		Hint:  "pip install nvidia-cusparse-cu12, or the CUDA toolkit; " + variable + " names the library, or its folder",
	}
}

// variable of the environment names the library or its folder, or is 0 for none.
const variable = "OP2_CUSPARSE"

// Open finds and loads the library, choosing one that works here and is best for CUDA's major
// version. If there is none, the error is a *native.NotFoundError.
func Open(c Context) (h *Handle, err error) {
	if os.Getenv(variable) == "0" {
		return nil, &native.NotFoundError{What: variable + "=0 refuses cuSPARSE"}
	}
	err = c.Within(func(stream uintptr, major int) error {
		return search(major).Find(func(l *native.Library) (err error) {
			h, err = open(l, c, stream)
			return err
		})
	})
	return h, err
}

// open creates a handle of a loaded library, within the context.
func open(l *native.Library, c Context, stream uintptr) (*Handle, error) {
	h := &Handle{Path: l.Path, context: c, alive: map[*descriptors]bool{}}
	if err := l.Bind(&h.functions); err != nil {
		return nil, err
	}
	_ = l.Bind(&h.newFunctions)
	for property, to := range []*int{&h.Major, &h.Minor} {
		value := new(int32)
		if err := h.call(h.cusparseGetProperty, uintptr(property), uintptr(unsafe.Pointer(value))); err != nil {
			return nil, err
		}
		*to = int(*value)
	}
	if err := h.call(h.cusparseCreate, uintptr(unsafe.Pointer(&h.handle))); err != nil {
		return nil, err
	}
	if err := h.call(h.cusparseSetStream, h.handle, stream); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// Name returns a name such as "cuSPARSE 12.5".
func (h *Handle) Name() string { return fmt.Sprintf("cuSPARSE %d.%d", h.Major, h.Minor) }

// Close releases everything.
func (h *Handle) Close() error {
	return h.context.Within(func(uintptr, int) error { return h.close() })
}

func (h *Handle) close() error {
	if h.handle == 0 {
		return nil
	}
	for d := range h.alive {
		h.destroy(d)
	}
	err := h.call(h.cusparseDestroy, h.handle)
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
func (h *Handle) call(f native.Function, args ...uintptr) error {
	status := f.Call(args...)
	if int32(status) == 0 {
		return nil
	}
	return &Error{f.Name, native.TextAt(h.cusparseGetErrorName.Call(uintptr(int32(status))))}
}
