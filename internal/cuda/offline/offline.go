// Package offline compiles programs as package cuda does, for devices that the machine need not
// have: to check that they compile without warnings, and to see what resources their kernels need.
// The command bench/registers calls it, and package gputest in tests.
package offline

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/cuda"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
)

// Archs are the architectures that every program is compiled for: those of V100, A100 and H100.
var Archs = []string{"sm_70", "sm_80", "sm_90"}

// major is the last CUDA version that compiles for all of them.
const major = 12

// Compiler returns an NVRTC that compiles for all of Archs.
func Compiler() (*nvrtc.Compiler, error) {
	c, err := nvrtc.Open(major)
	if err != nil {
		return nil, err
	}
	known, err := c.Archs()
	if err != nil {
		return nil, err
	}
	for _, arch := range Archs {
		if !slices.Contains(known, arch) {
			return nil, fmt.Errorf("NVRTC %s (%s) does not compile for %s, but for %s\n  hint: pip install nvidia-cuda-nvrtc-cu12",
				c.Version(), c.Path, arch, strings.Join(known, ", "))
		}
	}
	return c, nil
}

// Job is a program to compile for an architecture.
type Job struct {
	Source device.Source
	Arch   string
}

// Result is the outcome of a job.
type Result struct {
	Job
	Usages map[string]nvrtc.Usage // by kernel name
	Err    error                  // NVRTC rejects the program, or warns about it
}

// Compile runs jobs, on all processors. The results are in the order of the jobs.
func Compile(c *nvrtc.Compiler, jobs []Job) []Result {
	results := make([]Result, len(jobs))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for i, job := range jobs {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			results[i] = compile(c, job)
		})
	}
	group.Wait()
	return results
}

// compile treats warnings as errors, which NVRTC has no option for.
func compile(c *nvrtc.Compiler, job Job) Result {
	s := job.Source
	_, log, err := c.Compile(s.Name+".cu", s.Text, job.Arch, cuda.Flags(s))
	r := Result{Job: job, Usages: nvrtc.Usages(log)}
	warnings := nvrtc.Warnings(log)
	var refused *nvrtc.Error
	switch {
	case errors.As(err, &refused) && log != "":
		r.Err = fmt.Errorf("%s for %s: %s", s.Name, job.Arch, nvrtc.FirstError(log))
	case err != nil:
		r.Err = fmt.Errorf("%s for %s: %w", s.Name, job.Arch, err)
	case len(warnings) > 0:
		r.Err = fmt.Errorf("%s for %s: %s", s.Name, job.Arch, strings.Join(warnings, "; "))
	}
	return r
}
