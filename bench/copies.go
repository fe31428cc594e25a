package main

import (
	"slices"

	"github.com/go-op2/op2/internal/device"
)

// copies measures copies within a device's memory.
type copies struct {
	device   device.Device
	from, to device.Buffer
	bytes    int
	seconds  []float64
}

// newCopies allocates more memory than any cache holds.
func (b *deviceBench) newCopies() (*copies, error) {
	c := &copies{device: b.device, bytes: 1 << 30}
	switch {
	case b.quick:
		c.bytes = 16 << 20
	case b.info.CPU:
		c.bytes = 256 << 20
	}
	if b.info.Memory > 0 {
		c.bytes = min(c.bytes, int(b.info.Memory/8))
	}
	for _, buffer := range []*device.Buffer{&c.from, &c.to} {
		var err error
		if *buffer, err = c.device.Alloc(c.bytes); err != nil {
			c.free()
			return nil, err
		}
		// Memory that was never written may not be mapped yet.
		if err := c.device.Clear(*buffer, 0, c.bytes); err != nil {
			c.free()
			return nil, err
		}
	}
	err := c.time()
	c.seconds = nil
	return c, err
}

// time times a copy on the device.
func (c *copies) time() error {
	if err := c.device.Begin(); err != nil {
		return err
	}
	err := c.device.Copy(c.to, 0, c.from, 0, c.bytes)
	timing, endErr := c.device.End()
	if err != nil {
		return err
	}
	if endErr != nil {
		return endErr
	}
	took, err := timing.Elapsed()
	c.seconds = append(c.seconds, took.Seconds())
	return err
}

// bandwidth returns the bandwidth of the shortest time in GB/s, counting both reads and writes.
func (c *copies) bandwidth() float64 { return 2 * float64(c.bytes) / slices.Min(c.seconds) / 1e9 }

func (c *copies) free() {
	c.device.Free(c.from)
	c.device.Free(c.to)
}
