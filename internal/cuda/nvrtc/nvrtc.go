// Package nvrtc is a thin binding of NVRTC, NVIDIA's library that compiles CUDA C++ at run time. It
// needs no GPU.
package nvrtc

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// Compiler is a loaded NVRTC. Any goroutine may use it.
type Compiler struct {
	Path         string
	Major, Minor int

	functions
	silent bool // the compiler does not report registers
}

type functions struct {
	nvrtcVersion, nvrtcCreateProgram, nvrtcCompileProgram, nvrtcDestroyProgram   native.Function
	nvrtcGetProgramLogSize, nvrtcGetProgramLog, nvrtcGetCUBINSize, nvrtcGetCUBIN native.Function
	nvrtcGetPTXSize, nvrtcGetPTX                                                 native.Function
	nvrtcGetNumSupportedArchs, nvrtcGetSupportedArchs                            native.Function
}

// Version returns a version such as "12.9".
func (c *Compiler) Version() string { return fmt.Sprintf("%d.%d", c.Major, c.Minor) }

var process struct {
	sync.Mutex
	opened map[int]*Compiler
}

// Open finds and loads NVRTC; unless prefer is 0, it prefers one of that major CUDA version, or an
// earlier one. The error is a *native.NotFoundError.
func Open(prefer int) (*Compiler, error) {
	process.Lock()
	defer process.Unlock()
	if c := process.opened[prefer]; c != nil {
		return c, nil
	}
	c, err := load(prefer)
	if err != nil {
		return nil, err
	}
	if process.opened == nil {
		process.opened = map[int]*Compiler{}
	}
	process.opened[prefer] = c
	return c, nil
}

func load(prefer int) (*Compiler, error) {
	c := &Compiler{}
	if err := search(prefer).Find(c.bind); err != nil {
		return nil, err
	}
	return c, nil
}

// bind looks up the functions of a library, and its version.
func (c *Compiler) bind(l *native.Library) error {
	c.Path = l.Path
	if err := l.Bind(&c.functions); err != nil {
		return err
	}
	var version [2]int32
	if err := c.call(c.nvrtcVersion, uintptr(unsafe.Pointer(&version[0])), uintptr(unsafe.Pointer(&version[1]))); err != nil {
		return err
	}
	c.Major, c.Minor = int(version[0]), int(version[1])
	c.silent = c.Major < 12
	return nil
}

// Error is a failed call. A source that does not compile gives ErrorCompilation.
type Error struct {
	Call, Text string
	Code       int
}

// ErrorCompilation is the code for a source that does not compile.
const ErrorCompilation = 6

func (e *Error) Error() string { return e.Call + ": " + e.Text }

// call calls a function.
//
//go:uintptrescapes
func (c *Compiler) call(f native.Function, args ...uintptr) error {
	code := int(int32(f.Call(args...)))
	if code == 0 {
		return nil
	}
	return &Error{Call: f.Name, Text: errorText(code), Code: code}
}

// errorText returns the name of an error, from nvrtcGetErrorString.
func errorText(code int) string {
	texts := []string{
		1: "NVRTC_ERROR_OUT_OF_MEMORY", 2: "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", 3: "NVRTC_ERROR_INVALID_INPUT",
		4: "NVRTC_ERROR_INVALID_PROGRAM", 5: "NVRTC_ERROR_INVALID_OPTION", ErrorCompilation: "NVRTC_ERROR_COMPILATION",
		7: "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE", 11: "NVRTC_ERROR_INTERNAL_ERROR",
	}
	if code > 0 && code < len(texts) && texts[code] != "" {
		return texts[code]
	}
	return fmt.Sprintf("NVRTC error %d", code)
}

