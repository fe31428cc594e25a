package op2

import (
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
)

// Layout is the order in which a device has the values of a dat. On the host they are
// always one element after the other.
type Layout uint8

// The layouts. They differ for dats with a dim of 2 or more.
const (
	AoS Layout = iota + 1 // one element after the other
	SoA                   // one component after the other: the first values of all elements, and so on
)

// SetLayout says how a device is to have the values, whatever the runtime's [WithLayout]
// is. Loops that have been prepared before keep to the layout there was, and make
// the values move each time that another one is asked for. On other backends it has no
// effect.
func (d *Dat[T]) SetLayout(l Layout) {
	if d.layout != l {
		d.layout = l
		d.rt.loops = loopCache{}
	}
}

// soa reports whether the device is to have the data component by component.
func (d *data) soa() bool {
	if d.rt.keeper == nil || d.kind != loop.Dat || d.dim < 2 {
		return false
	}
	if d.layout != 0 {
		return d.layout == SoA
	}
	switch d.rt.config.given.Layout {
	case "aos":
		return false
	case "soa":
		return true
	}
	return d.rt.keeper.AutoSoA(d.dim)
}

// mirrored gives the data a mirror, if the backend keeps data on a device. Host is where
// it is on the host, allocated then if it is not yet.
func (d *data) mirrored(elements, values int, host func() unsafe.Pointer, allocated bool) {
	rt := d.rt
	if rt.keeper == nil || rt.config.static {
		return
	}
	d.mirror = device.NewMirror(rt.keeper.Device(), device.Shape{Elements: elements, Dim: values, Size: d.scalar.Size()}, host, allocated, &rt.transfers)
	d.mirror.What = d.describe()
	d.mirror.LeaveTo(&rt.garbage)
}
