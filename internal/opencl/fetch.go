package opencl

import (
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// A fetch is a read that does not block. The device keeps it, and with it the memory that the driver
// writes to, until it has been waited for.
type fetch struct {
	device *opened
	to     []byte
	from   device.Buffer
	event  uintptr // 0: not started
}

func (d *opened) PrepareFetch(to []byte, from device.Buffer) (device.Fetch, error) {
	return &fetch{device: d, to: to, from: from}, d.check(from, 0, len(to))
}

func (f *fetch) Start() error {
	d := f.device
	if err := f.Wait(); err != nil {
		return err
	}
	if err := d.check(f.from, 0, len(f.to)); err != nil {
		return err
	}
	c := code(d.clEnqueueReadBuffer.Call(d.handle.queue, uintptr(f.from), 0, 0, uintptr(len(f.to)), uintptr(unsafe.Pointer(unsafe.SliceData(f.to))), 0, 0, uintptr(unsafe.Pointer(&f.event))))
	if c != 0 {
		return d.failed("clEnqueueReadBuffer", c)
	}
	d.fetches[f] = struct{}{}
	return d.submit()
}

func (f *fetch) Wait() error {
	if f.event == 0 {
		return nil
	}
	d := f.device
	c := d.events.wait(d, f.event)
	f.release()
	return d.failedWaiting("clWaitForEvents", c)
}

func (f *fetch) release() {
	f.device.events.release(f.device, f.event)
	f.event = 0
	delete(f.device.fetches, f)
}

func (f *fetch) Free() { _ = f.Wait() }
