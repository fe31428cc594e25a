package op2

// share lets the backend's device have the values, if it has one.
func (d *data) share() {
	if rt := d.rt; rt.deviceBackend != nil && !rt.config.static {
		d.storage.Share(d.describe(), rt.deviceBackend.Device(), rt.deviceBackend.Garbage(), &rt.transfers)
	}
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
func (d *data) bring(write bool) error { return told(d.storage.Bring(write)) }

// there reports whether the device has the values, so that they are better changed there.
func (d *data) there() bool { return d.storage.There() }

// told is an error of a storage, which names the data, as the library tells it.
func told(err error) error {
	if err != nil {
		return errorf("op2: %w", err)
	}
	return nil
}

// sweep gives the device's memory back of which the owners are gone.
func (rt *Runtime) sweep() { rt.deviceBackend.Garbage().Sweep(rt.deviceBackend.Device()) }
