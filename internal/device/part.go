package device

import (
	"unsafe"

	"github.com/go-op2/op2/internal/tune"
)

// HostPart makes the values of the elements [first, last) valid on the host, and leaves all others
// as they are. If the device has them all, only those are transferred: to be sent to another
// process, say.
func (m *Mirror) HostPart(first, last int) error {
	if m.state == HostUnallocated {
		m.host()
		m.state = m.onlyHost()
	}
	if m.state != OnDevice {
		return nil
	}
	err := m.unchanged()
	if err == nil {
		err = m.eachRun(first, last, true, func(host unsafe.Pointer, offset, n int) error {
			m.transfers.ToHost++
			m.transfers.BytesToHost += int64(n)
			return m.device.Download(host, m.held.buffer, offset, n)
		})
	}
	if m.guard.set {
		m.freeze()
	}
	if err != nil {
		err = m.wrap(err)
	}
	return err
}

// DevicePart transfers to the device the values of the elements [first, last), which the host has
// just received, for example from another process. All others stay valid where they are.
func (m *Mirror) DevicePart(first, last int) error {
	if !m.state.Valid() {
		return nil // the device gets all when it needs them
	}
	err := m.eachRun(first, last, false, func(host unsafe.Pointer, offset, n int) error {
		m.transfers.ToDevice++
		m.transfers.BytesToDevice += int64(n)
		return m.device.Upload(m.held.buffer, offset, host, n)
	})
	if m.guard.set {
		m.freeze()
	}
	if err != nil {
		err = m.wrap(err)
	}
	return err
}

// eachRun moves the values of some elements in runs of bytes that are contiguous on the device: one
// run, or one for each component if the layout is SoA. To the host, they are put in their places
// afterward.
func (m *Mirror) eachRun(first, last int, toHost bool, move func(host unsafe.Pointer, offset, n int) error) error {
	count, s := last-first, m.shape
	if count <= 0 || s.Dim == 0 {
		return nil
	}
	place := unsafe.Add(m.host(), first*s.Dim*s.Size)
	if m.layout == tune.AoS {
		return move(place, first*s.Dim*s.Size, count*s.Dim*s.Size)
	}
	run := count * s.Size
	components := temporary(run * s.Dim)
	if !toHost {
		transpose(components, place, count, s.Dim, s.Size)
	}
	for c := range s.Dim {
		if err := move(unsafe.Add(components, c*run), (c*s.Elements+first)*s.Size, run); err != nil {
			return err
		}
	}
	if toHost {
		transpose(place, components, s.Dim, count, s.Size)
	}
	return nil
}
