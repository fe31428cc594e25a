package opencl

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// Alloc rejects sizes that the device cannot hold: drivers may notice only when the buffer is first
// used.
func (d *opened) Alloc(n int) (device.Buffer, error) {
	if d.handle.context == 0 {
		return 0, errClosed
	}
	n = max(n, 1)
	u := d.unit
	existing := u.allocated.Add(int64(n)) - int64(n)
	tooMany := u.maxAlloc > 0 && int64(n) > u.maxAlloc || u.info.Memory > 0 && int64(n) > u.info.Memory-existing
	var c code
	if !tooMany {
		b := device.Buffer(d.clCreateBuffer.Call(d.handle.context, memReadWrite, uintptr(n), 0, uintptr(unsafe.Pointer(&c))))
		if c == 0 {
			d.sizes[b] = n
			return b, nil
		}
	}
	u.allocated.Add(-int64(n))
	switch c {
	case 0, memObjectAllocation, outOfResources, outOfHostMemory, invalidBufferSize:
		return 0, &device.OutOfMemoryError{Device: u.info.Name, Bytes: n, Existing: existing, Total: u.info.Memory}
	}
	return 0, d.failed("clCreateBuffer", c)
}

// Free leaves it to OpenCL to wait for queued work.
func (d *opened) Free(b device.Buffer) {
	n, ok := d.sizes[b]
	if !ok {
		return
	}
	delete(d.sizes, b)
	d.freed++
	d.unit.allocated.Add(-int64(n))
	d.clReleaseMemObject.Call(uintptr(b))
}

// check validates a range of a buffer.
func (d *opened) check(b device.Buffer, offset, n int) error {
	if d.handle.queue == 0 {
		return errClosed
	}
	size, ok := d.sizes[b]
	if !ok {
		return fmt.Errorf("%s: buffer %#x is not allocated", d.unit.info.Name, uintptr(b))
	}
	if offset < 0 || n < 0 || offset > size || n > size-offset {
		return fmt.Errorf("%s: %d bytes from %d are not in a buffer of %d", d.unit.info.Name, n, offset, size)
	}
	return nil
}

func (d *opened) Upload(to device.Buffer, offset int, from unsafe.Pointer, n int) error {
	if err := d.check(to, offset, n); err != nil || n == 0 {
		return err
	}
	if isPattern(offset, n) {
		return d.fill(to, offset, n, from, n)
	}
	c := code(d.clEnqueueWriteBuffer.Call(d.handle.queue, uintptr(to), 1, uintptr(offset), uintptr(n), uintptr(from), 0, 0, 0))
	return d.failedWaiting("clEnqueueWriteBuffer", c)
}

// isPattern reports whether bytes can be a fill pattern. OpenCL copies patterns during the call, so
// that the value of a global reaches the device without waiting for queued work.
func isPattern(offset, n int) bool { return n <= 128 && bits.OnesCount(uint(n)) == 1 && offset%n == 0 }

// fill repeats a pattern over n bytes of a buffer.
func (d *opened) fill(to device.Buffer, offset, n int, pattern unsafe.Pointer, length int) error {
	event := d.event()
	c := code(d.clEnqueueFillBuffer.Call(d.handle.queue, uintptr(to), uintptr(pattern), uintptr(length), uintptr(offset), uintptr(n), 0, 0, event))
	return d.queued("clEnqueueFillBuffer", c)
}

func (d *opened) Download(to unsafe.Pointer, from device.Buffer, offset, n int) error {
	if err := d.check(from, offset, n); err != nil {
		return err
	}
	if n == 0 {
		return d.Finish()
	}
	c := code(d.clEnqueueReadBuffer.Call(d.handle.queue, uintptr(from), 1, uintptr(offset), uintptr(n), uintptr(to), 0, 0, 0))
	return d.failedWaiting("clEnqueueReadBuffer", c)
}

func (d *opened) Copy(to device.Buffer, toOffset int, from device.Buffer, fromOffset, n int) error {
	if err := d.check(to, toOffset, n); err != nil {
		return err
	}
	if err := d.check(from, fromOffset, n); err != nil || n == 0 {
		return err
	}
	event := d.event()
	c := code(d.clEnqueueCopyBuffer.Call(d.handle.queue, uintptr(from), uintptr(to), uintptr(fromOffset), uintptr(toOffset), uintptr(n), 0, 0, event))
	return d.queued("clEnqueueCopyBuffer", c)
}

func (d *opened) Clear(b device.Buffer, offset, n int) error {
	if err := d.check(b, offset, n); err != nil || n == 0 {
		return err
	}
	// The longest possible pattern: offset and size must be multiples of its length.
	length := 1 << min(bits.TrailingZeros(uint(offset|n)), 4)
	return d.fill(b, offset, n, unsafe.Pointer(&d.zero), length)
}
