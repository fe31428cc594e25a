package entity

import (
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tune"
)

// Lend returns the bytes of the values of a dat on the host in declared order. If they are in another order in
// memory, they are a copy, which is copied back before the dat is used again.
func (d *Data) Lend() ([]byte, error) {
	values, err := Writing[byte](d)
	if err != nil || d.set.order == nil {
		return values, err
	}
	declared := d.set.inDeclaredOrder(d.rowSize(), values)
	d.storage.Lend(d.set.order, d.rowSize(), declared)
	return declared, nil
}

// LendBlank is Lend for a caller that overwrites all values, which are undefined: it moves none. With diagnostics,
// floating-point numbers are NaN.
func (d *Data) LendBlank() []byte {
	values := Overwriting[byte](d)
	if d.set.order != nil {
		values = store.Room(len(values))
		d.storage.Lend(d.set.order, d.rowSize(), values)
	}
	if d.rt.config.Backend.Poison && d.scalar.Float() {
		for i := range values {
			values[i] = 0xff // a float of such bytes is NaN
		}
	}
	return values
}

// ToDevice makes the values on the device valid, as a loop does that reads them.
func (d *Data) ToDevice() error { return named(d.storage.BringToDevice(tune.LayoutOf(d.SoA()))) }

// State reports where the values of a dat are valid, and whether some in its halo are not those of their owners.
func (d *Data) State() (host, onDevice, staleHalo bool) {
	host = d.storage.Mirror().State() != device.OnDevice && !d.storage.Unallocated()
	stale := d.storage.Halo().Valid < len(d.set.parts)
	return host, d.storage.OnDevice(), stale
}

// Show returns the bytes of the values of a dat on the host in declared order, for reading only.
func (d *Data) Show() ([]byte, error) {
	values, err := Reading[byte](d)
	if err != nil || d.set.order == nil {
		return values, err
	}
	return d.set.inDeclaredOrder(d.rowSize(), values), nil
}

// Gather returns the bytes of the values of all elements of the whole mesh in declared order: on the
// rank root, or with -1 on all ranks; nil on the others. It is collective.
func (d *Data) Gather(root int) ([]byte, error) {
	values, err := Reading[byte](d)
	if err != nil {
		return nil, err
	}
	return d.set.gatherRows(d.rowSize(), values, root)
}
