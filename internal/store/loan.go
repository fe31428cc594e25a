package store

// Lend says that the program may change a copy of the values, until the storage is used again: row
// rows[i] of the copy, of some bytes each, is row i in memory.
func (s *Storage) Lend(rows []int32, size int, values []byte) { s.lent = &loan{rows, size, values} }

// TakeBack copies back the values that were lent.
func (s *Storage) TakeBack() {
	if s.lent != nil {
		s.takeBack()
	}
}

//go:noinline
func (s *Storage) takeBack() {
	l := s.lent
	s.lent = nil
	memory := Values[byte](s)
	for i, row := range l.rows {
		copy(memory[i*l.size:(i+1)*l.size], l.values[int(row)*l.size:])
	}
}

// Reorder makes row order[i], of some bytes, row i of the host's memory. The program may go on writing to values that it
// got in declared order: what was lent, or the memory before if that order was the declared one.
func (s *Storage) Reorder(order []int32, size int, declared bool) {
	lent := s.lent
	if s.TakeBack(); order == nil || s.memory == nil {
		return
	}
	before := Values[byte](s)
	s.memory = nil
	s.Memory()
	after := Values[byte](s)
	for i, e := range order {
		copy(after[i*size:(i+1)*size], before[int(e)*size:])
	}
	switch {
	case declared:
		s.Lend(order, size, before)
	case lent != nil:
		rows := make([]int32, len(order))
		for i, e := range order {
			rows[i] = lent.rows[e]
		}
		s.Lend(rows, size, lent.values)
	}
}
