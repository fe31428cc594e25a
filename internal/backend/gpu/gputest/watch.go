package gputest

import (
	"testing"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/backend/opencl"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	native "github.com/go-op2/op2/internal/opencl"
)

// Watched is a device of which a test sees what it is asked for, and which fails when the
// test wants it to.
type Watched struct {
	device.Device

	// Fail, if it is not nil, is asked before each call of "Alloc", "Upload", "Download",
	// "Copy", "Clear", "Finish", "Elapsed" and "Launch", whose error it gives.
	Fail func(call string) error
	// Change, if it is not nil, changes what the device says that it is.
	Change func(*device.Info)
	// Figures, if it is not nil, changes what is said of a kernel.
	Figures func(kernel string, f *device.Figures)

	// Dry has nothing be compiled.
	Dry bool
	// Texts are those of programs that were built.
	Texts map[string]bool

	// What was called so far, and how many bytes moved.
	Uploads, Downloads, Copies, Clears, Launches, Builds, Released int
	BytesUp, BytesDown                                             int64

	Allocated int64 // bytes of the buffers that are not freed
	sizes     map[device.Buffer]int
}

// Watch has the backend of that name, standin or opencl, open a watched device until the
// test ends: the one that is returned, once there is a runtime. The stand-in's has those
// limits.
func Watch(t testing.TB, name string, limits standin.Limits) *Watched {
	w := &Watched{Texts: map[string]bool{}}
	open := native.Open
	if name == Standin {
		open = func(c device.Config) (device.Device, error) { return standin.OpenLimited(c, limits) }
	}
	watched := func(c device.Config) (device.Device, error) {
		d, err := open(c)
		if err != nil {
			return nil, err
		}
		w.Device, w.sizes, w.Allocated = d, map[device.Buffer]int{}, 0
		return w, nil
	}
	if name == Standin {
		backend.Register(Driver(name, watched))
		t.Cleanup(Register)
		return w
	}
	kind := opencl.Kind
	kind.Open = watched
	backend.Register(gpu.Driver(kind))
	t.Cleanup(func() { backend.Unregister(name) })
	return w
}

// asked is the error that a call is to give.
func (w *Watched) asked(call string) error {
	if w.Fail == nil {
		return nil
	}
	return w.Fail(call)
}

// Forget begins to count anew.
func (w *Watched) Forget() {
	w.Uploads, w.Downloads, w.Copies, w.Clears, w.Launches, w.BytesUp, w.BytesDown = 0, 0, 0, 0, 0, 0, 0
}
