package core

// loan is a copy of a storage's values in declared order, which the program may change until the storage
// is used again.
type loan struct {
	rows   []int32 // the row in declared order of each row in memory
	size   int     // of a row in bytes
	values []byte
}

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
