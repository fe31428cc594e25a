package cuda

import "github.com/go-op2/op2/internal/device"

// fetch copies through pinned memory of its own.
type fetch struct {
	device *Device
	to     []byte
	from   device.Buffer
	pinned [1]piece
}

// PrepareFetch allocates the pinned memory.
func (d *Device) PrepareFetch(to []byte, from device.Buffer) (device.Fetch, error) {
	defer d.leave()
	if err := d.enter(); err != nil {
		return nil, err
	}
	f := &fetch{device: d, to: to, from: from}
	if err := allocate(d, f.pinned[:], len(to)); err != nil {
		free(d, f.pinned[:])
		return nil, err
	}
	d.fetches[f] = struct{}{}
	return f, nil
}

func (f *fetch) Start() error {
	d, p := f.device, &f.pinned[0]
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	read := d.driver.cuMemcpyDtoHAsync_v2
	source, err := d.part(read, f.from, 0, p.size)
	if err == nil {
		err = d.call(read, uintptr(p.memory), source, uintptr(p.size), d.stream)
	}
	if err != nil {
		return err
	}
	return p.record(d)
}

func (f *fetch) Wait() error {
	d, p := f.device, &f.pinned[0]
	if !p.used {
		return nil
	}
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	if err := p.wait(d); err != nil {
		return err
	}
	copy(f.to, p.bytes())
	return nil
}

func (f *fetch) Free() {
	d := f.device
	if _, exists := d.fetches[f]; !exists {
		return
	}
	delete(d.fetches, f)
	defer d.leave()
	if err := d.enter(); err == nil {
		_ = f.pinned[0].wait(d)
	}
	free(d, f.pinned[:])
}
