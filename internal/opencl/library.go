package opencl

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/dl"
)

// functions are the OpenCL 1.2 functions that the binding uses.
type functions struct {
	getPlatformIDs, getPlatformInfo, getDeviceIDs, getDeviceInfo                              uintptr
	createContext, releaseContext, createCommandQueue, releaseCommandQueue                    uintptr
	createBuffer, releaseMemObject, writeBuffer, readBuffer, copyBuffer, fillBuffer           uintptr
	createProgramWithSource, createProgramWithBinary, buildProgram, getProgramBuildInfo       uintptr
	getProgramInfo, releaseProgram, createKernel, releaseKernel, getKernelInfo                uintptr
	getKernelWorkGroupInfo, setKernelArg, launch, waitForEvents, eventProfiling, releaseEvent uintptr
	flush, finish                                                                             uintptr
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

// load returns the library, which has at least one device. If it fails, with a *NotFoundError, the
// next call tries again.
func load() (*library, error) {
	process.Lock()
	defer process.Unlock()
	if process.library != nil {
		return process.library, nil
	}
	defer guard()()
	l := &library{}
	handle, err := openAny(libraryNames())
	if err != nil {
		return nil, err
	}
	if err := l.bind(handle); err != nil {
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

func openAny(names []string) (handle uintptr, err error) {
	for _, name := range names {
		if handle, err = dl.Open(name); err == nil {
			return handle, nil
		}
	}
	where := "where the loader of the system looks"
	if path := os.Getenv("LD_LIBRARY_PATH"); path != "" {
		where += " and in LD_LIBRARY_PATH (" + path + ")"
	}
	return 0, &NotFoundError{What: "library " + strings.Join(names, ", "), Where: where, Err: err}
}

func (l *library) bind(handle uintptr) error {
	for _, f := range []struct {
		name string
		to   *uintptr
	}{
		{"clGetPlatformIDs", &l.getPlatformIDs}, {"clGetPlatformInfo", &l.getPlatformInfo},
		{"clGetDeviceIDs", &l.getDeviceIDs}, {"clGetDeviceInfo", &l.getDeviceInfo},
		{"clCreateContext", &l.createContext}, {"clReleaseContext", &l.releaseContext},
		{"clCreateCommandQueue", &l.createCommandQueue}, {"clReleaseCommandQueue", &l.releaseCommandQueue},
		{"clCreateBuffer", &l.createBuffer}, {"clReleaseMemObject", &l.releaseMemObject},
		{"clEnqueueWriteBuffer", &l.writeBuffer}, {"clEnqueueReadBuffer", &l.readBuffer},
		{"clEnqueueCopyBuffer", &l.copyBuffer}, {"clEnqueueFillBuffer", &l.fillBuffer},
		{"clCreateProgramWithSource", &l.createProgramWithSource}, {"clCreateProgramWithBinary", &l.createProgramWithBinary},
		{"clBuildProgram", &l.buildProgram}, {"clGetProgramBuildInfo", &l.getProgramBuildInfo},
		{"clGetProgramInfo", &l.getProgramInfo}, {"clReleaseProgram", &l.releaseProgram},
		{"clCreateKernel", &l.createKernel}, {"clReleaseKernel", &l.releaseKernel}, {"clGetKernelInfo", &l.getKernelInfo},
		{"clGetKernelWorkGroupInfo", &l.getKernelWorkGroupInfo}, {"clSetKernelArg", &l.setKernelArg},
		{"clEnqueueNDRangeKernel", &l.launch}, {"clWaitForEvents", &l.waitForEvents},
		{"clGetEventProfilingInfo", &l.eventProfiling}, {"clReleaseEvent", &l.releaseEvent},
		{"clFlush", &l.flush}, {"clFinish", &l.finish},
	} {
		address, err := dl.Symbol(handle, f.name)
		if err != nil {
			return &NotFoundError{What: "function " + f.name + " of OpenCL 1.2", Where: "the library that is installed", Err: err}
		}
		*f.to = address
	}
	return nil
}

// get calls a clGet...Info function, whose first one or two arguments are of.
func get(f uintptr, of []uintptr, what, size uintptr, to, got unsafe.Pointer) code {
	if len(of) == 1 {
		return code(call(f, of[0], what, size, uintptr(to), uintptr(got)))
	}
	return code(call(f, of[0], of[1], what, size, uintptr(to), uintptr(got)))
}

// ask queries a value of any size.
func ask(f uintptr, what uintptr, of ...uintptr) ([]byte, code) {
	var size uintptr
	if c := get(f, of, what, 0, nil, unsafe.Pointer(&size)); c != 0 || size == 0 {
		return nil, c
	}
	value := make([]byte, size)
	c := get(f, of, what, size, unsafe.Pointer(&value[0]), nil)
	return value, c
}

// askText queries a string; it is empty if the query fails.
func askText(f uintptr, what uintptr, of ...uintptr) string {
	value, c := ask(f, what, of...)
	if c != 0 {
		return ""
	}
	text, _, _ := strings.Cut(string(value), "\x00")
	return strings.TrimSpace(text)
}

// askNumber queries a number of 4 or 8 bytes, the first if there are more; 0 if the query fails.
func askNumber(f uintptr, what uintptr, of ...uintptr) uint64 {
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
