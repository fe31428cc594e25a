package standin

import (
	"bytes"
	"cmp"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// guard is the number of bytes before and after each buffer that must not be written.
const guard = 256

const canary = 0xc5

// poison fills new memory: an unlikely number in any type.
const poison = 0x7f

var canaries = bytes.Repeat([]byte{canary}, guard)

// buffer is device memory: host memory between two guards.
type buffer struct {
	all  []byte // including the guards
	data []byte
}

// span is the address range of a buffer. The layout matches csrc/standin.h.
type span struct{ start, end uintptr }

// Alloc allocates n bytes.
func (d *Device) Alloc(n int) (device.Buffer, error) {
	if n < 1 {
		return 0, misuse("cuMemAlloc", "%d bytes", n)
	}
	if d.allocated+int64(n) > d.limits.Memory {
		return 0, &device.OutOfMemoryError{Device: Name, Bytes: n, Existing: d.allocated, Total: d.limits.Memory}
	}
	const align = 256 // like cuMemAlloc
	all := make([]byte, align+guard+n+guard)
	start := int(-uintptr(unsafe.Pointer(&all[0])) % align)
	all = all[start : start+guard+n+guard]
	b := &buffer{all, all[guard : guard+n : guard+n]}
	copy(all, canaries)
	copy(all[guard+n:], canaries)
	for i := range b.data {
		b.data[i] = poison
	}
	address := uintptr(unsafe.Pointer(&b.data[0]))
	s := span{address, address + uintptr(n)}
	i, _ := slices.BinarySearchFunc(d.spans, s, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	d.spans = slices.Insert(d.spans, i, s)
	d.buffers[device.Buffer(address)] = b
	d.allocated += int64(n)
	return device.Buffer(address), nil
}

// Free frees a buffer.
func (d *Device) Free(address device.Buffer) {
	if address == 0 {
		return
	}
	b, ok := d.buffers[address]
	if !ok {
		d.fail(misuse("cuMemFree", "%#x is no buffer", uintptr(address)))
		return
	}
	delete(d.buffers, address)
	d.spans = slices.DeleteFunc(d.spans, func(s span) bool { return s.start == uintptr(address) })
	d.allocated -= int64(len(b.data))
}

// part returns n bytes of a buffer.
func (d *Device) part(call string, address device.Buffer, offset, n int) ([]byte, error) {
	if d.fault != nil {
		return nil, d.fault
	}
	b, ok := d.buffers[address]
	switch {
	case !ok:
		return nil, misuse(call, "%#x is no buffer", uintptr(address))
	case offset < 0 || n < 0 || offset+n > len(b.data):
		return nil, misuse(call, "%d bytes from %d of a buffer of %d", n, offset, len(b.data))
	}
	return b.data[offset : offset+n], nil
}

// Upload copies from the host.
func (d *Device) Upload(to device.Buffer, offset int, from unsafe.Pointer, n int) error {
	b, err := d.part("cuMemcpyHtoD", to, offset, n)
	if err == nil {
		copy(b, unsafe.Slice((*byte)(from), n))
	}
	return err
}

// Download copies to the host.
func (d *Device) Download(to unsafe.Pointer, from device.Buffer, offset, n int) error {
	b, err := d.part("cuMemcpyDtoH", from, offset, n)
	if err == nil {
		copy(unsafe.Slice((*byte)(to), n), b)
	}
	return err
}

// PrepareFetch returns a Fetch that copies at once.
func (d *Device) PrepareFetch(to []byte, from device.Buffer) (device.Fetch, error) {
	return device.FetchAtOnce{Device: d, To: to, From: from}, nil
}

// Copy copies between buffers.
func (d *Device) Copy(to device.Buffer, toOffset int, from device.Buffer, fromOffset, n int) error {
	a, err := d.part("cuMemcpyDtoD", to, toOffset, n)
	if err != nil {
		return err
	}
	b, err := d.part("cuMemcpyDtoD", from, fromOffset, n)
	if err == nil {
		copy(a, b)
	}
	return err
}

// Clear zeroes bytes.
func (d *Device) Clear(address device.Buffer, offset, n int) error {
	b, err := d.part("cuMemsetD8", address, offset, n)
	if err == nil {
		clear(b)
	}
	return err
}

// overwritten checks the guards of all buffers, since writes through memcpy and memset are not
// checked individually.
func (d *Device) overwritten() (text string, found bool) {
	for _, s := range d.spans {
		b := d.buffers[device.Buffer(s.start)]
		if !bytes.Equal(b.all[:guard], canaries) || !bytes.Equal(b.all[guard+len(b.data):], canaries) {
			return outside("wrote", b), true
		}
	}
	return "", false
}
