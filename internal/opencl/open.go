package opencl

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

// opened is an open device.
type opened struct {
	*library
	unit   *unit
	cache  device.Cache
	handle struct{ context, queue uintptr } // 0 once closed

	sizes    map[device.Buffer]int // of each buffer, in bytes
	freed    int                   // number of buffers freed so far: a new one may reuse an old handle
	timing   *timing               // the timing in progress, or nil
	batch    batch                 // the batch in progress
	timings  map[*timing]struct{}  // those that hold events
	fetches  map[*fetch]struct{}   // those that have not been waited for
	programs map[*program]struct{} // not released
	zero     [16]byte              // the pattern for clearing buffers
	onQueue  [1]uintptr            // the queue, as an argument list
	events   eventCalls

	building sync.WaitGroup
	mu       sync.Mutex // guards the following fields, which background compilations use
	closed   bool
	builds   map[buildKey]*build
	progress jit.Progress
}

// Open opens the device that the configuration selects, by its number among all devices of all
// platforms, or by a part of its name or its platform's, ignoring case; by default the first GPU,
// accelerator, or CPU. The error wraps a *native.NotFoundError if there is no OpenCL, and is a
// *ChoiceError if there is no such device.
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
		fetches:  map[*fetch]struct{}{},
		programs: map[*program]struct{}{},
		builds:   map[buildKey]*build{},
	}
	d.progress.Report = config.Progress
	defer native.Guard()()
	var c code
	properties := []uintptr{contextPlatform, u.platform, 0}
	d.handle.context = l.clCreateContext.Call(uintptr(unsafe.Pointer(&properties[0])), 1, uintptr(unsafe.Pointer(&u.id)), 0, 0,
		uintptr(unsafe.Pointer(&c)))
	if c != 0 {
		return nil, fmt.Errorf("the OpenCL device cannot be opened: %w", d.failed("clCreateContext", c))
	}
	d.handle.queue = l.clCreateCommandQueue.Call(d.handle.context, u.id, queueProfilingEnable, uintptr(unsafe.Pointer(&c)))
	if c != 0 {
		l.clReleaseContext.Call(d.handle.context)
		return nil, fmt.Errorf("the OpenCL device cannot be opened: %w", d.failed("clCreateCommandQueue", c))
	}
	d.onQueue[0] = d.handle.queue
	return d, nil
}

func (d *opened) Info() device.Info { return d.unit.info }

// failed returns the error of a call; nil for success.
func (d *opened) failed(call string, c code) error {
	if c == 0 {
		return nil
	}
	return &device.Error{Device: d.unit.info.Name, Call: call, Code: c.String(), Lost: c == deviceNotAvailable || c == nvidiaIllegalAccess}
}

// failedWaiting returns the error of a call that waited for queued work; nil for success. A failure of
// that work makes the context unusable.
func (d *opened) failedWaiting(call string, c code) error {
	if c == 0 {
		return nil
	}
	lost := c == deviceNotAvailable || c == nvidiaIllegalAccess || c == outOfResources || c == invalidCommandQueue
	return &device.Error{Device: d.unit.info.Name, Call: call, Code: c.String(), Lost: lost}
}

func (d *opened) Finish() error {
	if d.handle.queue == 0 {
		return errClosed
	}
	return d.failedWaiting("clFinish", code(d.clFinish.Call(d.onQueue[:]...)))
}

// Close waits for queued work and compilations, and releases everything.
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
	for f := range d.fetches {
		f.release()
	}
	for p := range d.programs {
		p.Release()
	}
	for b := range d.sizes {
		d.Free(b)
	}
	d.clReleaseCommandQueue.Call(d.handle.queue)
	d.clReleaseContext.Call(d.handle.context)
	d.handle.queue, d.handle.context, d.timing = 0, 0, nil
	return err
}
