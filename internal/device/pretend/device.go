// Package pretend implements a device whose memory is Go's, and that runs no programs: for tests, and for op2
// translate, which needs none.
package pretend

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// Device is a device whose memory is Go's. The zero Device is open.
type Device struct {
	// Limit is the number of bytes that can be allocated; 0: unlimited.
	Limit int64
	// Fail, if not nil, is called before each "Upload", "Download", "Copy", "Clear" and "Finish",
	// which return its error.
	Fail func(call string) error

	// Counts of calls, and the bytes of allocated buffers.
	Allocs, Frees, Uploads, Downloads, Copies, Clears int
	Allocated                                         int64
	Largest                                           int // upload or download, in bytes

	buffers map[device.Buffer][]uint64
	sizes   map[device.Buffer]int
	last    device.Buffer
}

// poison fills new memory: NaN as float64 and as float32.
const poison = 0xfff8dead_fff8dead

// Info describes the device as the host's CPU.
func (d *Device) Info() device.Info {
	return device.Info{Name: "test", CPU: true, Units: 1, Memory: d.Limit, Local: 48 << 10, MaxGroup: 256, Float64: true, Atomic64: true}
}

// Alloc allocates memory filled with NaN.
func (d *Device) Alloc(n int) (device.Buffer, error) {
	if n < 1 {
		return 0, fmt.Errorf("test: Alloc of %d bytes", n)
	}
	if d.Limit > 0 && d.Allocated+int64(n) > d.Limit {
		return 0, &device.OutOfMemoryError{Device: "test", Bytes: n, Existing: d.Allocated, Total: d.Limit}
	}
	if d.buffers == nil {
		d.buffers, d.sizes = map[device.Buffer][]uint64{}, map[device.Buffer]int{}
	}
	memory := make([]uint64, (n+7)/8)
	for i := range memory {
		memory[i] = poison
	}
	d.last++
	d.buffers[d.last], d.sizes[d.last] = memory, n
	d.Allocs++
	d.Allocated += int64(n)
	return d.last, nil
}

// Free panics if b is not allocated.
func (d *Device) Free(b device.Buffer) {
	if b == 0 {
		return
	}
	if d.buffers[b] == nil {
		panic("pretend: a buffer is freed that is none")
	}
	d.Frees++
	d.Allocated -= int64(d.sizes[b])
	delete(d.buffers, b)
	delete(d.sizes, b)
}

// Memory returns the address of a buffer.
func (d *Device) Memory(b device.Buffer) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(d.buffers[b]))
}

// begin checks a call on n bytes from offset of a buffer.
func (d *Device) begin(call string, b device.Buffer, offset, n int) error {
	if d.Fail != nil {
		if err := d.Fail(call); err != nil {
			return err
		}
	}
	if d.buffers[b] == nil || offset < 0 || n < 1 || offset+n > d.sizes[b] {
		return &device.Error{Device: "test", Call: call, Code: fmt.Sprintf("%d bytes from %d, the buffer has %d", n, offset, d.sizes[b])}
	}
	return nil
}

func (d *Device) bytes(b device.Buffer, offset, n int) []byte {
	return unsafe.Slice((*byte)(d.Memory(b)), d.sizes[b])[offset : offset+n]
}

// Upload copies immediately, like all other calls.
func (d *Device) Upload(to device.Buffer, offset int, from unsafe.Pointer, n int) error {
	if err := d.begin("Upload", to, offset, n); err != nil {
		return err
	}
	d.Uploads++
	d.Largest = max(d.Largest, n)
	copy(d.bytes(to, offset, n), unsafe.Slice((*byte)(from), n))
	return nil
}

// Download copies to the host.
func (d *Device) Download(to unsafe.Pointer, from device.Buffer, offset, n int) error {
	if err := d.begin("Download", from, offset, n); err != nil {
		return err
	}
	d.Downloads++
	d.Largest = max(d.Largest, n)
	copy(unsafe.Slice((*byte)(to), n), d.bytes(from, offset, n))
	return nil
}

// PrepareFetch returns a Fetch that copies at once.
func (d *Device) PrepareFetch(to []byte, from device.Buffer) (device.Fetch, error) {
	return device.FetchAtOnce{Device: d, To: to, From: from}, nil
}

// Copy copies from buffer to buffer.
func (d *Device) Copy(to device.Buffer, toOffset int, from device.Buffer, fromOffset, n int) error {
	if err := d.begin("Copy", from, fromOffset, n); err != nil {
		return err
	}
	if d.buffers[to] == nil || toOffset < 0 || toOffset+n > d.sizes[to] {
		return &device.Error{Device: "test", Call: "Copy", Code: fmt.Sprintf("%d bytes into %d", toOffset+n, d.sizes[to])}
	}
	d.Copies++
	copy(d.bytes(to, toOffset, n), d.bytes(from, fromOffset, n))
	return nil
}

// Clear sets bytes to zero.
func (d *Device) Clear(b device.Buffer, offset, n int) error {
	if err := d.begin("Clear", b, offset, n); err != nil {
		return err
	}
	d.Clears++
	clear(d.bytes(b, offset, n))
	return nil
}

// Build refuses every program.
func (d *Device) Build(device.Source) device.Program { return program{} }

type program struct{}

var errNoPrograms = errors.New("test: the device runs no programs")

func (program) Wait() error                          { return errNoPrograms }
func (program) Found() bool                          { return false }
func (program) Translated() string                   { return "" }
func (program) Kernel(string) (device.Kernel, error) { return nil, errNoPrograms }
func (program) Release()                             {}

// Begin begins nothing.
func (d *Device) Begin() error { return nil }

// End returns a time of one microsecond.
func (d *Device) End() (device.Timing, error) { return timing{}, nil }

type timing struct{}

func (timing) Elapsed() (time.Duration, error) { return time.Microsecond, nil }

// Finish returns at once: there is nothing to wait for.
func (d *Device) Finish() error {
	if d.Fail != nil {
		return d.Fail("Finish")
	}
	return nil
}

// Close frees everything.
func (d *Device) Close() error {
	for b := range d.buffers {
		d.Free(b)
	}
	return nil
}