// Archs returns the supported architectures, such as "sm_90", in order.
func (c *Compiler) Archs() ([]string, error) {
	var n int32
	if err := c.call(c.nvrtcGetNumSupportedArchs, uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	numbers := make([]int32, n+1)
	if err := c.call(c.nvrtcGetSupportedArchs, uintptr(unsafe.Pointer(&numbers[0]))); err != nil {
		return nil, err
	}
	var archs []string
	for _, number := range numbers[:n] {
		archs = append(archs, fmt.Sprintf("sm_%d", number))
	}
	return archs, nil
}

// Arguments returns the arguments that Compile and PTX pass to NVRTC.
func (c *Compiler) Arguments(arch string, flags []string) []string {
	args := []string{"--gpu-architecture=" + arch}
	if !c.silent && !strings.HasPrefix(arch, "compute_") {
		args = append(args, "--ptxas-options=-v")
	}
	return append(args, flags...)
}

// Compile compiles a source, called name in messages, for an architecture such as "sm_90". The log
// may contain warnings, and the input for Usages.
func (c *Compiler) Compile(name, text, arch string, flags []string) (cubin []byte, log string, err error) {
	return c.compile(name, text, arch, flags, c.nvrtcGetCUBINSize, c.nvrtcGetCUBIN)
}

// PTX compiles a source for a compute capability such as "compute_70". Drivers translate the result for devices that
// have it, or a later one, if they are not older than the compiler.
func (c *Compiler) PTX(name, text, capability string, flags []string) (ptx, log string, err error) {
	data, log, err := c.compile(name, text, capability, flags, c.nvrtcGetPTXSize, c.nvrtcGetPTX)
	return native.Text(data), log, err
}

// Base returns the least compute capability from 7.0 on that the compiler knows: "compute_70".
func (c *Compiler) Base() (string, error) {
	const volta = 70
	archs, err := c.Archs()
	if err != nil {
		return "", err
	}
	for _, arch := range archs {
		if n, _ := strconv.Atoi(strings.TrimPrefix(arch, "sm_")); n >= volta {
			return fmt.Sprintf("compute_%d", n), nil
		}
	}
	return "", fmt.Errorf("NVRTC %s compiles for %s alone", c.Version(), strings.Join(archs, ", "))
}

// compile compiles a source, and gets what it was compiled to.
func (c *Compiler) compile(name, text, arch string, flags []string, size, get native.Function) (image []byte, log string, err error) {
	var program uintptr
	source, title := native.CString(text), native.CString(name)
	err = c.call(c.nvrtcCreateProgram, uintptr(unsafe.Pointer(&program)), uintptr(unsafe.Pointer(&source[0])), uintptr(unsafe.Pointer(&title[0])), 0, 0, 0)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = c.call(c.nvrtcDestroyProgram, uintptr(unsafe.Pointer(&program))) }()

	var options []unsafe.Pointer // on the heap, like what they point to
	for _, arg := range c.Arguments(arch, flags) {
		options = append(options, unsafe.Pointer(unsafe.SliceData(native.CString(arg))))
	}
	failed := c.call(c.nvrtcCompileProgram, program, uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])))
	runtime.KeepAlive(options)

	messages, err := c.read(program, c.nvrtcGetProgramLogSize, c.nvrtcGetProgramLog)
	log = strings.TrimSpace(native.Text(messages))
	if failed != nil {
		return nil, log, failed
	}
	if err != nil {
		return nil, "", err
	}
	image, err = c.read(program, size, get)
	return image, log, err
}

// read reads bytes of a program, after querying their number.
func (c *Compiler) read(program uintptr, size, get native.Function) ([]byte, error) {
	var n uintptr
	if err := c.call(size, program, uintptr(unsafe.Pointer(&n))); err != nil || n == 0 {
		return nil, err
	}
	data := make([]byte, n)
	return data, c.call(get, program, uintptr(unsafe.Pointer(&data[0])))
}

// FirstError returns the line of a log that says why a source does not compile.
func FirstError(log string) string {
	lines := strings.Split(log, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "error") })
	return strings.TrimSpace(lines[max(i, 0)])
}
