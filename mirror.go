package op2

import (
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// mirrored gives the data a mirror, if the backend keeps data on a device. Host is where
// it is on the host, allocated then if it is not yet.
func (d *data) mirrored(elements, values int, host func() unsafe.Pointer, allocated bool) {
	rt := d.rt
	if rt.deviceBackend == nil || rt.config.static {
		return
	}
	d.mirror = device.NewMirror(rt.deviceBackend.Device(), device.Shape{Elements: elements, Dim: values, Size: d.scalar.Size()}, host, allocated, &rt.transfers)
	d.mirror.What = d.describe()
	d.mirror.LeaveTo(rt.deviceBackend.Garbage())
}

// begin enters the runtime for a call that works with values, which a static one has not.
func (d *data) begin() error {
	if err := d.rt.enter(); err != nil {
		return err
	}
	if d.rt.config.static {
		d.rt.leave()
		return ErrStatic
	}
	return nil
}

// bring makes the values on the host valid, and if they are to be written, only those.
func (d *data) bring(write bool) error {
	if d.mirror == nil {
		return nil
	}
	return d.told(d.mirror.Host(write))
}

// discard is bring for values all of which are going to be written: none are moved.
func (d *data) discard() {
	if d.mirror != nil {
		d.mirror.Overwrite()
	}
}

// zeroThere sets the values of a mirror to zero, where they are.
func (d *data) zeroThere() error { return d.told(d.mirror.Zero()) }

// there reports whether the device has the values, so that they are better changed there.
func (d *data) there() bool { return d.mirror != nil && d.mirror.State().Valid() }

// copyThere copies the values of other data of the same shape on the device, if that is
// where they are, in the same layout.
func (d *data) copyThere(from *data) (done bool, err error) {
	if d.mirror == nil || d.soa() != from.soa() {
		return false, nil
	}
	switch s := from.mirror.State(); {
	case s == device.HostUnallocated:
		return true, d.zeroThere()
	case s.Valid():
		return true, d.told(d.mirror.Copy(from.mirror))
	}
	return false, nil
}

// told is an error of a mirror, which names the data, as the library tells it.
func (d *data) told(err error) error {
	if err != nil {
		return errorf("op2: %w", err)
	}
	return nil
}

// sweep gives the device's memory back of which the owners are gone.
func (rt *Runtime) sweep() { rt.deviceBackend.Garbage().Sweep(rt.deviceBackend.Device()) }
