// Package rehearse runs programs as on a device that need not be there: data are kept on a device whose memory is
// Go's (package pretend), and a backend of the host runs loops there. So a program does all that it does on a
// device, which arithmetic, conditions and solvers do by loops that the host does not need.
//
// For op2 translate, Of makes it record what backends of devices would compile. Tests use it to see what is
// transferred.
package rehearse

import (
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/pretend"
)

// Backend keeps data on a device, where a backend of the host runs loops.
type Backend struct {
	backend.Multiplier
	Memory *pretend.Device // nil for a static runtime
	// ByComponents reports whether dats of dim values are stored component by component, unless they have a layout
	// of their own.
	ByComponents func(dim int) bool
	Watch        Watcher

	garbage device.Garbage
	pending []func(time.Duration)
}

// Watcher is told what a program prepares.
type Watcher interface {
	Loop(backend.Spec, backend.Memory) error
	// Product is a product with vectors that are stored component by component, or not: before each call.
	Product(m backend.Matrix, y, x bool) error
}

// New returns a backend whose loops run on b.
func New(b backend.Multiplier, byComponents func(dim int) bool, w Watcher, static bool) *Backend {
	k := &Backend{Multiplier: b, ByComponents: byComponents, Watch: w}
	if !static {
		k.Memory = &pretend.Device{}
	}
	return k
}

// Device returns the device.
func (k *Backend) Device() device.Device { return k.Memory }

// Garbage returns the collector of the device's memory.
func (k *Backend) Garbage() *device.Garbage { return &k.garbage }

// AutoSoA returns what ByComponents does.
func (k *Backend) AutoSoA(dim int) bool { return k.ByComponents(dim) }

// Settle reports a time of one microsecond for every call.
func (k *Backend) Settle() error {
	for _, took := range k.pending {
		took(time.Microsecond)
	}
	k.pending = k.pending[:0]
	return k.Memory.Finish()
}

// Close closes the device, and the backend of the host.
func (k *Backend) Close() error {
	if k.Memory != nil {
		k.Memory.Close()
	}
	return k.Multiplier.Close()
}
