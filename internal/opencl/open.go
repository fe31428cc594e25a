package opencl

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// opened is an open device.
type opened struct {
	*library
	unit   *unit
	cache  device.Cache
	handle struct{ context, queue uintptr } // 0 once closed

	sizes    map[device.Buffer]int // of the buffers, in bytes
	freed    int                   // buffers so far: a new one may have the handle of an old one
	timing   *timing               // that has begun; nil: none
	timings  map[*timing]struct{}  // that hold events
	programs map[*program]struct{} // not released
	zero     [16]byte              // what buffers are cleared with
	onQueue  [1]uintptr            // the queue, as the arguments of a call
	asked    asked

	building sync.WaitGroup
	mu       sync.Mutex // for what follows, which compilations in the background use
	closed   bool
	builds   map[buildKey]*build
	progress device.Progress
}

// Open opens a device: the one that the configuration chooses, by its number among all devices of all platforms, or
// by a part of its name or its platform's, in capital letters or small; or else the first GPU, accelerator, or
// processor. The error wraps a *NotFoundError where there is no OpenCL, and is a *ChoiceError where there is no such
// device.
func Open(config device.Config) (device.Device, error) {
	l, err := load()
	if err != nil {
		return nil, err
	}
	u, err := choose(l.units, config.Choice)
	if err != nil {
		return nil, err
	}
	d := &opened{
		library: l, unit: u, cache: config.Cache,
		sizes:    map[device.Buffer]int{},
		timings:  map[*timing]struct{}{},
		programs: map[*program]struct{}{},
		builds:   map[buildKey]*build{},
	}
	d.progress.Tell = config.Progress
	defer guard()()
	var c code
	properties := []uintptr{contextPlatform, u.platform, 0}
	d.handle.context = call(l.createContext, uintptr(unsafe.Pointer(&properties[0])), 1, uintptr(unsafe.Pointer(&u.id)), 0, 0,
		uintptr(unsafe.Pointer(&c)))
	if c != 0 {
		return nil, fmt.Errorf("the OpenCL device cannot be opened: %w", d.failed("clCreateContext", c))
	}
	d.handle.queue = call(l.createCommandQueue, d.handle.context, u.id, queueProfilingEnable, uintptr(unsafe.Pointer(&c)))
	if c != 0 {
		call(l.releaseContext, d.handle.context)
		return nil, fmt.Errorf("the OpenCL device cannot be opened: %w", d.failed("clCreateCommandQueue", c))
	}
	d.onQueue[0] = d.handle.queue
	return d, nil
}

func (d *opened) Info() device.Info { return d.unit.info }

// failed is the error of a call that asked for something.
func (d *opened) failed(call string, c code) error {
	return &device.Error{Device: d.unit.info.Name, Call: call, Code: c.String(), Lost: c == deviceNotAvailable || c == nvidiaIllegalAccess}
}

// failedWaiting is the error of a call that waited for what was queued. What went wrong there leaves the context
// without use.
func (d *opened) failedWaiting(call string, c code) error {
	lost := c == deviceNotAvailable || c == nvidiaIllegalAccess || c == outOfResources || c == invalidCommandQueue
	return &device.Error{Device: d.unit.info.Name, Call: call, Code: c.String(), Lost: lost}
}

func (d *opened) Finish() error {
	if d.handle.queue == 0 {
		return errClosed
	}
	if c := code(call(d.finish, d.onQueue[:]...)); c != 0 {
		return d.failedWaiting("clFinish", c)
	}
	return nil
}

// Close waits for what is queued and being compiled, and gives everything back.
func (d *opened) Close() error {
	if d.handle.queue == 0 {
		return nil
	}
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.building.Wait()
	err := d.Finish()
	for t := range d.timings {
		t.release()
		t.err = errClosed
	}
	for p := range d.programs {
		p.Release()
	}
	for b := range d.sizes {
		d.Free(b)
	}
	call(d.releaseCommandQueue, d.handle.queue)
	call(d.releaseContext, d.handle.context)
	d.handle.queue, d.handle.context, d.timing = 0, 0, nil
	return err
}
