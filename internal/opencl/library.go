package opencl

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// functions are the OpenCL 1.2 functions that the binding uses.
type functions struct {
	clGetPlatformIDs, clGetPlatformInfo, clGetDeviceIDs, clGetDeviceInfo                                     native.Function
	clCreateContext, clReleaseContext, clCreateCommandQueue, clReleaseCommandQueue                           native.Function
	clCreateBuffer, clReleaseMemObject                                                                       native.Function
	clEnqueueWriteBuffer, clEnqueueReadBuffer, clEnqueueCopyBuffer, clEnqueueFillBuffer                      native.Function
	clCreateProgramWithSource, clCreateProgramWithBinary, clBuildProgram, clReleaseProgram, clGetProgramInfo native.Function
	clGetProgramBuildInfo, clCreateKernel, clReleaseKernel, clGetKernelInfo, clGetKernelWorkGroupInfo        native.Function
	clSetKernelArg, clEnqueueNDRangeKernel                                                                   native.Function
	clWaitForEvents, clGetEventProfilingInfo, clReleaseEvent, clFlush, clFinish                              native.Function
}

// A library is a loaded OpenCL library with its devices.
type library struct {
	functions
	units []*unit
}

// process holds the process's only OpenCL library.
var process struct {
	sync.Mutex
	library *library
}

// load returns the library, which has at least one device. If it fails, with a *native.NotFoundError, the
// next call tries again.
func load() (*library, error) {
	process.Lock()
	defer process.Unlock()
	if process.library != nil {
		return process.library, nil
	}
	defer native.Guard()()
	l := &library{}
	if err := search(libraryNames()).Find(func(found *native.Library) error { return found.Bind(&l.functions) }); err != nil {
		return nil, err
	}
	if err := l.enumerate(); err != nil {
		return nil, err
	}
	process.library = l
	return l, nil
}

func libraryNames() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	case "windows":
		return []string{"OpenCL.dll"}
	}
	return []string{"libOpenCL.so.1", "libOpenCL.so"}
}

const hint = "apt install ocl-icd-libopencl1 (Debian, Ubuntu), and the driver of the device: for the processor pocl-opencl-icd"

func search(names []string) native.Search {
	return native.Search{What: "no OpenCL", Names: names, Hint: hint}
}

// get calls a clGet...Info function, whose first one or two arguments are of.
func get(f native.Function, of []uintptr, what, size uintptr, to, got unsafe.Pointer) code {
	if len(of) == 1 {
		return code(f.Call(of[0], what, size, uintptr(to), uintptr(got)))
	}
	return code(f.Call(of[0], of[1], what, size, uintptr(to), uintptr(got)))
}

// ask queries a value of any size.
func ask(f native.Function, what uintptr, of ...uintptr) ([]byte, code) {
	var size uintptr
	if c := get(f, of, what, 0, nil, unsafe.Pointer(&size)); c != 0 || size == 0 {
		return nil, c
	}
	value := make([]byte, size)
	c := get(f, of, what, size, unsafe.Pointer(&value[0]), nil)
	return value, c
}

// askText queries a string; it is empty if the query fails.
func askText(f native.Function, what uintptr, of ...uintptr) string {
	value, c := ask(f, what, of...)
	if c != 0 {
		return ""
	}
	return strings.TrimSpace(native.Text(value))
}

// askNumber queries a number of 4 or 8 bytes, the first if there are more; 0 if the query fails.
func askNumber(f native.Function, what uintptr, of ...uintptr) uint64 {
	value, c := ask(f, what, of...)
	switch {
	case c != 0:
		return 0
	case len(value) >= 8:
		return *(*uint64)(unsafe.Pointer(&value[0]))
	case len(value) == 4:
		return uint64(*(*uint32)(unsafe.Pointer(&value[0])))
	}
	return 0
}
