package device

import (
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/timeline"
	"github.com/go-op2/op2/internal/tune"
)

// Shape is the shape of a Mirror's values: Dim values of Size bytes for each of Elements.
type Shape struct{ Elements, Dim, Size int }

// Bytes returns the size of all values.
func (s Shape) Bytes() int { return s.Elements * s.Dim * s.Size }

// Mirror is data shared by the host and a device; nil stands for data on the host alone. Its State says where
// the values are valid; they
// are transferred only when used where they are not valid.
type Mirror struct {
	// What describes the data for messages: "dat q on cells".
	What string

	device    Device
	shape     Shape
	host      func() unsafe.Pointer
	state     State
	layout    tune.Layout // of the device's copy
	held      *held
	garbage   *Garbage // or nil
	transfers *Transfers
	timeline  *timeline.Timeline
	guard     guard
}

// Record makes the mirror record its transfers.
func (m *Mirror) Record(t *timeline.Timeline) { m.timeline = t }

// NewMirror returns a mirror without device memory. Host returns the address of the host's memory.
// If that is not allocated, all values are zero, and the first call of Host allocates it, zeroed.
// Transfers are counted in t.
func NewMirror(d Device, s Shape, host func() unsafe.Pointer, hostAllocated bool, t *Transfers) *Mirror {
	m := &Mirror{device: d, shape: s, host: host, state: DeviceUnallocated, layout: tune.AoS, held: &held{}, transfers: t}
	if !hostAllocated {
		m.state = HostUnallocated
	}
	return m
}

// State returns where the values are valid.
func (m *Mirror) State() State {
	if m == nil {
		return DeviceUnallocated
	}
	return m.state
}

// Shape returns the shape of the values.
func (m *Mirror) Shape() Shape { return m.shape }

// Values returns the device's copy, which must be valid, and the distances, in values, of consecutive
// elements and of consecutive components there.
func (m *Mirror) Values() (b Buffer, along, apart int) {
	if m.layout == tune.SoA {
		return m.held.buffer, 1, m.shape.Elements
	}
	return m.held.buffer, m.shape.Dim, 1
}

// Use prepares the device's copy for the work that is queued next, and must be called before each.
// Writes says that the work changes values; reads says that it needs the current ones: to read
// them, or because it does not overwrite them all.
func (m *Mirror) Use(reads, writes bool, layout tune.Layout) (Buffer, error) {
	b, err := m.Bring(reads || !writes, layout)
	if err == nil && writes {
		m.Wrote(layout)
	}
	return b, err
}

// Bring prepares the buffer, with the current values if reads is set, without marking it modified:
// until Wrote is called, no values are lost. Call Wrote once the work has been queued.
func (m *Mirror) Bring(reads bool, layout tune.Layout) (Buffer, error) {
	err := m.allocate()
	if err == nil && m.state == OnBoth {
		err = m.unchanged()
	}
	if err == nil && reads {
		err = m.bring(m.normal(layout))
	}
	if err != nil {
		return 0, m.wrap(err)
	}
	return m.held.buffer, nil
}

// Wrote records that work was queued that changes the values on the device.
func (m *Mirror) Wrote(layout tune.Layout) {
	if m.state == OnHost || m.state == DeviceUnallocated {
		m.freeze()
	}
	m.state, m.layout = OnDevice, m.normal(layout)
}

// Spoiled records that the device's copy may have been changed by work that failed: the host's
// values are used if they are valid.
func (m *Mirror) Spoiled() {
	if m.state == OnBoth {
		m.state = OnHost
		m.thaw()
	}
}

// normal returns AoS if layouts do not differ.
func (m *Mirror) normal(l tune.Layout) tune.Layout {
	if m.shape.Dim <= 1 || m.shape.Elements <= 1 {
		return tune.AoS
	}
	return l
}

// allocate allocates device memory if necessary.
func (m *Mirror) allocate() error {
	if m.held.buffer != 0 {
		return nil
	}
	alloc := m.device.Alloc
	if m.garbage != nil {
		alloc = func(n int) (Buffer, error) { return m.garbage.Alloc(m.device, n) }
	}
	b, err := alloc(max(1, m.shape.Bytes()))
	if err != nil {
		return err
	}
	m.held.buffer = b
	return nil
}

// bring makes the device's copy valid, in a layout.
func (m *Mirror) bring(layout tune.Layout) error {
	if m.state.Valid() && m.layout == layout {
		return nil
	}
	if m.state == HostUnallocated {
		if err := m.clear(); err != nil {
			return err
		}
		m.state, m.layout = OnDevice, layout
		return nil
	}
	if m.state == OnDevice {
		if err := m.download(); err != nil {
			return err
		}
		m.state = OnBoth
	}
	if m.state == OnBoth {
		m.state = OnHost // the device's copy is about to be overwritten
	}
	m.thaw()
	if err := m.upload(layout); err != nil {
		return err
	}
	m.state, m.layout = OnBoth, layout
	m.freeze()
	return nil
}

