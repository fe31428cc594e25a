// Package cuda runs CUDA C++ programs on NVIDIA devices, through the driver and the run-time
// compiler NVRTC, both of which it loads at run time.
//
// Package standin replaces it where there is no device.
package cuda

import (
	"errors"
	"runtime"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/cuda/cusparse"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

// Device is an open device with its own context and queue.
type Device struct {
	driver   *driver
	compiler compiler // nil if there is none, and programs come with their PTX
	missing  error    // why there is none
	info     device.Info
	arch     string // target of compilations
	cache    device.Cache
	images   *images
	progress jit.Progress

	context, stream uintptr
	current         [1]uintptr // arguments of cuCtxSetCurrent
	buffers         map[device.Buffer]int
	allocated       int64
	staging         staging
	fetches         map[*fetch]struct{} // those that are not freed
	graphs          map[*graph]struct{} // those that are not freed
	modules         map[*image]*module
	timer           timer
	fault           error // the device is lost
	deferred        error // deferred error of an asynchronous call, returned by the next one
}

// Open opens a device. If the driver, a device or NVRTC is missing, the error is a
// *native.NotFoundError; NVRTC may be missing if programs come with their PTX.
func Open(config device.Config) (device.Device, error) {
	d, err := installed.open(config)
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (s system) open(config device.Config) (*Device, error) {
	driver, all, err := s.list()
	if err != nil {
		return nil, err
	}
	chosen, err := choose(all, config.Choice)
	if err != nil {
		return nil, err
	}
	c, arch, err := s.compilerFor(driver, chosen.info)
	if err != nil && !config.WithPTX {
		return nil, err
	}
	d := &Device{
		driver: driver, compiler: c, missing: err, info: chosen.info, arch: arch, cache: config.Cache, images: s.images, progress: jit.Progress{Report: config.Progress},
		buffers: map[device.Buffer]int{}, modules: map[*image]*module{}, fetches: map[*fetch]struct{}{}, graphs: map[*graph]struct{}{},
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := d.begin(chosen.number); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

// compilerFor returns the compiler for a device, and the architecture that it compiles for.
func (s system) compilerFor(driver *driver, info device.Info) (compiler, string, error) {
	c, err := s.compiler(driver.version / 1000)
	if err != nil {
		return nil, "", &native.NotFoundError{What: info.Name + " was found, but no compiler for it", Err: err}
	}
	arch, err := target(c, info.Arch)
	if err != nil {
		return nil, "", err
	}
	return c, arch, nil
}

// begin creates a context, always a new one: if a context is lost, the next device still works. The
// calling thread is locked.
func (d *Device) begin(number int32) error {
	const nonBlocking = 1 // do not synchronize with the default stream
	if err := d.call(d.driver.cuCtxCreate_v2, uintptr(unsafe.Pointer(&d.context)), 0, uintptr(number)); err != nil {
		d.context = 0
		return err
	}
	d.current[0] = d.context
	return d.call(d.driver.cuStreamCreate, uintptr(unsafe.Pointer(&d.stream)), nonBlocking)
}

// Info describes the device.
func (d *Device) Info() device.Info { return d.info }

// enter makes the device's context current on the calling thread, which the goroutine keeps until
// leave. It returns an earlier fault of the device again.
func (d *Device) enter() error {
	runtime.LockOSThread()
	if d.fault != nil {
		return d.fault
	}
	return d.call(d.driver.cuCtxSetCurrent, d.current[:]...)
}

func (d *Device) leave() { runtime.UnlockOSThread() }

// Within runs f, in which another CUDA library uses the device: in its context, with the stream to
// queue work on and the driver's major CUDA version.
func (d *Device) Within(f func(stream uintptr, major int) error) error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	return f(d.stream, d.driver.version/1000)
}

// OpenSparse opens cuSPARSE.
func (d *Device) OpenSparse() (device.Sparse, error) {
	h, err := cusparse.Open(d)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// call calls a function of the driver.
//
//go:uintptrescapes
func (d *Device) call(f native.Function, args ...uintptr) error {
	if result := f.Call(args...); int32(result) != success {
		return d.failure(nameOf(f), result)
	}
	return nil
}

// nameOf returns the name of a function in NVIDIA's documentation.
func nameOf(f native.Function) string { return strings.TrimSuffix(f.Name, "_v2") }

// failure converts a driver's result to an error.
func (d *Device) failure(call string, result uintptr) error {
	code := int32(result)
	if code == success {
		return nil
	}
	err := &device.Error{Device: d.info.Name, Call: call, Code: d.driver.errorName(code), Lost: lost(code)}
	if err.Lost && d.fault == nil {
		d.fault = err
	}
	return err
}

// synchronize waits until the queue is empty.
func (d *Device) synchronize() error {
	return d.call(d.driver.cuStreamSynchronize, d.stream)
}

// Finish waits until all queued work is done.
func (d *Device) Finish() error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	err := errors.Join(d.synchronize(), d.deferred)
	d.deferred = nil
	return err
}

// Close waits for queued work and destroys the context, with everything in it. It does not report
// again that the device is lost.
func (d *Device) Close() error {
	if d.context == 0 {
		return nil
	}
	known := d.fault != nil
	err := d.enter()
	defer d.leave()
	if !known && err == nil {
		if d.stream != 0 {
			err = d.synchronize()
		}
		d.staging.free(d)
		for f := range d.fetches {
			free(d, f.pinned[:])
		}
		for g := range d.graphs {
			g.destroy()
		}
		d.timer.free(d)
		for _, m := range d.modules {
			_ = d.call(d.driver.cuModuleUnload, m.handle)
		}
		if d.stream != 0 {
			_ = d.call(d.driver.cuStreamDestroy_v2, d.stream)
		}
	}
	code := d.driver.cuCtxDestroy_v2.Call(d.context)
	d.context, d.stream, d.buffers, d.modules, d.fetches, d.graphs = 0, 0, nil, nil, nil, nil
	if known {
		return nil
	}
	return errors.Join(err, d.deferred, d.failure("cuCtxDestroy", code))
}
