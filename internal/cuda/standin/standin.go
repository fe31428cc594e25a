// Package standin is a device that runs programs in CUDA C++ on the host's processor, one
// thread after the other, for tests on machines without a GPU.
//
// It is slow and strict: what a GPU leaves undefined is an error here, a *FaultError. It
// finds accesses to memory that is not the program's, barriers that not all threads of a
// block reach, and what lies behind the end of arrays in shared memory; and shared memory
// begins as NaN. It does not find two threads that race: they never run at the same time.
package standin

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
)

// Name is the stand-in's as a device.
const Name = "CUDA stand-in"

// Limits are what the device pretends to have. The zero value of each means the usual.
type Limits struct {
	Memory   int64 // bytes of device memory: 2 GiB
	Local    int   // bytes of shared memory for a block: 48 KiB
	MaxGroup int   // threads in a block: 1024
}

// Device is the stand-in. What it is asked for it does at once; what was wrong with it,
// Finish, Download and Close tell.
type Device struct {
	builder *jit.Builder
	limits  Limits

	buffers   map[device.Buffer]*buffer
	spans     []span // of the buffers, in order
	allocated int64
	stacks    []byte
	begun     time.Time
	fault     error
}

// Open opens the stand-in, which needs g++ or clang++; where there is neither, the error is
// a *NotFoundError. The folder of its cache is that of the package jit: compiled for this
// host, the programs are no images that config.Cache could keep.
func Open(config device.Config) (device.Device, error) { return OpenLimited(config, Limits{}) }

// OpenLimited is Open of a device that has less, or more.
func OpenLimited(config device.Config, limits Limits) (*Device, error) {
	cc, err := findCompiler()
	if err != nil {
		return nil, err
	}
	j := jit.Config{CC: cc, CacheDir: os.Getenv("OP2_CACHE_DIR")}
	if config.Progress != nil {
		j.Progress = func(p jit.Progress) { config.Progress(p.Name, p.Started, p.Done) }
	}
	builder, err := jit.New(j)
	if err != nil {
		return nil, err
	}
	if limits.Memory == 0 {
		limits.Memory = 2 << 30
	}
	if limits.Local == 0 {
		limits.Local = 48 << 10
	}
	if limits.MaxGroup == 0 {
		limits.MaxGroup = 1024
	}
	return &Device{builder: builder, limits: limits, buffers: map[device.Buffer]*buffer{}}, nil
}

// NotFoundError says that there is no compiler for C++.
type NotFoundError struct {
	Path string // where it was looked for
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("the CUDA stand-in compiles C++: looked for %s in PATH (%s)\n  hint: apt install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora, RHEL)",
		strings.Join(compilers, ", "), e.Path)
}

// compilers take a file whose name ends in .c as C++.
var compilers = []string{"g++", "clang++"}

func findCompiler() (string, error) {
	for _, name := range compilers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &NotFoundError{os.Getenv("PATH")}
}

// Info describes the stand-in.
func (d *Device) Info() device.Info {
	return device.Info{
		Name:     Name,
		Driver:   d.builder.Compiler().Version,
		Units:    2,
		Memory:   d.limits.Memory,
		Local:    d.limits.Local,
		MaxGroup: d.limits.MaxGroup,
		Float64:  true,
		Atomic64: true,
		Arch:     "sm_90",
	}
}

// Begin takes the time.
func (d *Device) Begin() error {
	d.begun = time.Now()
	return nil
}

// End takes it again.
func (d *Device) End() (device.Timing, error) { return timing(time.Since(d.begun)), nil }

type timing time.Duration

func (t timing) Elapsed() (time.Duration, error) { return time.Duration(t), nil }

// Finish tells what was wrong so far.
func (d *Device) Finish() error { return d.fault }

// Close gives all memory back, and tells what was wrong if nobody asked.
func (d *Device) Close() error {
	d.buffers, d.spans, d.stacks, d.allocated = nil, nil, nil, 0
	return d.fault
}

// misuse is a call that a driver refuses.
func misuse(call, format string, args ...any) error {
	return &device.Error{Device: Name, Call: call, Code: "CUDA_ERROR_INVALID_VALUE (" + fmt.Sprintf(format, args...) + ")"}
}
