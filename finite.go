package op2

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one.
func (d *Dat[T]) CheckFinite() error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.leave()
	return d.data().CheckFinite()
}

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one. With diagnostics on, this is checked after every loop that changes the matrix.
func (m *Mat[T]) CheckFinite() error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	return m.data().CheckFinite()
}

// AllowNonFinite makes diagnostics accept infinity and NaN in the dat, where they have a meaning:
// infinity as an unknown distance, say.
func (d *Dat[T]) AllowNonFinite() {
	if d.made() != nil {
		return
	}
	d.rt().MustEnter()
	defer d.leave()
	d.data().AllowNonFinite()
}
