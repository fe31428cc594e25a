package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/translate/unit"
)

// recordAll runs the program for the processors, for GPUs and for OpenCL's processors, as far as there are such targets:
// it does different things there, and keeps its data in other layouts.
func (t *translation) recordAll(units string) error {
	binary, err := t.build(units)
	if err != nil {
		return err
	}
	if len(t.input.Targets) > 0 {
		if err := t.runAll(units, binary); err != nil {
			return err
		}
	}
	gpus := slices.DeleteFunc(slices.Clone(t.devices), onProcessors)
	for _, devices := range [][]string{gpus, slices.DeleteFunc(slices.Clone(t.devices), func(d string) bool { return !onProcessors(d) })} {
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

func onProcessors(device string) bool { return strings.HasSuffix(device, "-cpu") }

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
