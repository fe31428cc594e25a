package parttest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/opencl"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/tune"
)

// launches is a device that records what it launches.
type launches struct {
	device.Device
	names  []string
	reject int // the number of the launch to reject, from 1; 0: none

	recording      *recording // in progress
	refuses        error      // the error of Record
	recorded, runs int        // numbers of recordings, and of those queued
	alive          int        // recordings that are not freed
	size           int        // of the last one, in launches
}

// recording is launches with the values of their arguments.
type recording struct {
	to       *launches
	launches []func() error
}

func (l *launches) Record(queue func() error) (device.Recording, error) {
	if l.refuses != nil {
		return nil, l.refuses
	}
	r := &recording{to: l}
	l.recording = r
	err := queue()
	l.recording = nil
	l.recorded++
	l.alive++
	l.size = len(r.launches)
	return r, err
}

func (r *recording) Queue() error {
	r.to.runs++
	for _, launch := range r.launches {
		if err := launch(); err != nil {
			return err
		}
	}
	return nil
}

func (r *recording) Free() { r.to.alive-- }

var errRejected = errors.New("rejected")

func (l *launches) Build(s device.Source) device.Program {
	return recordedProgram{l.Device.Build(s), l}
}

type recordedProgram struct {
	device.Program
	to *launches
}

func (p recordedProgram) Kernel(name string) (device.Kernel, error) {
	k, err := p.Program.Kernel(name)
	return recordedKernel{k, p.to, name}, err
}

type recordedKernel struct {
	device.Kernel
	to   *launches
	name string
}

func (k recordedKernel) Launch(groups, size, shared int, args []device.Arg) error {
	if k.to.recording != nil {
		own := slices.Clone(args)
		for i, a := range args {
			if a.Value != nil {
				value := slices.Clone(unsafe.Slice((*byte)(a.Value), a.Size))
				own[i].Value = unsafe.Pointer(unsafe.SliceData(value))
			}
		}
		k.to.recording.launches = append(k.to.recording.launches, func() error { return k.Launch(groups, size, shared, own) })
		return nil
	}
	k.to.names = append(k.to.names, strings.TrimPrefix(k.name, "op2_loop_"))
	if len(k.to.names) == k.to.reject {
		return errRejected
	}
	return k.Kernel.Launch(groups, size, shared, args)
}

// newRecorded opens a device that records, and the loop on it, which cannot fail.
func newRecorded(t *testing.T, name string, strategy tune.Strategy) (*form, *launches) {
	to := &launches{}
	kind := gpu.Kind{Name: name, Dialect: codegen.OpenCLC, List: func() ([]device.Info, error) { return nil, nil }}
	real := opencl.Open
	if name == "standin" {
		kind.Dialect, real = codegen.CUDA, standin.Open
	}
	kind.Open = func(c device.Config) (device.Device, error) {
		d, err := real(c)
		if err != nil {
			optest.Require(t, name, err.Error())
		}
		to.Device = d
		return to, err
	}
	f := newForm(t, gpu.Driver(kind), strategy, nil)
	f.spec.Kernel = fluxSpec(t, strings.Replace(source, "%2]", "&1]", 1)).Kernel
	return f, to
}

// A call launches the loop once for each color. The last group combines the partial results, which on
// OpenCL devices other than CPUs takes another launch. A call of which something was rejected leaves
// nothing for the next one.
func TestLaunches(t *testing.T) {
	for _, test := range []struct {
		device   string
		strategy tune.Strategy
		colors   bool
		combine  bool
	}{
		{"opencl", tune.Blocks, true, false},
		{"opencl", tune.Atomic, false, true},
		{"standin", tune.Atomic, false, false},
		{"standin", tune.Staged, true, false},
		{"standin", tune.GlobalColor, true, false},
	} {
		t.Run(test.device+"/"+string(test.strategy), func(t *testing.T) {
			f, to := newRecorded(t, test.device, test.strategy)
			want := f.run(owned)
			names := slices.Clone(to.names)
			if n := slices.Index(names, "flux_combine"); (n >= 0) != test.combine || n >= 0 && n != len(names)-1 {
				t.Errorf("launched %v", names)
			}
			if (len(names) > 2) != test.colors {
				t.Errorf("%d launches", len(names))
			}
			c := f.prepare(owned)
			to.names, to.reject = nil, len(names)
			if err := c.Run(); !errors.Is(err, errRejected) {
				t.Fatalf("err = %v, want the launch to be rejected", err)
			}
			to.reject = 0
			c.must(c.Run())
			c.bring()
			if !same(c.sum, want.sum, rounding) || c.low[0] != want.low[0] || c.high[0] != want.high[0] || !same(c.res, want.res, rounding) {
				t.Errorf("after a call that was rejected: sum %v, low %v, high %v, want %v, %v, %v", c.sum, c.low, c.high, want.sum, want.low, want.high)
			}
		})
	}
}
