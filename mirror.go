package op2

import "github.com/go-op2/op2/internal/problem"

// share gives the backend's device access to the values, if it has one.
func (d *data) share() {
	if rt := d.rt; rt.deviceBackend != nil && !rt.config.static {
		d.storage.Share(d.describe(), rt.config.given.Poison, rt.deviceBackend.Device(), rt.deviceBackend.Garbage(), &rt.transfers)
	}
}

// begin enters the runtime for a call that uses values, which a static runtime does not have.
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

// bring makes the host's values valid and, for writing, the only valid ones.
func (d *data) bring(write bool) error { return dataError(d.storage.Bring(write)) }

// there reports whether the device has the values, so that changing them there is preferable.
func (d *data) there() bool { return d.storage.There() }

// dataError converts an error of a storage, which names the data, to one of the library's.
func dataError(err error) error {
	if err != nil {
		return problem.Errorf("op2: %w", err)
	}
	return nil
}

// sweep frees device memory whose owners have become unreachable.
func (rt *Runtime) sweep() { rt.deviceBackend.Garbage().Sweep(rt.deviceBackend.Device()) }
