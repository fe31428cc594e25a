package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/translate/unit"
)

// runForDevices runs the program for GPUs and for OpenCL's processors, as far as there are such targets: it does other
// things there than on the host, and keeps its data in different layouts.
func (t *translation) runForDevices(units, binary string) error {
	for _, cpu := range []bool{false, true} {
		devices := slices.DeleteFunc(slices.Clone(t.devices), func(d string) bool { return strings.HasSuffix(d, gpu.OfProcessors) != cpu })
		if len(devices) == 0 {
			continue
		}
		if err := unit.RequestPrograms(units, devices...); err != nil {
			return err
		}
		if err := t.runAll(units, binary); err != nil {
			return err
		}
	}
	return nil
}

// findNVRTC looks for the compiler of PTX, and says what the package lacks without.
func (t *translation) findNVRTC() {
	if !slices.Contains(t.devices, "cuda") {
		return
	}
	c, err := nvrtc.Open(0)
	if err != nil {
		fmt.Fprintf(t.status, "there will be CUDA C++, but no PTX, so that NVRTC is needed where the program runs: %v\n", err)
		return
	}
	t.input.NVRTC = c
}
