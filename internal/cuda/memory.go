package cuda

import (
	"cmp"
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

// Alloc allocates n bytes.
func (d *Device) Alloc(n int) (device.Buffer, error) {
	defer d.leave()
	if err := d.enter(); err != nil {
		return 0, err
	}
	var b device.Buffer
	code := d.driver.cuMemAlloc_v2.Call(uintptr(unsafe.Pointer(&b)), uintptr(n))
	if int32(code) == outOfMemory {
		return 0, &device.OutOfMemoryError{Device: d.info.Name, Bytes: n, Existing: d.allocated, Total: d.info.Memory}
	}
	if err := d.failure("cuMemAlloc", code); err != nil {
		return 0, err
	}
	d.buffers[b] = n
	d.allocated += int64(n)
	return b, nil
}

// Free frees a buffer once queued work is done.
func (d *Device) Free(b device.Buffer) {
	if b == 0 {
		return
	}
	d.allocated -= int64(d.buffers[b])
	delete(d.buffers, b)
	d.discard(d.driver.cuMemFree_v2, uintptr(b))
}

// discard calls a function of the driver that frees something once queued work is done. Its error is
// deferred.
func (d *Device) discard(free native.Function, handle uintptr) {
	defer d.leave()
	err := d.enter()
	if err == nil {
		err = d.synchronize()
	}
	if err == nil {
		err = d.call(free, handle)
	}
	d.deferred = cmp.Or(d.deferred, err)
}

// part starts an operation on n bytes of a buffer and returns their address. The caller must call
// leave.
func (d *Device) part(f native.Function, b device.Buffer, offset, n int) (uintptr, error) {
	if size := d.buffers[b]; offset < 0 || n < 0 || offset > size-n {
		return 0, &device.Error{Device: d.info.Name, Call: nameOf(f), Code: fmt.Sprintf("CUDA_ERROR_INVALID_VALUE (%d bytes from %d of a buffer of %d)", n, offset, size)}
	}
	return uintptr(b) + uintptr(offset), nil
}

// Copy queues a copy on the device.
func (d *Device) Copy(to device.Buffer, toOffset int, from device.Buffer, fromOffset, n int) error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	f := d.driver.cuMemcpyDtoDAsync_v2
	target, err := d.part(f, to, toOffset, n)
	if err != nil {
		return err
	}
	source, err := d.part(f, from, fromOffset, n)
	if err != nil || n == 0 {
		return err
	}
	return d.call(f, target, source, uintptr(n), d.stream)
}

// Clear queues zeroing of bytes.
func (d *Device) Clear(b device.Buffer, offset, n int) error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	f := d.driver.cuMemsetD8Async
	target, err := d.part(f, b, offset, n)
	if err != nil || n == 0 {
		return err
	}
	return d.call(f, target, 0, uintptr(n), d.stream)
}

// Upload copies from the host through pinned memory: large transfers go in pieces, one being sent
// while the next is filled.
func (d *Device) Upload(to device.Buffer, offset int, from unsafe.Pointer, n int) error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	f := d.driver.cuMemcpyHtoDAsync_v2
	target, err := d.part(f, to, offset, n)
	if err != nil || n == 0 {
		return err
	}
	source := unsafe.Slice((*byte)(from), n)
	if n <= fewBytes {
		at, err := d.staging.put(d, source)
		if err != nil {
			return err
		}
		return d.call(f, target, uintptr(at), uintptr(n), d.stream)
	}
	if err := allocate(d, d.staging.pieces[:], pieceBytes); err != nil {
		return err
	}
	for i := 0; len(source) > 0; i++ {
		p := &d.staging.pieces[i%pieces]
		if err := p.wait(d); err != nil {
			return err
		}
		size := copy(p.bytes(), source)
		if err := d.call(f, target, uintptr(p.memory), uintptr(size), d.stream); err != nil {
			return err
		}
		if err := p.record(d); err != nil {
			return err
		}
		source, target = source[size:], target+uintptr(size)
	}
	return nil
}

// Download copies to the host: small transfers directly, large ones as in Upload.
func (d *Device) Download(to unsafe.Pointer, from device.Buffer, offset, n int) error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	f := d.driver.cuMemcpyDtoHAsync_v2
	source, err := d.part(f, from, offset, n)
	if err != nil {
		return err
	}
	if n <= fewBytes {
		if n > 0 {
			err = d.call(f, uintptr(to), source, uintptr(n), d.stream)
		}
		if err != nil {
			return err
		}
		return d.synchronize()
	}
	if err := allocate(d, d.staging.pieces[:], pieceBytes); err != nil {
		return err
	}
	target := unsafe.Slice((*byte)(to), n)
	queued := 0
	queue := func(p *piece) error {
		size := min(n-queued, pieceBytes)
		if size == 0 {
			return nil
		}
		// An upload from this memory may still be in flight, but it is earlier in the queue.
		if err := d.call(f, uintptr(p.memory), source+uintptr(queued), uintptr(size), d.stream); err != nil {
			return err
		}
		queued += size
		return p.record(d)
	}
	for i := range pieces {
		if err := queue(&d.staging.pieces[i]); err != nil {
			return err
		}
	}
	for i := 0; len(target) > 0; i++ {
		p := &d.staging.pieces[i%pieces]
		if err := p.wait(d); err != nil {
			return err
		}
		target = target[copy(target, p.bytes()):]
		if err := queue(p); err != nil {
			return err
		}
	}
	return nil
}
