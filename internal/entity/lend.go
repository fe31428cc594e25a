package entity

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
