// Package nvrtc is a thin binding of NVRTC, NVIDIA's library that compiles CUDA C++ at run time. It
// needs no GPU.
package nvrtc

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/cuda/library"
)

// Compiler is a loaded NVRTC. Any goroutine may use it.
type Compiler struct {
	Path         string
	Major, Minor int

	symbols struct {
		version, create, compile, destroy, logSize, log, imageSize, image, archCount, archs uintptr
	}
	silent bool // the compiler does not report registers
}

// Version returns a version such as "12.9".
func (c *Compiler) Version() string { return fmt.Sprintf("%d.%d", c.Major, c.Minor) }

var process struct {
	sync.Mutex
	opened map[int]*Compiler
}

// Open finds and loads NVRTC; unless prefer is 0, it prefers one of that major CUDA version, or an
// earlier one. The error may be a *NotFoundError.
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
	l, err := find(prefer)
	if err != nil {
		return nil, err
	}
	c := &Compiler{Path: l.Path}
	s := &c.symbols
	if err := l.Symbols(map[string]*uintptr{
		"nvrtcVersion": &s.version, "nvrtcCreateProgram": &s.create, "nvrtcCompileProgram": &s.compile, "nvrtcDestroyProgram": &s.destroy,
		"nvrtcGetProgramLogSize": &s.logSize, "nvrtcGetProgramLog": &s.log, "nvrtcGetCUBINSize": &s.imageSize, "nvrtcGetCUBIN": &s.image,
		"nvrtcGetNumSupportedArchs": &s.archCount, "nvrtcGetSupportedArchs": &s.archs,
	}); err != nil {
		return nil, err
	}
	var version [2]int32
	if err := c.call("nvrtcVersion", s.version, unsafe.Pointer(&version[0]), unsafe.Pointer(&version[1])); err != nil {
		return nil, err
	}
	c.Major, c.Minor = int(version[0]), int(version[1])
	c.silent = c.Major < 12
	return c, nil
}

// Error is a failed call. A source that does not compile gives ErrorCompilation.
type Error struct {
	Call, Text string
	Code       int
}

// ErrorCompilation is the code for a source that does not compile.
const ErrorCompilation = 6

func (e *Error) Error() string { return e.Call + ": " + e.Text }

// call calls a function whose arguments are all addresses.
func (c *Compiler) call(name string, f uintptr, args ...unsafe.Pointer) error {
	var pins runtime.Pinner // Go moves stacks
	defer pins.Unpin()
	words := make([]uintptr, len(args))
	for i, a := range args {
		if a != nil {
			pins.Pin(a)
		}
		words[i] = uintptr(a)
	}
	code, _, _ := purego.SyscallN(f, words...)
	return c.failure(name, code)
}

func (c *Compiler) failure(call string, result uintptr) error {
	code := int(int32(result))
	if code == 0 {
		return nil
	}
	return &Error{Call: call, Text: errorText(code), Code: code}
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
	if err := c.call("nvrtcGetNumSupportedArchs", c.symbols.archCount, unsafe.Pointer(&n)); err != nil {
		return nil, err
	}
	numbers := make([]int32, n+1)
	if err := c.call("nvrtcGetSupportedArchs", c.symbols.archs, unsafe.Pointer(&numbers[0])); err != nil {
		return nil, err
	}
	var archs []string
	for _, number := range numbers[:n] {
		archs = append(archs, fmt.Sprintf("sm_%d", number))
	}
	return archs, nil
}

// Arguments returns the arguments that Compile passes to NVRTC.
func (c *Compiler) Arguments(arch string, flags []string) []string {
	args := []string{"--gpu-architecture=" + arch}
	if !c.silent {
		args = append(args, "--ptxas-options=-v")
	}
	return append(args, flags...)
}

// Compile compiles a source, called name in messages, for an architecture such as "sm_90". The log
// may contain warnings, and the input for Usages.
func (c *Compiler) Compile(name, text, arch string, flags []string) (cubin []byte, log string, err error) {
	var program uintptr
	source, title := library.CString(text), library.CString(name)
	if err := c.call("nvrtcCreateProgram", c.symbols.create, unsafe.Pointer(&program), unsafe.Pointer(&source[0]), unsafe.Pointer(&title[0]), nil, nil, nil); err != nil {
		return nil, "", err
	}
	defer purego.SyscallN(c.symbols.destroy, uintptr(unsafe.Pointer(&program)))

	var options []unsafe.Pointer // on the heap, like what they point to
	for _, arg := range c.Arguments(arch, flags) {
		options = append(options, unsafe.Pointer(unsafe.SliceData(library.CString(arg))))
	}
	code, _, _ := purego.SyscallN(c.symbols.compile, program, uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])))
	runtime.KeepAlive(options)
	failed := c.failure("nvrtcCompileProgram", code)

	messages, err := c.read(program, "nvrtcGetProgramLog", c.symbols.logSize, c.symbols.log)
	log = strings.TrimSpace(library.Text(messages))
	if failed != nil {
		return nil, log, failed
	}
	if err != nil {
		return nil, "", err
	}
	cubin, err = c.read(program, "nvrtcGetCUBIN", c.symbols.imageSize, c.symbols.image)
	return cubin, log, err
}

// read reads bytes of a program, after querying their number.
func (c *Compiler) read(program uintptr, name string, size, get uintptr) ([]byte, error) {
	var n uintptr
	code, _, _ := purego.SyscallN(size, program, uintptr(unsafe.Pointer(&n)))
	if err := c.failure(name+"Size", code); err != nil || n == 0 {
		return nil, err
	}
	data := make([]byte, n)
	code, _, _ = purego.SyscallN(get, program, uintptr(unsafe.Pointer(&data[0])))
	return data, c.failure(name, code)
}

// FirstError returns the line of a log that says why a source does not compile.
func FirstError(log string) string {
	lines := strings.Split(log, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "error") })
	return strings.TrimSpace(lines[max(i, 0)])
}