// Host makes the host's copy valid and, for writing, the only valid one.
func (m *Mirror) Host(write bool) error {
	if m == nil {
		return nil
	}
	switch m.state {
	case HostUnallocated:
		m.host()
		m.state = m.onlyHost()
	case OnDevice:
		if err := m.download(); err != nil {
			return m.wrap(err)
		}
		m.state = OnBoth
	case OnBoth:
		if err := m.unchanged(); err != nil {
			return m.wrap(err)
		}
	}
	if write {
		m.thaw()
		m.state = m.onlyHost()
	}
	return nil
}

// Patched records that some of the values on the host were changed, and that those on the device, if
// they are valid, will be as well.
func (m *Mirror) Patched() {
	if m != nil && m.guard.set {
		m.freeze()
	}
}

// Overwrite makes the host's values current for a caller that overwrites them all: it transfers none.
func (m *Mirror) Overwrite() {
	if m == nil {
		return
	}
	m.host()
	m.thaw()
	m.state = m.onlyHost()
}

func (m *Mirror) onlyHost() State {
	if m.held.buffer == 0 {
		return DeviceUnallocated
	}
	return OnHost
}

// Zero zeroes all values: on the device, if memory is allocated there, and only there if the values
// are there.
func (m *Mirror) Zero() error {
	if m.state == HostUnallocated {
		return nil
	}
	if m.state != DeviceUnallocated {
		if err := m.clear(); err != nil {
			return m.wrap(err)
		}
	}
	if m.state.Valid() {
		m.state = OnDevice
		return nil
	}
	clear(unsafe.Slice((*byte)(m.host()), m.shape.Bytes()))
	if m.state == OnHost {
		m.state = OnBoth
		m.freeze()
	}
	return nil
}

// Copy copies all values from a mirror of the same shape and device whose device copy is valid,
// without a transfer to the host.
func (m *Mirror) Copy(from *Mirror) error {
	if m == from {
		return nil
	}
	err := m.allocate()
	if n := m.shape.Bytes(); err == nil && n > 0 {
		err = m.device.Copy(m.held.buffer, 0, from.held.buffer, 0, n)
	}
	if err != nil {
		return m.wrap(err)
	}
	m.Wrote(from.layout)
	return nil
}

// Free frees the device's memory. Values that are valid only there are lost.
func (m *Mirror) Free() {
	if m.held.buffer == 0 {
		return
	}
	m.device.Free(m.held.buffer)
	m.held.buffer = 0
	if m.state != HostUnallocated {
		m.state = DeviceUnallocated
	}
	m.thaw()
}

func (m *Mirror) clear() error {
	if n := m.shape.Bytes(); n > 0 {
		return m.device.Clear(m.held.buffer, 0, n)
	}
	return nil
}

func (m *Mirror) upload(layout tune.Layout) error {
	n := m.shape.Bytes()
	if n == 0 {
		return nil
	}
	start := m.timeline.Now()
	from := m.host()
	if layout == tune.SoA {
		components := temporary(n)
		transpose(components, from, m.shape.Elements, m.shape.Dim, m.shape.Size)
		from = components
	}
	if err := m.device.Upload(m.held.buffer, 0, from, n); err != nil {
		return err
	}
	m.transfers.ToDevice++
	m.transfers.BytesToDevice += int64(n)
	m.timeline.Add(timeline.ToDevice, m.What, start, int64(n))
	return nil
}

func (m *Mirror) download() error {
	to, n := m.host(), m.shape.Bytes()
	if n == 0 {
		return nil
	}
	start := m.timeline.Now()
	into := to
	if m.layout == tune.SoA {
		into = temporary(n)
	}
	if err := m.unchanged(); err != nil {
		return err
	}
	if err := m.device.Download(into, m.held.buffer, 0, n); err != nil {
		return err
	}
	if m.layout == tune.SoA {
		transpose(to, into, m.shape.Dim, m.shape.Elements, m.shape.Size)
	}
	m.transfers.ToHost++
	m.transfers.BytesToHost += int64(n)
	m.timeline.Add(timeline.ToHost, m.What, start, int64(n))
	m.freeze()
	return nil
}

// temporary returns memory for n bytes.
func temporary(n int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8)))
}

func (m *Mirror) wrap(err error) error {
	if m.What == "" {
		return err
	}
	return fmt.Errorf("%s: %w", m.What, err)
}
