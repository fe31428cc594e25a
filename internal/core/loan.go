package core

// loan is a copy of a storage's values in declared order, which the program may change until the storage
// is used again.
type loan struct {
	rows   []int32 // the row in declared order of each row in memory
	size   int     // of a row in bytes
	values []byte
}

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

// rowSize returns the size of a dat's values for an element in bytes.
func (d *Data) rowSize() int { return d.dim * d.scalar.Size() }

// Lend says that the program may change a copy of the values, until the storage is used again: row
// rows[i] of the copy, of some bytes each, is row i in memory.
func (s *Storage) Lend(rows []int32, size int, values []byte) { s.lent = &loan{rows, size, values} }

// takeBack copies back what was lent.
func (s *Storage) takeBack() {
	l := s.lent
	if l == nil {
		return
	}
	s.lent = nil
	memory := Values[byte](s)
	for i, row := range l.rows {
		copy(memory[i*l.size:(i+1)*l.size], l.values[int(row)*l.size:])
	}
}
