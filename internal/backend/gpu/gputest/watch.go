package gputest

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/backend/opencl"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	native "github.com/go-op2/op2/internal/opencl"
)

// Watched is a device whose calls a test can observe, and make fail.
type Watched struct {
	device.Device

	// Fail, if not nil, is called before each "Alloc", "Upload", "Download", "Copy", "Clear",
	// "Finish", "Elapsed" and "Launch", which return its error, and before the "Wait" of a Fetch, whose
	// start is a "Download".
	Fail func(call string) error
	// Change, if not nil, changes the device's description of itself.
	Change func(*device.Info)
	// Figures, if not nil, changes the figures of a kernel.
	Figures func(kernel string, f *device.Figures)

	// Dry turns compilation off.
	Dry bool
	// Texts holds the sources of programs that were built.
	Texts map[string]bool

	// Counts of calls, and of bytes transferred.
	Uploads, Downloads, Copies, Clears, Launches, Builds, Released int
	BytesUp, BytesDown                                             int64

	Allocated int64 // bytes of the buffers that are not freed
	sizes     map[device.Buffer]int
}

// Watch makes the backend of that name, standin or opencl, open a watched device until the test
// ends: the returned one, once there is a runtime. The limits are for the stand-in's device.
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
		registrytest.Add(Driver(name, watched))
		t.Cleanup(Register)
		return w
	}
	kind := opencl.Kind
	kind.Open = watched
	registrytest.Add(gpu.Driver(kind))
	t.Cleanup(func() { registrytest.Remove(name) })
	return w
}

// asked returns the error that a call should fail with.
func (w *Watched) asked(call string) error {
	if w.Fail == nil {
		return nil
	}
	return w.Fail(call)
}

// Forget resets the counts.
func (w *Watched) Forget() {
	w.Uploads, w.Downloads, w.Copies, w.Clears, w.Launches, w.BytesUp, w.BytesDown = 0, 0, 0, 0, 0, 0, 0
}
