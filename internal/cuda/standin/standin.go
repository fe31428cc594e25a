// Package standin is a device that runs CUDA C++ programs on the host's CPU, one thread after
// another, for tests on machines without a GPU.
//
// It is slow and strict: whatever is undefined on a GPU is an error here, a *FaultError. It finds
// accesses outside the program's memory, barriers that not all threads of a block reach, and
// overruns of arrays in shared memory, which is initialized with NaN. It does not find races
// between threads: they never run at the same time.
package standin

import (
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

// Name is the stand-in's device name.
const Name = "CUDA stand-in"

// Limits are the resources the device claims to have. Zero values mean the defaults.
type Limits struct {
	Memory   int64 // bytes of device memory; default 2 GiB
	Local    int   // bytes of shared memory per block; default 48 KiB
	MaxGroup int   // threads per block; default 1024
}

// Device is the stand-in. It executes every request immediately; Finish, Download and Close return
// errors.
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

// Open opens the stand-in, which needs g++ or clang++; if there is neither, the error is a
// *native.NotFoundError. Its programs are cached in the folder of package jit: compiled for this host,
// they are not images that config.Cache could hold.
func Open(config device.Config) (device.Device, error) { return OpenLimited(config, Limits{}) }

// OpenLimited opens a device with other limits.
func OpenLimited(config device.Config, limits Limits) (*Device, error) {
	cc, err := findCompiler()
	if err != nil {
		return nil, err
	}
	builder, err := jit.New(jit.Config{CC: cc, CacheDir: os.Getenv("OP2_CACHE_DIR"), Progress: config.Progress})
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

// compilers compile files whose name ends in .c as C++.
var compilers = []string{"g++", "clang++"}

func findCompiler() (string, error) {
	for _, name := range compilers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &native.NotFoundError{
		What: "the CUDA stand-in compiles C++", Names: compilers, Where: []string{native.ProgramPath()},
		Hint: "apt install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora, RHEL)",
	}
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

// Begin starts a timing.
func (d *Device) Begin() error {
	d.begun = time.Now()
	return nil
}

// End ends it.
func (d *Device) End() (device.Timing, error) { return timing(time.Since(d.begun)), nil }

type timing time.Duration

func (t timing) Elapsed() (time.Duration, error) { return time.Duration(t), nil }

// Finish returns the first error so far.
func (d *Device) Finish() error { return d.fault }

// Close frees all memory, and returns the first error if it has not been returned yet.
func (d *Device) Close() error {
	d.buffers, d.spans, d.stacks, d.allocated = nil, nil, nil, 0
	return d.fault
}

// misuse returns the error of a call that a driver would reject.
func misuse(call, format string, args ...any) error {
	return &device.Error{Device: Name, Call: call, Code: "CUDA_ERROR_INVALID_VALUE (" + fmt.Sprintf(format, args...) + ")"}
}
