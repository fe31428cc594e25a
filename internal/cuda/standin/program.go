package standin

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

type program struct {
	device   *Device
	source   device.Source
	build    *jit.Build
	instance *jit.Instance // nil until a kernel is requested
}

// Build compiles a program as C++. Of its flags, which are meant for NVRTC, only macro definitions
// are used.
func (d *Device) Build(s device.Source) device.Program {
	flags := []string{
		"-std=gnu++17", "-O1", "-g", "-w", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti",
		fmt.Sprintf("-DOP2_MAX_GROUP=%d", d.limits.MaxGroup), fmt.Sprintf("-DOP2_LOCAL=%d", d.limits.Local),
		"-fsanitize=kernel-address",
	}
	if d.builder.Compiler().Family == jit.Clang {
		flags = append(flags, "-mllvm", "-asan-instrumentation-with-call-threshold=0", "-mllvm", "-asan-stack=0", "-mllvm", "-asan-globals=0")
	} else {
		flags = append(flags, "--param", "asan-instrumentation-with-call-threshold=0", "--param", "asan-stack=0", "--param", "asan-globals=1", "-fsanitize-sections=standin_shared")
	}
	for _, flag := range s.Flags {
		if strings.HasPrefix(flag, "-D") {
			flags = append(flags, flag)
		}
	}
	build := d.builder.Start(jit.Unit{Name: s.Name, Source: Source(s.Name, s.Text), Flags: flags})
	return &program{device: d, source: s, build: build}
}

// Wait waits for the compiler. Its error shows the source without the header, with line numbers
// that match the compiler's messages.
func (p *program) Wait() error {
	err := p.build.Wait()
	var refused *jit.CompileError
	if errors.As(err, &refused) {
		return &jit.CompileError{
			Name: refused.Name, Reason: refused.Reason, Compiler: refused.Compiler, Flags: refused.Flags, Source: p.source.Text, Log: refused.Log,
		}
	}
	return err
}

// Found reports whether the library was in the cache.
func (p *program) Found() bool { return p.build.Found() }

// Translated returns "": PTX is not for the host.
func (p *program) Translated() string { return "" }

// maxParameters limits the number of parameters of a kernel.
const maxParameters = 1024

// Kernel looks up a kernel.
func (p *program) Kernel(name string) (device.Kernel, error) {
	if p.instance == nil {
		if err := p.Wait(); err != nil {
			return nil, err
		}
		var err error
		if p.instance, err = p.build.Acquire(); err != nil {
			return nil, err
		}
	}
	k := &kernel{device: p.device, name: name}
	about, err := p.instance.Symbol("standin_about_" + name)
	if err == nil {
		k.run, err = p.instance.Symbol("standin_run_" + name)
	}
	if err != nil {
		return nil, &device.Error{
			Device: Name, Call: "cuModuleGetFunction", Code: fmt.Sprintf("CUDA_ERROR_NOT_FOUND (%s has no extern \"C\" __global__ void %s)", p.source.Name, name),
		}
	}
	var figures [3 + maxParameters]int64
	native.Call(about, uintptr(unsafe.Pointer(&figures)))
	k.bound, k.local = int(figures[0]), int(figures[1])
	k.sizes = slices.Clone(figures[3 : 3+figures[2]])
	k.values = make([]unsafe.Pointer, len(k.sizes)+1)
	return k, nil
}

// Release releases the library.
func (p *program) Release() {
	if p.instance != nil {
		p.instance.Release()
		p.instance = nil
	}
}
